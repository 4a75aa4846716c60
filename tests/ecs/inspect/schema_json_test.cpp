// The exported text is complete, escaped and stable.
#include "ecs/inspect/schema_json.h"

#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "tests/support/blob_trees.h"

#include <catch2/catch.hpp>

#include <limits>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

Field make(const std::string& name, FieldType type) {
    Field field;
    field.name = name;
    field.type = type;
    return field;
}

Schema full_schema() {
    Schema schema;
    schema.name = "Ship";
    schema.kind = ComponentKind::buffer;
    schema.version = 3;
    schema.doc = "says \"hello\"\n";
    schema.declared_at = "game/schema.lua:4";
    schema.required = {"Base"};
    schema.owner = "move";
    schema.buffer_capacity = 4;
    Field speed = make("speed", FieldType::f32);
    speed.default_value.data = 1.5;
    speed.minimum = 0;
    speed.maximum = std::numeric_limits<double>::infinity();
    speed.range_policy = RangePolicy::refuse;
    speed.unit = "px/s";
    speed.doc = "größer\x01";
    Field name = make("name", FieldType::string);
    name.string_capacity = 8;
    Field title = make("title", FieldType::text);
    title.default_value.data = std::string("Cap\\tain");
    Field mood = make("mood", FieldType::enumeration);
    mood.labels = {"calm", "angry"};
    Field curve = make("curve", FieldType::blob);
    curve.labels = {"Curve"};
    Field part = make("parts", FieldType::structure);
    part.array_length = 2;
    part.nested = {make("at", FieldType::vec2), make("big", FieldType::u64)};
    schema.fields = {speed, name, title, mood, curve, part};
    return schema;
}

ComponentRegistry& declare_all(ComponentRegistry& registry) {
    Schema base;
    base.name = "Base";
    base.fields = {make("x", FieldType::f32)};
    Schema curve = base;
    curve.name = "Curve";
    curve.kind = ComponentKind::blob;
    for (const Schema& schema : {base, curve, full_schema()}) registry.declare(schema).value();
    return registry;
}

TEST_CASE("the JSON of a schema is complete and in a fixed order") {
    TextPool texts;
    ComponentRegistry with_texts(&texts), plain;
    texts.intern("shifts the handles").value();
    declare_all(with_texts);
    declare_all(plain);
    const ComponentId ship{2};
    const std::string hash =
        schema_json(plain, ship).substr(schema_json(plain, ship).find("\"hash\":") + 8, 16);
    CHECK(hash.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(
        schema_json(plain, ship) ==
        R"({"name":"Ship","kind":"buffer","version":3,"doc":"says \"hello\"\u000a",)"
        R"("declared_at":"game/schema.lua:4","requires":["Base"],"owner":"move","capacity":4,)"
        R"("size":56,"alignment":8,"hash":")" +
            hash +
            R"(","fields":[)"
            R"({"name":"speed","type":"f32","default":1.5,"min":0,"range":"refuse","unit":"px/s",)"
            R"("doc":"größer\u0001","offset":0,"size":4},)"
            R"({"name":"name","type":"string","capacity":8,"default":"","offset":4,"size":8},)"
            R"({"name":"title","type":"text","default":"Cap\\tain","offset":12,"size":4},)"
            R"({"name":"mood","type":"enum","labels":["calm","angry"],"default":"calm","offset":16,"size":1},)"
            R"({"name":"curve","type":"blob","blob":"Curve","default":0,"offset":20,"size":4},)"
            R"({"name":"parts","type":"struct","array_length":2,"fields":[)"
            R"({"name":"at","type":"vec2","offset":0,"size":8},)"
            R"({"name":"big","type":"u64","offset":8,"size":8}],)"
            R"("default":[{"at":{"x":0,"y":0},"big":0},{"at":{"x":0,"y":0},"big":0}],"offset":24,"size":32}]})");
    CHECK(schema_json(with_texts, ship) == schema_json(plain, ship));
    CHECK(schemas_json(plain) == "[" + schema_json(plain, ComponentId{0}) + "," +
                                     schema_json(plain, ComponentId{1}) + "," + schema_json(plain, ship) +
                                     "]");
    CHECK_THAT(schema_json(plain, ComponentId{0}), !Contains("owner") && !Contains("unit"));
}

TEST_CASE("numbers that JSON cannot express are strings") {
    ComponentRegistry registry;
    Schema schema;
    schema.name = "Odd";
    schema.fields = {make("x", FieldType::f64)};
    schema.fields[0].default_value.data = -std::numeric_limits<double>::infinity();
    const ComponentId id = registry.declare(schema).value();
    CHECK_THAT(schema_json(registry, id), Contains(R"("default":"-inf")"));
}

TEST_CASE("[K8] the schema of a blob says whether it is a struct, and which fields are lists") {
    World world;
    const TreeType type = declare_tree(world);
    const std::string tree = schema_json(world.registry(), type.tree);
    CHECK_THAT(tree, Catch::Contains(R"("shape":"root")"));
    CHECK_THAT(tree,
               Catch::Contains(R"({"name":"children","type":"blob","blob":"Tree.children","list":true,)"));
    CHECK_THAT(schema_json(world.registry(), type.children), Catch::Contains(R"("shape":"values")"));
}

}  // namespace
}  // namespace perigee
