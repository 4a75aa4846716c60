// Messages are part of a run, since a script can catch them: the same mistakes give the same text in each
// state, though each has another seed of its hashes and tables that came about in another way.
#include "tests/scripting/script_world.h"

namespace perigee {
namespace {

std::string world_schema() {
    return DirectorySource(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts")
        .read("world_schema.lua")
        .value();
}

using Catch::Contains;

constexpr int kRounds = 12;

// Behind `local round = <number>`. mixed(keys, value, t) puts the keys into t in an order of the round, into
// a table that had some other keys before. What try(name, f, …) has caught is reported at the end.
const std::string kHead = R"(
local ecs = require 'ecs'
local C = ecs.components
local seed = round * 7919 + 1
local function draw(n)
  seed = seed * 48271 % 2147483647
  return seed % n + 1
end
local function mixed(keys, value, t)
  local left, gone = {}, draw(30)
  t = t or {}
  for i = 1, #keys do left[i] = keys[i] end
  for i = 1, gone do t['gone' .. i] = 1 end
  while #left > 0 do
    local key = table.remove(left, draw(#left))
    if value == nil then t[key] = 1 else t[key] = value end
  end
  for i = 1, gone do t['gone' .. i] = nil end
  return t
end
local names = { 'hot', 'red', 'dry', 'old', 'nope', 'x1', 'y1', 'beta', 'alpha', 'gamma', 'ten', ('long'):rep(20) }
local numbers = { 2.5, -1, 900, 1e9, -0.5, 3e300, 77 }
local others = { {}, {}, print, pairs, coroutine.create(print), function() end, { 1 } }
local all = {}
for _, list in ipairs { names, numbers, others } do
  for _, key in ipairs(list) do all[#all + 1] = key end
end
local sets = { names = names, numbers = numbers, others = others, all = all }
local results = {}
local function try(name, f, ...)
  local ok, message = pcall(f, ...)
  results[#results + 1] = name .. ': ' .. (ok and 'no mistake' or tostring(message))
end
local function with_each(name, f)
  for which, keys in pairs(sets) do try(name .. ', ' .. which, f, keys) end
end
)";

// What each of many fresh worlds says of the program, which must be the same.
template <typename Say> std::string in_all_rounds(Say say) {
    std::string first;
    for (int round = 1; round <= kRounds; ++round) {
        const std::string text = say("local round = " + std::to_string(round) + kHead);
        CHECK_THAT(text, !Contains("0x"));
        if (round == 1) first = text;
        if (text != first) {
            FAIL_CHECK("round " << round << ":\n" << text << "\nand in the first:\n" << first);
            break;
        }
    }
    return first;
}

std::string log_of(const ScriptWorld& game) {
    std::string text;
    for (const std::string& line : game.log) text += line + "\n";
    return text;
}

TEST_CASE("a message names the same of several wrong keys in each run") {
    const std::string text = in_all_rounds([](const std::string& head) {
        ScriptWorld game;
        REQUIRE(game.load("", head + R"(
            ecs.component('Pos', { { 'x', 'f32' }, { 'f', ecs.flags { 'wet', 'warm' } }, { 'v', 'vec3' } })
            ecs.component('Path', { kind = 'buffer', { 'x', 'f32' } })
            ecs.component('Shield', { kind = 'enableable', { 'x', 'f32' } })
            ecs.blob('Curve', { { 't', 'f32' } })
            ecs.event('Hit', { { 'x', 'f32' } })
            local base = ecs.prefab('Base', { C.Pos })
            local e = ecs.world:spawn(C.Pos)
            with_each('unknown_keys', function(keys) ecs.query(mixed(keys)) end)
            with_each('system', function(keys) ecs.system('s', mixed(keys, nil, { run = function() end })) end)
            with_each('group', function(keys) ecs.group('s', mixed(keys)) end)
            with_each('value', function(keys) return C.Pos(mixed(keys)) end)
            with_each('part', function(keys) return C.Pos { v = mixed(keys) } end)
            with_each('switched', function(keys) return C.Shield(mixed(keys, nil, { enabled = true })) end)
            with_each('flags', function(keys) return C.Pos { f = mixed(keys, true) } end)
            with_each('labels', function(keys) return C.Pos { f = mixed(keys, 'hot', { wet = 5, warm = 6 }) } end)
            with_each('states', function(keys) return C.Pos { f = { wet = 5, warm = {} } } end)
            with_each('buffer', function(keys) return C.Path(mixed(keys, nil, { {} })) end)
            with_each('blob', function(keys) return ecs.build_blob(C.Curve, mixed(keys, nil, { {} })) end)
            with_each('prefab', function(keys) ecs.prefab('P', mixed(keys, nil, { C.Pos })) end)
            with_each('fields', function(keys) ecs.prefab('P', { base = base, mixed(keys, nil, { C.Pos }) }) end)
            with_each('given', function(keys) ecs.prefab('P', { base = base, mixed(keys, {}, { C.Pos }) }) end)
            with_each('pairs', function(keys) for _ in pairs(mixed(keys)) do end end)
            with_each('next', function(keys) return next(mixed(keys)) end)
            ecs.system('change', { access = { write = { C.Hit } }, run = function(_, ctx)
              with_each('change', function(keys) ctx.commands:change(e, mixed(keys, nil, { C.Pos })) end)
              with_each('event', function(keys) ctx:send(C.Hit, mixed(keys)) end)
              for i = 1, #results do print(results[i]) end
            end }))") == "");
        CHECK(game.step() == "");
        return log_of(game);
    });
    INFO(text);
    CHECK_THAT(text, Contains("unknown_keys, all: game/main.lua:") && Contains("query: unknown key 'alpha'"));
    CHECK_THAT(text, Contains("component 'Pos': unknown field 77"));
    CHECK_THAT(text, Contains("component 'Pos': unknown field 'alpha'"));
    CHECK_THAT(text, Contains("component 'Pos': unknown field function"));
    CHECK_THAT(text, Contains("expected a list without keys, found key 'alpha'"));
    CHECK_THAT(text, Contains("several keys of types such as 'function' have no repeatable order"));
}

TEST_CASE("errors in declarations are reported in a fixed order") {
    const std::string text = in_all_rounds([](const std::string& head) {
        ScriptWorld game;
        return game.load(head + R"(
            ecs.component('A', mixed(all, nil, { { 'x', 'f32' } }))
            ecs.component('B', { mixed(all, nil, { 'x', 'f32', 5 }) })
            ecs.component('C', { { 'v', 'vec3', mixed(names) }, { 'f', ecs.flags { 'wet' }, mixed(names, true) } })
            ecs.component('D', { { 'x', 'f32' }, requires = mixed(all) })
            ecs.component('E', { { 'x', 'f32' }, version = 3, migrate = mixed(all) })
            ecs.component('F', { { 'x', 'f32' }, version = 9, migrate = mixed({ 8, 7, 5, 3, 2, 1 }) })
        )",
                         "");
    });
    INFO(text);
    CHECK_THAT(text, Contains("field 'x': unknown key 'alpha'") && Contains("found key 77"));
    CHECK(text.find("'migrate' from 1") < text.find("'migrate' from 8"));
}

TEST_CASE("errors about the table 'state' are the same in each run") {
    for (const char* const keys : {"others", "all"}) {
        const std::string text = in_all_rounds([&](const std::string& head) {
            ScriptWorld game;
            REQUIRE(game.load("", head + "state = mixed(" + keys + ") function update() end") == "");
            CHECK(game.schedule.run_group(kTransforms, game.time).ok());
            return ScriptWorld::text_of(
                {game.runtime->recent_errors().begin(), game.runtime->recent_errors().end()});
        });
        CHECK_THAT(text, Contains("is a table with a function as a key"));
    }
}

TEST_CASE(
    "values that cannot be passed to another mod are reported in a fixed order, and others arrive in one") {
    const std::string text = in_all_rounds([](const std::string& head) {
        ScriptWorld game;
        REQUIRE(game.load_all({{"game",
                                "require('ecs').service('keys', function(t) local s = '' "
                                "for k in pairs(t) do s = s .. tostring(k) .. ' ' end return s end)"},
                               {"caller", head + R"(
            local keys = ecs.import('game').services.keys
            function go()
              with_each('keys', function(list) return keys(mixed(list)) end)
              local wrong = mixed { 'd', 'c', 'e' }
              wrong.a, wrong.b, wrong.c, wrong.d = setmetatable({}, {}), print, coroutine.create(print), wrong
              try('values', keys, wrong)
              wrong = mixed(names, nil, { [true] = 1, [false] = 2, [5] = 3 })
              results[#results + 1] = #keys(wrong)
              for i = 1, #results do print(results[i]) end
            end)"}}) == "");
        CHECK(ScriptWorld::text_of(game.runtime->run("caller", "go()")) == "");
        return log_of(game);
    });
    INFO(text);
    CHECK_THAT(text, Contains("keys, names: no mistake"));
    CHECK_THAT(text,
               Contains("keys, all: ") && Contains("a table with a key of type function cannot be passed"));
    CHECK_THAT(text, Contains("values: ") && Contains("a table with a metatable cannot be passed"));
}

TEST_CASE("the same of several equally near names is suggested in each run") {
    const std::string text = in_all_rounds([](const std::string& head) {
        ScriptWorld game;
        REQUIRE(game.load("", "thing2, thing3, thing4, thing5, thing6 = 2, 3, 4, 5, 6 " + head) == "");
        return game.run("thing()") + game.run("thing1()") + game.run("require('ecs').world:xet()") +
               game.run("require('ecs').query { xite = {}, xead = {} }") +
               game.run("require('ecs').ox('a', {})");
    });
    INFO(text);
    CHECK_THAT(text, Contains("did you mean 'thing2'?"));
    CHECK_THAT(text, Contains("unknown key 'xead'; did you mean 'read'?"));
}

TEST_CASE("messages contain no type numbers, which depend on earlier types") {
    ScriptWorld game;
    REQUIRE(game.load("require('ecs').component('Spot', { { 'x', 'f32' } })", R"(
        local ecs = require 'ecs'
        local C = ecs.components
        local function check(f)
          local ok, message = pcall(f)
          assert(not ok and message:find "'value'" and not message:find "struct", message)
          ok, message = coroutine.resume(coroutine.create(f))
          assert(not ok and message:find "'value'" and not message:find "struct", message)
          ok, message = xpcall(f, function(text) return text end)
          assert(not ok and message:find "'value'" and not message:find "struct", message)
        end
        check(function() return C.Spot + 1 end)
        check(function() return C.Spot .. 'x' end)
        check(function() return C.Spot < 1 end)
        check(function() return -C.Spot { x = 1 } end)
        check(function() return C.Spot { x = 1 } () end)
        ecs.world:spawn(C.Spot)
        ecs.system('s', { query = { write = { C.Spot } }, run = function(chunk, ctx)
          check(function() return chunk.Spot.x + 1 end)
          check(function() return chunk + 1 end)
          check(function() return ctx + 1 end)
        end }))") == "");
    CHECK(game.step() == "");
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
