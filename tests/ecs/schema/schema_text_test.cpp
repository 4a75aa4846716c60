// The schema hash changes exactly with the meaning of a row; layouts print as tables.
#include "ecs/schema/schema.h"

#include <catch2/catch.hpp>

#include <functional>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

Schema ship() {
    Schema schema;
    schema.name = "Ship";
    schema.fields.resize(2);
    schema.fields[0].name = "speed";
    schema.fields[1].name = "mode";
    schema.fields[1].type = FieldType::enumeration;
    schema.fields[1].labels = {"idle", "fly"};
    return schema;
}

std::uint64_t hash_after(const std::function<void(Schema&)>& change) {
    Schema schema = ship();
    change(schema);
    REQUIRE(layout_schema(schema).empty());
    return schema_hash(schema);
}

TEST_CASE("the schema hash depends on names, types, labels and defaults, not on units, docs and ranges") {
    const std::uint64_t plain = hash_after([](Schema&) {});
    CHECK(plain == hash_after([](Schema& schema) {
              schema.fields[0].doc = "how fast";
              schema.fields[0].unit = "px/s";
              schema.fields[0].maximum = 5;
              schema.doc = "a ship";
              schema.declared_at = "here:1";
          }));
    CHECK(plain != hash_after([](Schema& schema) { schema.name = "Boat"; }));
    CHECK(plain != hash_after([](Schema& schema) { schema.fields[0].name = "pace"; }));
    CHECK(plain != hash_after([](Schema& schema) { schema.fields[0].type = FieldType::i32; }));
    CHECK(plain != hash_after([](Schema& schema) { schema.fields[0].default_value = {1.0}; }));
    CHECK(plain != hash_after([](Schema& schema) { schema.fields[1].labels[1] = "glide"; }));
    CHECK(plain != hash_after([](Schema& schema) { std::swap(schema.fields[0], schema.fields[1]); }));
    CHECK(plain != hash_after([](Schema& schema) { schema.kind = ComponentKind::resource; }));
}

TEST_CASE("declarations whose concatenated names are equal have different hashes") {
    const auto with_labels = [](std::vector<std::string> labels) {
        return hash_after([&](Schema& schema) { schema.fields[1].labels = std::move(labels); });
    };
    CHECK(with_labels({"a|b", "c"}) != with_labels({"a", "b|c"}));
    CHECK(with_labels({"a|b"}) != with_labels({"a", "b"}));
    CHECK(with_labels({"1:a;1:b"}) != with_labels({"1:a", "1:b"}));
    const auto nested_as = [](std::size_t inner_count) {
        return hash_after([&](Schema& schema) {
            Field part;
            part.type = FieldType::u8;
            Field box;
            box.name = "box";
            box.type = FieldType::structure;
            std::vector<Field> outside;
            for (std::size_t i = 0; i < 3; ++i) {
                part.name = std::string(1, static_cast<char>('p' + i));
                (i < inner_count ? box.nested : outside).push_back(part);
            }
            schema.fields = {box};
            schema.fields.insert(schema.fields.end(), outside.begin(), outside.end());
        });
    };
    CHECK(nested_as(1) != nested_as(2));
    CHECK(nested_as(2) != nested_as(3));
}

TEST_CASE("the hash of a known schema is the same on every machine") {
    CHECK(hash_after([](Schema&) {}) == 0xb30db03c7cbd11deull);
}

TEST_CASE("a layout prints one line per field") {
    Schema schema = ship();
    schema.fields[0].default_value = {2.5};
    REQUIRE(layout_schema(schema).empty());
    CHECK(describe_layout(schema) ==
          "    speed            f32          offset    0, 4 bytes, default 2.5\n"
          "    mode             enum         offset    4, 1 byte, labels idle, fly\n"
          "    component, 8 bytes, aligned to 4\n");
}

TEST_CASE("a layout table shortens long lists of labels and long defaults") {
    Schema schema = ship();
    for (int i = 0; i < 298; ++i) schema.fields[1].labels.push_back("l" + std::to_string(i));
    schema.fields[0].array_length = 100;
    FieldValueList ones(100, FieldValue{1.25});
    schema.fields[0].default_value = {ones};
    REQUIRE(layout_schema(schema).empty());
    const std::string text = describe_layout(schema);
    CHECK_THAT(text, Contains("l29 and 268 more\n") && Contains("default {1.25, ") && Contains("...\n"));
    CHECK(text.size() < 600);
}

}  // namespace
}  // namespace perigee
