// Data files that try to be expensive: work and memory stay limited, and the error gives the reason.
#include "ecs/schema/schema.h"
#include "ecs/world/world.h"
#include "engine/data/entity_file.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

std::string error_of(const std::string& text, double* work = nullptr) {
    World world;
    EntityFileContext context;
    context.work = work;
    const Result<LoadedEntities> loaded = load_entities(world, text, "x.json", context);
    if (!loaded) CHECK(world.entity_count() == 0);
    return loaded ? "" : loaded.error().message;
}

std::string listed(int count, const std::string& each) {
    std::string text = each;
    for (int i = 1; i < count; ++i) text += "," + each;
    return text;
}

TEST_CASE("errors beyond the reported ones are only counted") {
    const std::string error = error_of("{\"entities\":[" + listed(300'000, "1") + "]}");
    // 300,000 values that are not objects, and one error because there are too many.
    CHECK_THAT(error, Contains("x.json:1: entities[49]: expected an object, got 1"));
    CHECK(error.ends_with("x.json: and 299951 more"));
    CHECK(error.size() < 5000);
    const std::string too_many = error_of("{\"entities\":[" + listed(200'001, "{}") + "]}");
    CHECK_THAT(too_many, Contains("entities[200000]: there are more than 200000 prefabs and entities"));
    const std::string unknown = error_of("{\"entities\":[" + listed(2000, R"({"prefab":"None"})") + "]}");
    CHECK(unknown.ends_with("x.json: and 1950 more"));
    CHECK(error_of("{\"prefabs\":[" + listed(70, R"({"name":"a","base":"b"})") + "]}").find("more") !=
          std::string::npos);
    CHECK(error_of("{\"" + std::string(1'000'000, 'k') + "\":1}").size() < 1000);
}

TEST_CASE("names, references and parents of a data file are found in constant time") {
    const auto seconds = [](int count) {
        std::string text = R"({"entities":[{"name":"r","children":[)";
        for (int i = 0; i < count; ++i)
            text += (i > 0 ? ",{\"name\":\"c" : "{\"name\":\"c") + std::to_string(i) + "\"}";
        text += "]}";
        for (int i = 0; i < count; ++i) text += ",{\"parent\":\"r/c" + std::to_string(i) + "\"}";
        const auto begin = std::chrono::steady_clock::now();
        CHECK(error_of(text + "]}") == "");
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    CHECK(seconds(40'000) < 50 * (seconds(4'000) + 0.01));
}

TEST_CASE("prefabs of a file that copy a large one have a common limit") {
    std::string text = R"({"prefabs":[{"name":"big","children":[)" + listed(4000, "{}") + "]}";
    for (int i = 0; i < 1000; ++i) text += ",{\"name\":\"p" + std::to_string(i) + R"(","base":"big"})";
    CHECK_THAT(error_of(text + "]}"), Contains("prefab 'p") && Contains("parts"));
}

TEST_CASE("short descriptions of large values are limited by the bytes of the values") {
    World world;
    Schema schema;
    schema.name = "Grid";
    for (int i = 0; i < 30; ++i) {
        Field cells;
        cells.name = "cells" + std::to_string(i);
        cells.type = FieldType::u8;
        cells.array_length = 250;
        schema.fields.push_back(cells);
    }
    const Result<ComponentId> declared = world.declare(schema);
    INFO((declared ? std::string() : declared.error().message));
    REQUIRE(declared);
    const std::string each = R"({"components":{"Grid":{"cells0":[1]}}})";
    const Result<LoadedEntities> loaded =
        load_entities(world, "{\"entities\":[" + listed(18'500, each) + "]}", "x.json");
    REQUIRE_FALSE(loaded);
    CHECK_THAT(loaded.error().message, Contains("entities[17895].components.Grid") &&
                                           Contains("there are more than 134217728 bytes of values"));
    CHECK(world.entity_count() == 0);
}

TEST_CASE("loading costs work for bytes, values and entities, and stops when none is left") {
    const std::string text = "{\"entities\":[" + listed(1000, "{}") + "]}";
    double work = 1e6;
    CHECK(error_of(text, &work) == "");
    CHECK(work < 1e6 - 250'000);
    const double used = 1e6 - work;
    double again = 1e6;
    CHECK(error_of(text, &again) == "");
    CHECK(again == work);
    double little = 1000;
    CHECK_THAT(error_of(text, &little), Contains("x.json: loading takes ") && Contains("and 1000 are left"));
    CHECK(little < 1000);
    double nearly = used - 1000;
    CHECK_THAT(error_of(text, &nearly), Contains("the steps of work that are left are enough for 99"));
}

}  // namespace
}  // namespace perigee
