// A name has one schema. Declaring the same schema again has no effect; a different one is an error that
// shows both.
#include "ecs/schema/registry.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

Schema schema_of(std::string name, FieldType type = FieldType::f32) {
    Schema schema;
    schema.name = std::move(name);
    schema.declared_at = "game/schema.lua:3";
    schema.fields.resize(1);
    schema.fields[0].name = "x";
    schema.fields[0].type = type;
    return schema;
}

TEST_CASE("[C2] types declared at run time have dense ids that never change") {
    ComponentRegistry registry;
    const ComponentId a = registry.declare(schema_of("A")).value();
    const ComponentInfo* info = &registry.info(a);
    for (int i = 0; i < 300; ++i)
        CHECK(registry.declare(schema_of("T" + std::to_string(i))).value().index == i + 1);
    CHECK(&registry.info(a) == info);
    CHECK(info->leaves.at(0).field == &info->schema.fields.at(0));
    CHECK(registry.size() == 301);
    CHECK(registry.row_bytes(a) == 4);
    CHECK(registry.find("T7")->index == 8);
    CHECK_FALSE(registry.find("T300").has_value());
}

TEST_CASE("declaring the same schema again gives the same id, a different one is refused with both layouts") {
    ComponentRegistry registry;
    const ComponentId id = registry.declare(schema_of("Ship")).value();
    CHECK(registry.declare(schema_of("Ship")).value() == id);
    const Result<ComponentId> other = registry.declare(schema_of("Ship", FieldType::f64));
    REQUIRE_FALSE(other.ok());
    CHECK_THAT(other.error().message, Contains("'Ship' is already declared at game/schema.lua:3") &&
                                          Contains("f32") && Contains("f64"));
    CHECK(registry.size() == 1);
    CHECK(registry.info(id).schema.fields[0].type == FieldType::f32);
}

TEST_CASE("the error for a redefinition shows the difference: a default, a label or the kind") {
    const auto both = [](const auto& change) {
        ComponentRegistry registry;
        Schema schema = schema_of("Ship", FieldType::enumeration);
        schema.fields[0].labels = {"idle", "fly"};
        static_cast<void>(registry.declare(schema).value());
        change(schema);
        const Result<ComponentId> other = registry.declare(schema);
        REQUIRE_FALSE(other.ok());
        const std::string& message = other.error().message;
        const std::size_t declared = message.find("declared:\n"), now = message.find("now:\n");
        REQUIRE((declared != std::string::npos && now != std::string::npos));
        CHECK(message.substr(declared + 10, now - declared - 12) != message.substr(now + 5));
        return message.substr(now);
    };
    CHECK_THAT(both([](Schema& schema) { schema.fields[0].default_value = {std::string("fly")}; }),
               Contains("default \"fly\""));
    CHECK_THAT(both([](Schema& schema) { schema.fields[0].labels[1] = "glide"; }), Contains("idle, glide"));
    CHECK_THAT(both([](Schema& schema) { schema.kind = ComponentKind::resource; }), Contains("resource"));
}

TEST_CASE("a type that was declared during play keeps its layout, and the error names the way to change it") {
    ComponentRegistry registry;
    const auto error = [&](const char* name) {
        Schema schema = schema_of(name, FieldType::i32);
        static_cast<void>(registry.declare(schema).value());
        schema.fields[0].type = FieldType::f64;
        return registry.declare(schema).error().message;
    };
    CHECK_THAT(error("Early"), Contains("with another layout") && !Contains("keeps its layout"));
    const LateDeclarations late(registry);
    CHECK_THAT(error("Late"),
               Contains("keeps its layout. Declare it in schema.lua, where worlds of earlier"));
}

TEST_CASE("the error lists every mistake of a refused schema, one per line") {
    ComponentRegistry registry;
    Schema schema = schema_of("Bad", FieldType::string);
    schema.fields.push_back(schema.fields[0]);
    const Result<ComponentId> result = registry.declare(schema);
    REQUIRE_FALSE(result.ok());
    CHECK(std::count(result.error().message.begin(), result.error().message.end(), '\n') == 2);
    CHECK(registry.size() == 0);
}

TEST_CASE("an unknown name is an error that suggests the nearest") {
    ComponentRegistry registry;
    registry.declare(schema_of("Position")).value();
    registry.declare(schema_of("Velocity")).value();
    CHECK_THAT(registry.require("Postion").error().message,
               Contains("'Postion'") && Contains("did you mean 'Position'?"));
    CHECK_THAT(registry.require("velocity").error().message, Contains("did you mean 'Velocity'?"));
    CHECK_THAT(registry.require("Elephant").error().message, !Contains("did you mean"));
}

TEST_CASE("ids by name are in bytewise order, whatever the order of declaration") {
    ComponentRegistry registry;
    for (const char* name : {"b", "a", "C", "mod:A"}) registry.declare(schema_of(name)).value();
    std::vector<std::string> names;
    for (const ComponentId id : registry.ids_by_name()) names.push_back(registry.info(id).schema.name);
    CHECK(names == std::vector<std::string>{"C", "a", "b", "mod:A"});
}

TEST_CASE("the requirements of a component include indirect ones, sorted and without duplicates") {
    ComponentRegistry registry;
    const auto tag = [&](const char* name, std::vector<std::string> required) {
        Schema schema;
        schema.name = name;
        schema.kind = ComponentKind::tag;
        schema.required = std::move(required);
        return registry.declare(std::move(schema)).value();
    };
    const ComponentId a = tag("A", {});
    const ComponentId b = tag("B", {"A"});
    const ComponentId c = tag("C", {"B", "A"});
    const ComponentId d = tag("D", {"C"});
    CHECK(registry.info(a).required.empty());
    CHECK(registry.info(c).required == std::vector<ComponentId>{a, b});
    CHECK(registry.info(d).required == std::vector<ComponentId>{a, b, c});
}

}  // namespace
}  // namespace perigee
