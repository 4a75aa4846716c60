// The messages for common errors.
#include "scripting/base/script_error.h"

#include "scripting/base/error_codes.h"
#include "tests/scripting/script_world.h"
#include "tests/support/annotated_api.h"

#include <map>

using Catch::Contains;

namespace perigee {
namespace {

const std::string kSchema =
    "local ecs = require 'ecs' ecs.component('Position', { { 'x', 'f32' } }) "
    "ecs.component('Path', { kind = 'buffer', { 'x', 'f32' } }) "
    "ecs.component('Brain', { kind = 'object' }) ecs.event('Hit') "
    "ecs.resource('Wave', { { 'left', 'u8' } })";

TEST_CASE("a nil name is reported with advice for its author") {
    for (const messages::Advice& known : messages::kAdvice) {
        if (known.message.find("(a nil value)") == known.message.npos) continue;
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

TEST_CASE("the name of a nil global is read from LuaJIT's message") {
    CHECK(nil_global_in("attempt to call global 'pritn' (a nil value)") == "pritn");
    CHECK(nil_global_in("attempt to call local 'pritn' (a nil value)").empty());
    CHECK(nil_global_in("global 'pritn' (a nil value) and more").empty());
    CHECK(nil_global_in("").empty());
}

TEST_CASE("calling a method of ctx or ctx.commands with a dot is reported with its name") {
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

std::string joined(const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names) text += std::string(name) + " ";
    return text;
}

std::string functions_of(const ApiTable& api, std::string_view name) {
    const ApiClass* const found = api.find(name);
    REQUIRE(found != nullptr);
    std::vector<std::string_view> names;
    for (const ApiFunction& function : found->functions) names.push_back(function.name);
    REQUIRE(!names.empty());
    return joined(names);
}

TEST_CASE("an error of any call names the line of the script, wherever it is raised [N6]") {
    const ApiTable api = annotated_api();
    for (std::uint64_t seed = 1; seed <= 1; ++seed) {
        ScriptWorld game({}, seed);
        ModConfig config;
        DirectorySource files(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts");
        config.files = &files;
        config.schema_file = "world_schema.lua";
        config.main_file = "error_places.lua";
        config.limits.fuel_per_load = config.limits.fuel_per_run = 1e16;
        config.limits.seconds_per_load = config.limits.seconds_per_run = 300;
        for (const auto& [word, name] : std::map<std::string, std::string>{{"ecs", "perigee.ecs"},
                                                                           {"world", "perigee.World"},
                                                                           {"context", "perigee.Context"},
                                                                           {"commands", "perigee.Commands"},
                                                                           {"random", "perigee.Random"},
                                                                           {"buffer", "perigee.Buffer"}})
            config.settings.emplace_back(word, functions_of(api, name));
        INFO("seed " << seed);
        REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
        REQUIRE(game.step() == "");
        CHECK(game.run("local calls, refused = require('every_call').count() "
                       "assert(steps > 0 and refused > 10000 and refused < calls, refused)") == "");
    }
}

// Calls that raise an error, each in the way that most easily loses the script's line.
const std::vector<std::string> kFailing{
    "for _ in pairs(nil) do end",
    "return pairs(nil)",
    "error('x', 2)",
    "error('x', 3)",
    "table.sort({ 1, 2, 3 }, function(a) return a.b < 1 end)",
    "table.sort({ 1, 2 }, 5)",
    "return table.sort({ {}, {} })",
    "return math.deg({})",
    "return ('x'):rep({})",
    "local _ = ('x'):gsub('x', function() return pairs(nil) end)",
    "coroutine.wrap(function() return pairs(nil) end)()",
    "return coroutine.wrap(pairs)(nil)",
    "return C.Position { z = 1 }",
    "return C.Nope",
    "return ecs.nope",
    "local _ = nope.x",
    "nope()",
    "return require('nope')",
    "return load(5)",
    "setmetatable({}, { __index = function(_, k) return k.x.y end })[1]()",
    "return tostring(setmetatable({}, { __tostring = function() return 1 end }))",
};

// Functions of a mod that the runtime calls: %s is what they do.
const std::vector<std::string> kCalled{
    "ecs.system('s', { run = function(_, ctx) %s end })",
    "ecs.system('s', { query = { read = { C.Position } }, run = function(chunk, ctx) %s end })",
    "ecs.system('s', { run = function() end, run_if = function(ctx) %s end })",
    "ecs.system('s', { run = function() end, on_start = function(ctx) %s end })",
    "ecs.system('s', { group = 'presentation', run = function(_, ctx) %s end })",
    "ecs.on(C.Hit, {}, function(events, ctx) %s end) "
    "ecs.system('s', { access = { write = { C.Hit } }, run = function(_, ctx) ctx:send(C.Hit) end })",
    "ecs.on_added(C.Position, {}, function(batch, ctx) %s end) "
    "ecs.system('s', { run = function(_, ctx) ctx.commands:spawn(C.Position) end })",
    "local P = ecs.prefab('P', { C.Position }) ecs.system('s', { run = function(_, ctx) "
    "ctx.commands:spawn_many(P, 2, function(chunk) %s end) end })",
    "function update(dt, ctx) %s end",
    "local function called() %s end ecs.system('s', { run = function(_, ctx) called() end })",
    "local function called() %s end ecs.system('s', { run = function() coroutine.wrap(called)() end })",
};

TEST_CASE("an error that nothing catches is reported at a line of the script [N6]") {
    for (const std::string& called : kCalled) {
        for (const std::string& failing : kFailing) {
            std::string code = called;
            code.replace(code.find("%s"), 2, failing);
            ScriptWorld game;
            INFO(code);
            REQUIRE(game.load(kSchema,
                              "local ecs = require 'ecs' local C = ecs.components\n"
                              "ecs.world:spawn(C.Position)\n" +
                                  code) == "");
            const std::string said = game.step();
            CHECK_THAT(said, Catch::StartsWith("game/main.lua:3: "));
            CHECK_THAT(said, !Contains("perigee/"));
            CHECK_THAT(said, !Contains("builtin"));
        }
    }
}

TEST_CASE("an error of a replaced or wrapped system is reported at the mod's line [N6]") {
    for (const std::string changed : {"ecs.replace_system('game:s', { run = function(_, ctx) %s end })",
                                      "ecs.replace_system('game:s', { query = { read = { C.Position } }, "
                                      "run = function(chunk, ctx) %s end })",
                                      "ecs.wrap_system('game:s', { before = function(ctx) %s end })",
                                      "ecs.wrap_system('game:s', { after = function(ctx) %s end })"}) {
        for (const std::string& failing : kFailing) {
            std::string code = changed;
            code.replace(code.find("%s"), 2, failing);
            ScriptWorld game;
            INFO(code);
            REQUIRE(game.load_all(
                        {{"game", "local ecs = require 'ecs' ecs.system('s', { run = function() end })"},
                         {"mod",
                          "local ecs = require 'ecs' local C = ecs.components\n"
                          "ecs.world:spawn(C.Position)\n" +
                              code}},
                        kSchema) == "");
            const std::string said = game.step();
            CHECK_THAT(said, Catch::StartsWith("mod/main.lua:3: "));
            CHECK_THAT(said, !Contains("perigee/"));
            CHECK_THAT(said, !Contains("builtin"));
        }
    }
}

TEST_CASE("calling an undefined global is reported with the nearest name") {
    ScriptWorld game;
    CHECK_THAT(game.load("", "pritn('x')"),
               Contains("main.lua:1: attempt to call global 'pritn' (a nil value); did you mean 'print'?"));
    CHECK_THAT(ScriptWorld().load("", "function speed() end\nlocal x = sped()"),
               Contains("main.lua:2: attempt to call global 'sped' (a nil value); did you mean 'speed'?"));
    CHECK_THAT(ScriptWorld().load("", "nothing_like_it()"), !Contains("did you mean"));
}

TEST_CASE("a loop over a value that is not a table is reported with how to read rows") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema,
                      "local ecs = require 'ecs' local C = ecs.components ecs.world:spawn(C.Position) "
                      "ecs.system('s', { query = { read = { C.Position } }, run = function(chunk) "
                      "for i in ipairs(chunk.Position) do end end })") == "");
    CHECK_THAT(game.step(), Contains("for i = 1, chunk.count do"));
}

TEST_CASE("each error in a declaration is reported with the line of the script [N6]") {
    ScriptWorld game;
    game.limits.fuel_per_load = 1e12;
    DirectorySource files(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts");
    ModConfig config;
    config.files = &files;
    config.main_file = "error_places_schema.lua";
    const std::vector<ScriptError> errors = game.runtime->load(std::move(config));
    REQUIRE(errors.size() > 100);
    for (std::size_t i = 0; i + 1 < errors.size(); ++i) {  // the last one counts those that are left out
        INFO(errors[i].text());
        CHECK(errors[i].file == "every_call.lua");
        CHECK(errors[i].line > 0);
    }
}

}  // namespace
}  // namespace perigee
