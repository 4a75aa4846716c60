// Annotations agree with the schemas, whatever the names.
#include "engine/tools/lua_stubs.h"

#include "ecs/prefab/make_prefab.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/support/blob_trees.h"

#include <catch2/catch.hpp>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

Field field(std::string name, FieldType type) {
    Field made;
    made.name = std::move(name);
    made.type = type;
    return made;
}

ComponentId declare(World& world, std::string name, ComponentKind kind, std::vector<Field> fields) {
    Schema schema;
    schema.name = std::move(name);
    schema.kind = kind;
    schema.fields = std::move(fields);
    return world.declare(std::move(schema)).value();
}

}  // namespace

TEST_CASE("a component has a handle, optional fields, and columns") {
    World world;
    Field current = field("current", FieldType::f32);
    current.unit = "hp";
    current.minimum = 0;
    current.maximum = 100;
    current.doc = "what is\nleft";
    declare(world, "Health", ComponentKind::component, {current, field("is_boss", FieldType::boolean)});
    const std::string stubs = lua_stubs(world);
    CHECK_THAT(stubs, Contains("---@class C.Health.Fields component\n"
                               "---@field current? number hp, 0 to 100: what is left\n"
                               "---@field is_boss? boolean\n"));
    CHECK_THAT(stubs,
               Contains("---@class C.Health.Columns\n---@field current number[] hp, 0 to 100: what is left\n"
                        "---@field is_boss boolean[]\n"));
    CHECK_THAT(stubs, Contains("---@class C.Health: perigee.Component\n"
                               "---@overload fun(fields?: C.Health.Fields): perigee.Value\n"));
    CHECK_THAT(stubs, Contains("---@class perigee.Components\n---@field Health C.Health\n"));
    CHECK_THAT(stubs, Contains("---@class perigee.Chunk\n---@field Health C.Health.Columns\n"));
}

TEST_CASE("every field type has an annotation") {
    World world;
    Field mood = field("mood", FieldType::enumeration);
    mood.labels = {"calm", "\"angry\""};
    Field moods = mood;
    moods.name = "moods";
    moods.array_length = 2;
    Field body = field("body", FieldType::structure);
    body.nested = {field("x", FieldType::f64), field("a b", FieldType::text)};
    Field name = field("name", FieldType::string);
    name.string_capacity = 8;
    declare(
        world, "All", ComponentKind::component,
        {mood, moods, body, name, field("at", FieldType::vec3), field("tint", FieldType::color),
         field("turn", FieldType::quat), field("place", FieldType::mat4), field("target", FieldType::entity),
         field("icon", FieldType::asset), field("count", FieldType::u64), field("5th", FieldType::i8)});
    const std::string stubs = lua_stubs(world);
    CHECK_THAT(stubs, Contains(R"(---@field mood? "calm"|"\"angry\"")"));
    CHECK_THAT(stubs, Contains(R"(---@field moods? ("calm"|"\"angry\"")[])"));
    CHECK_THAT(stubs, Contains(R"(---@field body? { x: number, ["a b"]: string })"));
    CHECK_THAT(stubs, Contains("---@field name? string\n"));
    CHECK_THAT(stubs, Contains("---@field at? { x: number, y: number, z: number }\n"));
    CHECK_THAT(stubs, Contains("---@field turn? { x: number, y: number, z: number, w: number }\n"));
    CHECK_THAT(stubs, Contains("---@field place? { xx: number, xy: number,") && Contains(", ww: number }\n"));
    CHECK_THAT(stubs, Contains("---@field tint? perigee.Color\n"));
    CHECK_THAT(stubs, Contains("---@field target? perigee.Entity?\n"));
    CHECK_THAT(stubs, Contains("---@field icon string?[]") || Contains("---@field icon (string?)[]"));
    CHECK_THAT(stubs, Contains("---@field count? integer\n"));
    CHECK_THAT(stubs, Contains(R"(---@field ["5th"] (integer)?)"));
}

TEST_CASE("a list of a blob is annotated as a blob, and the type of its elements is not") {
    World world;
    declare_tree(world);
    const std::string stubs = lua_stubs(world);
    CHECK_THAT(stubs, Contains("---@field children? perigee.Blob\n---@field best? perigee.Blob?\n"));
    CHECK_THAT(stubs, Contains("---@field Tree C.Tree\n"));
    CHECK_THAT(stubs, !Contains("Tree.children") && !Contains("Tree.spans"));
}

TEST_CASE("declarations of other mods, events, resources and prefabs are annotated too") {
    World world;
    declare(world, "storms:Wind", ComponentKind::component, {field("x", FieldType::f32)});
    declare(world, "Damage", ComponentKind::event, {field("amount", FieldType::f32)});
    declare(world, "Score", ComponentKind::resource, {field("points", FieldType::u32)});
    Prefab prefab;
    prefab.name = "big boss";
    add_prefab(world, std::move(prefab)).value();
    const std::string stubs = lua_stubs(world);
    CHECK_THAT(stubs, Contains(R"(---@field ["storms:Wind"] C.storms.Wind)"));
    CHECK_THAT(stubs, Contains("---@class C.Damage.Fields event\n"));
    CHECK_THAT(stubs, Contains("---@class C.Score.Fields resource\n"));
    CHECK_THAT(stubs, !Contains("C.Score.Columns"));
    CHECK_THAT(stubs, !Contains("---@field Damage C.Damage.Columns"));
    CHECK_THAT(stubs, Contains(R"(---@field ["big boss"] perigee.Prefab)"));
}

TEST_CASE("the result of ecs.import is annotated for each mod with that mod's names") {
    World world;
    declare(world, "Boat", ComponentKind::component, {field("x", FieldType::f32)});
    declare(world, "storms:Wind", ComponentKind::resource, {field("x", FieldType::f32)});
    declare(world, "storms:Gust", ComponentKind::event, {});
    declare(world, "other:Sail", ComponentKind::tag, {});
    Prefab prefab;
    prefab.name = "storms:Cloud";
    add_prefab(world, std::move(prefab)).value();
    const std::string mods[] = {"harbour", "storms", "my-mod"};
    const std::string stubs = lua_stubs(world, mods);
    CHECK_THAT(stubs, Contains("---@class perigee.Imported.harbour.Components\n---@field Boat C.Boat\n\n"));
    CHECK_THAT(stubs,
               Contains("---@class perigee.Imported.storms.Components\n\n"
                        "---@class perigee.Imported.storms.Resources\n---@field Wind C.storms.Wind\n\n"
                        "---@class perigee.Imported.storms.Events\n---@field Gust C.storms.Gust\n\n"
                        "---@class perigee.Imported.storms.Prefabs\n---@field Cloud perigee.Prefab\n"));
    CHECK_THAT(stubs, Contains("---@field import fun(mod: \"storms\"): perigee.Imported.storms\n"));
    CHECK_THAT(stubs, Contains("---@field import fun(mod: \"my-mod\"): perigee.Imported.my.mod\n"));
    CHECK_THAT(lua_stubs(world), !Contains("Imported"));
}
