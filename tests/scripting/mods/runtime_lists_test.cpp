// Lists of declarations in which an entry is nil.
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

namespace perigee {
namespace {

std::string world_schema() {
    return DirectorySource(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts")
        .read("world_schema.lua")
        .value();
}

TEST_CASE("a nil before other entries in a list of a declaration is an error [N14]") {
    for (const std::string declared :
         {"ecs.system('s', { query = { read = { nil, C.Position } }, run = function() end })",
          "ecs.system('s', { query = { write = { nil, C.Position } }, run = function() end })",
          "ecs.system('s', { query = { read = { C.Position }, without = { nil, C.Frozen } }, run = "
          "function() end })",
          "ecs.system('s', { access = { read = { nil, C.Wave } }, run = function() end })",
          "ecs.system('s', { after = { nil, 'x' }, run = function() end })",
          "ecs.query { any = { nil, C.Position } }", "ecs.query { changed = { C.Position, nil, C.Health } }",
          "ecs.query { shared = { nil, C.Team { id = 1 } } }", "ecs.query { order_by = { nil, 'x' } }",
          "ecs.prefab('P', { C.Health, nil, C.Position })",
          "ecs.prefab('P', { C.Health, without = { nil, C.Position } })",
          "ecs.prefab('P', { C.Health, references = { nil, { C.Look, 'target', '..' } } })",
          "ecs.world:change(ecs.world:spawn(), { nil, C.Position })",
          "ecs.world:change(ecs.world:spawn(), {}, { nil, C.Position })",
          "local v = C.Path { nil, { x = 1 } }", "ecs.build_blob(C.Curve, { nil, { t = 1 } })",
          "ecs.component('New', { nil, { 'x', 'f32' } })",
          "ecs.component('New', { requires = { nil, 'Position' }, { 'x', 'f32' } })",
          "ecs.component('New', { { 'mood', ecs.enum { nil, 'a' } } })"}) {
        ScriptWorld game;
        INFO(declared);
        const std::string said =
            game.load(world_schema(), "local ecs = require 'ecs' local C = ecs.components\n" + declared);
        CHECK_THAT(said, Catch::Contains("main.lua:2: ") && Catch::Contains(" is nil, and more follow"));
    }
}

}  // namespace
}  // namespace perigee
