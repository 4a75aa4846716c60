// What is said of the mistakes that everyone makes once.
#include "scripting/script_error.h"

#include "scripting/error_codes.h"
#include "tests/scripting/script_world.h"

using Catch::Contains;

namespace perigee {
namespace {

const std::string kSchema =
    "local ecs = require 'ecs' ecs.component('Position', { { 'x', 'f32' } }) "
    "ecs.component('Path', { kind = 'buffer', { 'x', 'f32' } }) "
    "ecs.component('Brain', { kind = 'object' }) ecs.event('Hit') "
    "ecs.resource('Wave', { { 'left', 'u8' } })";

TEST_CASE("a name that is nil is told with what its author wants to know") {
    for (const messages::Advice& known : messages::kAdvice) {
        const bool is_local = known.message.starts_with("local");
        const std::string name(
            known.message.substr(is_local ? 7 : 8, known.message.find("' (") - (is_local ? 7 : 8)));
        ScriptWorld game;
        const std::string code = is_local ? "require('ecs').system('s', { run = function(" + name +
                                                ") return " + name + ".count end })"
                                          : "local x = " + name + ".x";
        const std::string loaded = game.load(kSchema, code);
        INFO(known.message);
        CHECK_THAT(is_local ? game.step() : loaded,
                   Contains("attempt to index " + std::string(known.message) + std::string(known.advice)));
    }
}

TEST_CASE("other messages get no advice") {
    CHECK(advice_for("attempt to index global 'foo' (a nil value)").empty());
    CHECK(advice_for("global 'io' (a nil value) and more").empty());
    CHECK(advice_for("").empty());
}

TEST_CASE("a method of ctx or ctx.commands that is called with a dot is told so by its name") {
    const auto call = GENERATE(values<std::pair<const char*, const char*>>(
        {{"commands.spawn(C.Position)", "ctx.commands:spawn"},
         {"commands.destroy(1)", "ctx.commands:destroy"},
         {"commands.add(1, C.Position)", "ctx.commands:add"},
         {"commands.remove(1, C.Position)", "ctx.commands:remove"},
         {"commands.set_parent(1, 2)", "ctx.commands:set_parent"},
         {"commands.set_name(1, 'x')", "ctx.commands:set_name"},
         {"commands.buffer(1, C.Path)", "ctx.commands:buffer"},
         {"commands.set_buffer(1, C.Path)", "ctx.commands:set_buffer"},
         {"commands.set_object(1, C.Brain, 1)", "ctx.commands:set_object"},
         {"try_get(1, C.Position)", "ctx:try_get"},
         {"has(1, C.Position)", "ctx:has"},
         {"is_alive(1)", "ctx:is_alive"},
         {"is_enabled(1, C.Position)", "ctx:is_enabled"},
         {"entity_count()", "ctx:entity_count"},
         {"chunk_count()", "ctx:chunk_count"},
         {"resource(C.Wave)", "ctx:resource"},
         {"events(C.Hit)", "ctx:events"},
         {"send(C.Hit)", "ctx:send"},
         {"send_many(C.Hit, 2)", "ctx:send_many"},
         {"buffer(1, C.Path)", "ctx:buffer"},
         {"object(1, C.Brain)", "ctx:object"},
         {"set_object(1, C.Brain, 2)", "ctx:set_object"}}));
    ScriptWorld game;
    REQUIRE(game.load(kSchema,
                      "local ecs = require 'ecs' local C = ecs.components ecs.system('s', { "
                      "access = { write = { C.Position, C.Wave, C.Hit, C.Path, C.Brain } }, "
                      "run = function(_, ctx) ctx." +
                          std::string(call.first) + " end })") == "");
    CHECK_THAT(game.step(), Contains("call it as a method: " + std::string(call.second) + "(…)"));
}

}  // namespace
}  // namespace perigee
