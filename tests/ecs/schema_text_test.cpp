// The schema hash changes exactly with what a row means; layouts print as tables.
#include "ecs/schema.h"

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

TEST_CASE("the schema hash follows names, types, labels and defaults, not units, docs and ranges") {
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

TEST_CASE("a layout prints one line per field") {
    Schema schema = ship();
    REQUIRE(layout_schema(schema).empty());
    const std::string text = describe_layout(schema);
    CHECK_THAT(text, Contains("speed") && Contains("f32") && Contains("offset    4, 1 bytes") &&
                         Contains("8 bytes, aligned to 4"));
}

}  // namespace
}  // namespace perigee
