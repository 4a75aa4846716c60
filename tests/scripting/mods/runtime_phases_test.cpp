// Every function of the API, called wherever code of a mod runs: it works, or is refused with a message, and
// the data that the engine works on does not change meanwhile. The calls are in
// tests/scripts/phases/calls.lua.
#include "ecs/inspect/world_hash.h"
#include "ecs/world/objects.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

#include <memory>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct PhaseWorld : ScriptWorld {
    PhaseWorld() : files(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts") {
        std::vector<ModConfig> configs(2);
        configs[0].files = &files;
        configs[0].schema_file = "phases/schema.lua";
        configs[0].main_file = "phases/main.lua";
        configs[0].uses = {{"other", false}};
        // Its systems may call what the game serves; the other way it hands the game something to call.
        sources.push_back(std::make_unique<MemorySource>(MemorySource::Files{{"main.lua", R"(
            local ecs = require "ecs"
            local game = ecs.import "game"
            ecs.service("hello", function() return 1 end)
            function ask() game.services.asked() end)"}}));
        configs[1].name = "other";
        configs[1].files = sources.back().get();
        REQUIRE(text_of(runtime->load(std::move(configs))) == "");
        REQUIRE(run("kept.service = require('ecs').import('other').services.hello") == "");
    }
    // Runs Lua of the library's side with the mod's environment as its argument.
    void run_trusted(const char* code) {
        ScriptState& state = *runtime->state("game");
        lua_State* const lua = state.lua();
        REQUIRE(luaL_loadstring(lua, code) == 0);
        state.push_environment();
        state.push_runtime("fail");
        REQUIRE(lua_pcall(lua, 2, 0, 0) == 0);
    }
    void arm(const std::string& where) { REQUIRE(run("fill() armed = '" + where + "'") == ""); }
    std::string check(const std::string& where, const std::string& inside = "", bool has_ctx = false) {
        return run("check('" + where + "', " + (inside.empty() ? "nil" : "[[" + inside + "]]") + ", " +
                   (has_ctx ? "true" : "false") + ")");
    }
    DirectorySource files;
};

TEST_CASE(
    "[H5] every function of ecs, ecs.world, ctx, its commands and random numbers is called by this test") {
    PhaseWorld game;
    game.run_trusted(R"(
        local env, fail = ...
        local suggestion = fail.suggestion
        function fail.suggestion(word, list)
            env.names_listed = list
            return suggestion(word, list)
        end)");
    game.arm("names");
    CHECK(game.step() == "");
}

TEST_CASE("[H5] while files load and between runs all of ecs.world is open, and ctx is not") {
    PhaseWorld game;
    CHECK(game.check("main") == "");
    REQUIRE(game.step() == "");
    REQUIRE(game.run("fill() attempt 'idle'") == "");
    CHECK(game.check("idle") == "");
    CHECK(game.run(R"(
        for name, message in pairs(outcomes.idle) do
          local object, word = name:match '(%w+)%.(.+)'
          local is_missing = word == "load" or word == "load_prefabs"
          if object == "world" and message ~= "" and not is_missing and not message:find "is not alive" then
            error(name .. ": " .. message)
          end
        end)") == "");
}

TEST_CASE("[C5] [H5] in an exclusive system ecs.world is open, and what it gave before is not") {
    PhaseWorld game;
    REQUIRE(game.run("fill()") == "");
    game.arm("exclusive");
    REQUIRE(game.step() == "");
    CHECK(game.check("exclusive", "", true) == "");
    CHECK(game.run(R"(
        for name, message in pairs(outcomes.exclusive) do
          local object, word = name:match '(%w+)%.(.+)'
          local is_missing = word == "load" or word == "load_prefabs"
          if object == "world" and message ~= "" and not is_missing and word ~= "send" and
              not message:find "is not alive" then
            error(name .. ": " .. message)
          end
          if object == "kept" and message == "" and word ~= "service" and word ~= "located" then
            error(name .. " answered")
          end
        end
        assert(outcomes.exclusive["world.send"]:find "not inside an exclusive system; use ctx:send")
        assert(outcomes.exclusive["ecs.group"]:find "not inside an exclusive system")
        assert(outcomes.exclusive["ecs.system"] == ""))") == "");
    REQUIRE(game.run("fill() attempt 'idle'") == "");
    CHECK(game.check("idle") == "");
}

TEST_CASE("[H4] [H5] ecs.world is closed inside systems, reactions and lifecycle callbacks") {
    PhaseWorld game;
    const auto goes_through = [&](const std::string& where, const std::string& armed) {
        game.arm(armed);
        INFO(where);
        REQUIRE(game.run("ecs_ = require 'ecs' ecs_.world:send(ecs_.components.Ping, { number = 2 })") == "");
        REQUIRE(game.step() == "");
        CHECK(game.check(where, "a system", true) == "");
        REQUIRE(game.run("armed = nil") == "");
    };
    goes_through("system", "system");
    goes_through("coroutine", "coroutine");
    goes_through("presentation", "presentation");
    goes_through("event", "event");
    game.arm("reaction");
    REQUIRE(game.run(R"(
        local ecs = require "ecs"
        local C, world = ecs.components, ecs.world
        local gone, other = world:spawn(C.Health), world:spawn(C.Health)
        world:destroy(gone) world:remove(other, C.Health)
        world:set(kept.entity, C.Health { current = 3 }))") == "");
    for (int i = 0; i < 2; ++i) REQUIRE(game.step() == "");
    for (const char* word : {"on_added", "on_removed", "on_changed", "on_destroyed"})
        CHECK(game.check(word, "a system", true) == "");
}

TEST_CASE("[H4] a reaction counts the entities of its batch") {
    PhaseWorld game;
    REQUIRE(game.step() == "");
    REQUIRE(game.run(R"(local ecs = require "ecs"
        for i = 1, 7 do ecs.world:spawn(ecs.components.Health) end)") == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("assert(reacted.batch == 7 and reacted.entities == 7 and reacted.chunks == 1)") == "");
}

TEST_CASE("[H4] calls before a system's first run and at its end work or are refused") {
    PhaseWorld game;
    game.arm("run_if");
    REQUIRE(game.step() == "");
    CHECK(game.check("run_if", "a system", true) == "");
    game.arm("on_start");
    const SystemId sys = *game.schedule.find("sys");
    game.schedule.set_enabled(sys, false);
    REQUIRE(game.step() == "");
    game.schedule.set_enabled(sys, true);
    REQUIRE(game.step() == "");
    game.arm("on_stop");
    game.schedule.set_enabled(sys, false);
    REQUIRE(game.step() == "");
    CHECK(game.check("on_stop", "a system", true) == "");
    // What a new system asks when it is made.
    CHECK(game.run(R"(
        local ecs = require "ecs"
        local C = ecs.components
        local access = { read = { C.Ping, C.Path, C.Shield, C.Score, C.Brain }, write = { C.Ping, C.Score } }
        for i, query in ipairs { { read = { C.Position } }, {}, { read = { C.Shield }, runs = true } } do
          ecs.system("made" .. i, { query = query, access = i ~= 3 and access or nil,
            on_create = function(ctx) attempt("on_create", ctx) end, on_destroy = function(ctx) attempt("on_destroy", ctx) end,
            run = function() end })
          check("on_create", "a system", true)
        end)") == "");
}

TEST_CASE("[H5] an initialiser fills its rows and can access nothing else") {
    PhaseWorld game;
    game.arm("initialiser");
    const std::size_t before = game.world.entity_count();
    REQUIRE(game.step() == "");
    CHECK(game.world.entity_count() == before + 2);
    CHECK(game.check("initialiser", "an initialiser of spawn_many") == "");
}

TEST_CASE("[H5] a service cannot access the world, and kept references work again afterwards") {
    PhaseWorld game;
    REQUIRE(game.step() == "");
    REQUIRE(game.run("fill()") == "");
    const std::uint64_t before = world_hash(game.world);
    REQUIRE(ScriptWorld::text_of(game.runtime->run("other", "ask()")) == "");
    CHECK(world_hash(game.world) == before);
    CHECK(game.check("service", "a service") == "");
    CHECK(game.run("assert(kept.value.x == kept.value.x and kept.buffer.count == 1)") == "");
}

TEST_CASE("[H5] a hash function cannot access the world that is being hashed") {
    PhaseWorld game;
    REQUIRE(game.step() == "");
    REQUIRE(game.run("fill()") == "");
    const std::uint64_t before = world_hash(game.world);
    const std::size_t entities = game.world.entity_count();
    REQUIRE(game.run("armed = 'hash'") == "");
    CHECK(world_hash(game.world) == before);
    CHECK(game.world.entity_count() == entities);
    CHECK(game.check("hash", "a hash function") == "");
    CHECK(game.run("assert(outcomes.hash['kept.service']:find 'not inside a hash function')") == "");
    CHECK(game.run("assert(kept.value.x == kept.value.x and kept.buffer.count == 1)") == "");
}

// The calls of calls.lua, and a schema that is saved again.
class EditedSource final : public FileSource {
public:
    EditedSource() : calls_(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts") {}
    Result<std::string> read(std::string_view path) const override {
        if (path == "schema.lua") return schema;
        if (path == "main.lua") return main;
        return calls_.read(path);
    }
    bool has(std::string_view path) const override {
        return path == "schema.lua" || path == "main.lua" || calls_.has(path);
    }
    std::string schema, main;

private:
    DirectorySource calls_;
};

TEST_CASE("[H5] 'migrate' cannot access the world whose layout changes") {
    ScriptWorld game;
    EditedSource source;
    const std::string kinds = source.read("phases/schema.lua").value();
    source.schema = kinds + "ecs.component('Old', { { 'hp', 'f32' } })";
    source.main = R"(local ecs = require "ecs"
for i = 1, 5 do ecs.world:spawn(ecs.components.Old { hp = i }, ecs.components.Position) end)";
    ModConfig config;
    config.files = &source;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    source.schema = kinds + R"(
kept = {}
ecs.component("Old", { version = 2, { "points", "f32" }, migrate = { function(old)
  local calls = require "phases.calls"
  local at, refused = { entity = 1, number = 1 }, 0
  local open = { array = 1, list = 1, string = 1, enum = 1, flags = 1, struct = 1, components = 1, world = 1, import = 1,
    outside = 1 }
  for _, object in ipairs { "ecs", "world" } do
    for name, call in pairs(calls[object]) do
      local ok, message = pcall(call, object == "world" and ecs.world or ecs, at)
      if not open[name] or object == "world" then
        if ok or not message:find("not inside 'migrate'", 1, true) then error(name .. ": " .. tostring(message)) end
        refused = refused + 1
      end
    end
  end
  print(refused)
  return { points = old.hp }
end } }))";
    source.main = "assert(require('ecs').world:entity_count() == 5)";
    const ReloadReport report = game.runtime->reload("game");
    CHECK(ScriptWorld::text_of(report.errors) == "");
    REQUIRE(game.log.size() == 5);
    CHECK(std::stoi(game.log[0]) > 45);
    CHECK(game.world.entity_count() == 5);
    CHECK(game.step() == "");
}

TEST_CASE("a file continues to load after an initialiser that ran meanwhile") {
    ScriptWorld game;
    EditedSource source;
    source.schema = "require('ecs').component('Position', { { 'x', 'f32' } })";
    source.main = R"(local ecs = require "ecs"
local rock = ecs.prefab("Rock", { ecs.components.Position })
ecs.system("made", { run = function() end,
  on_create = function(ctx) ctx.commands:spawn_many(rock, 1, function(chunk) chunk.Position.x[1] = 5 end) end })
ecs.world:spawn(ecs.components.Position))";
    ModConfig config;
    config.files = &source;
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    REQUIRE(game.world.entity_count() == 2);
    CHECK(game.runtime->reload("game").is_ok());
    CHECK(game.world.entity_count() == 2);  // what the file spawned is there already
}

// ---- what a hash leaves behind ----

constexpr const char* kHashed = R"(local ecs = require "ecs"
ecs.component("Brain", { kind = "object", hash = function(v) return hash_of(v) end }))";

// Two worlds that do the same, only one is hashed in each step: the output of their systems.
std::vector<std::vector<std::string>> with_and_without(const std::string& main) {
    std::vector<std::vector<std::string>> said;
    for (const bool is_hashed : {false, true}) {
        ScriptWorld game;
        REQUIRE(game.load(kHashed, R"(local ecs = require "ecs"
local C, world = ecs.components, ecs.world
)" + main) == "");
        for (int i = 0; i < 5; ++i) {
            REQUIRE(game.step() == "");
            if (is_hashed) static_cast<void>(world_hash(game.world));
        }
        said.push_back(game.log);
    }
    return said;
}

TEST_CASE("[H14] a run is the same whether or not a hash of it is taken") {
    const auto said = with_and_without(R"(
local brain = { mood = 1, list = { 1, 2 } }
brain.self = brain
world:set_object(world:spawn(C.Brain), C.Brain, brain)
local function hash(v)
  assert(v.self == v and #v.list == 2 and v ~= brain)
  v.mood, v.list[3] = v.mood + 1, 5
  tostring({})
  tostring(v)
  return math.random() + v.mood
end
hash_of = hash
ecs.system("say", { run = function() print(brain.mood, #brain.list, math.random(1000), {}) end }))");
    REQUIRE(said[0].size() == 5);
    CHECK(said[0] == said[1]);
}

TEST_CASE("[H14] a hash function that iterates with next does not affect iterations of the simulation") {
    const auto said = with_and_without(R"(
local set = { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6 }
world:set_object(world:spawn(C.Brain), C.Brain, set)
function hash_of() return #next(set) + #next(set, next(set)) + #next(set, "e") end
local key
ecs.system("walk", { run = function(_, ctx)
  key = next(set, key)
  print(key)
  -- What was added since the walk began is no part of it.
  set[key .. key] = 0
end }))");
    REQUIRE(said[0].size() == 5);
    CHECK(said[0] == std::vector<std::string>{"a", "aa", "b", "c", "d"});
    CHECK(said[1] == said[0]);
}

TEST_CASE("[H14] writes of a hash function to its own variables are undone, and it sets no globals") {
    ScriptWorld game;
    REQUIRE(game.load(R"(local ecs = require "ecs"
local count, text = 0, "a"
ecs.component("Brain", { kind = "object", hash = function(v)
  count, text = count + 1, text .. "b"
  if v == "global" then total = 1 end
  if v == "count" then return count end
  return 0
end })
function counted() return count, text end)",
                      R"(local ecs = require "ecs"
e = ecs.world:spawn(ecs.components.Brain)
function give(v) ecs.world:set_object(e, ecs.components.Brain, v) end)") == "");
    REQUIRE(game.run("give 'count'") == "");
    const std::uint64_t first = world_hash(game.world);
    CHECK(world_hash(game.world) == first);
    CHECK(game.run("local count, text = counted() assert(count == 0 and text == 'a')") == "");
    REQUIRE(game.run("give 'global'") == "");
    static_cast<void>(world_hash(game.world));
    REQUIRE(game.runtime->recent_errors().size() == 1);
    CHECK_THAT(game.runtime->recent_errors().front().message,
               Contains("component 'Brain': its hash function cannot set the global 'total'"));
    CHECK(game.run("assert(total == nil)") == "");
}

TEST_CASE("[H14] a hash function cannot advance coroutines and iterators that it did not create") {
    const auto said = with_and_without(R"(
local numbers = coroutine.create(function() for i = 1, 1e9 do coroutine.yield(i) end end)
local letters = coroutine.wrap(function() for i = 1, 1e9 do coroutine.yield("letter " .. i) end end)
local fresh = coroutine.create(function() return "fresh" end)
local words = ("one two three four five six seven eight"):gmatch("%a+")
local errors = {}
world:set_object(world:spawn(C.Brain), C.Brain, numbers)
local function hash(v)
  local _
  _, errors[1] = pcall(coroutine.resume, v)
  _, errors[2] = pcall(letters)
  _, errors[3] = pcall(coroutine.resume, fresh)
  _, errors[4] = pcall(function() for word in words do return #word end end)
  -- From inside a coroutine of its own, too.
  _, errors[5] = pcall(coroutine.wrap(function() return letters() end))
  -- Its own ones run.
  local sum, own = 0, coroutine.wrap(function(a) sum = sum + a + coroutine.yield(2) end)
  own(own(1) + 1)
  for word in ("a bb"):gmatch("%a+") do sum = sum + #word end
  assert(sum == 7)
  return sum
end
hash_of = hash
local step = 0
ecs.system("say", { run = function()
  step = step + 1
  print(select(2, coroutine.resume(numbers)), letters(), words(), step == 5 and select(2, coroutine.resume(fresh)))
  for i = 1, #errors do
    local what = i == 4 and "iterator of gmatch" or "coroutine"
    local refusal = what .. ": it was created outside of this hash function, which cannot advance it"
    assert(errors[i]:find(refusal, 1, true), errors[i])
  end
end })
function errors_seen() return #errors end)");
    REQUIRE(said[0].size() == 5);
    CHECK_THAT(said[0].back(), Contains("5\tletter 5\tfive\tfresh"));
    CHECK(said[0] == said[1]);
}

TEST_CASE(
    "[H14] a coroutine that a hash function created is closed to other hashes, and the mod may run it") {
    ScriptWorld game;
    REQUIRE(game.load(R"(local ecs = require "ecs"
kept = {}
ecs.component("Brain", { kind = "object", hash = function()
  local number = kept.co and kept.co()
  if number then return number end
  kept.co = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end)
  return kept.co()
end }))",
                      R"(local ecs = require "ecs"
ecs.world:set_object(ecs.world:spawn(ecs.components.Brain), ecs.components.Brain, {}))") == "");
    static_cast<void>(world_hash(game.world));
    CHECK(game.runtime->recent_errors().empty());
    static_cast<void>(world_hash(game.world));
    REQUIRE(game.runtime->recent_errors().size() == 1);
    CHECK_THAT(game.runtime->recent_errors().front().text(),
               Contains("schema.lua:4: system 'world hash': coroutine: it was created outside"));
    CHECK(game.run("assert(kept.co() == 2)") == "");
}

TEST_CASE("[H14] code that a hash function loads sets no globals either") {
    ScriptWorld game;
    REQUIRE(game.load(R"(local ecs = require "ecs"
ecs.component("Brain", { kind = "object", hash = function() return load("total = 1 return total")() end }))",
                      R"(local ecs = require "ecs"
ecs.world:set_object(ecs.world:spawn(ecs.components.Brain), ecs.components.Brain, {}))") == "");
    static_cast<void>(world_hash(game.world));
    REQUIRE(game.runtime->recent_errors().size() == 1);
    CHECK_THAT(game.runtime->recent_errors().front().message,
               Contains("component 'Brain': its hash function cannot set the global 'total'"));
    CHECK(game.run("assert(total == nil and load('total = 2 return total')() == 2 and total == 2)") == "");
}

TEST_CASE("[H14] a hash function is not the first to load a file") {
    ScriptWorld game;
    game.sources.push_back(
        std::make_unique<MemorySource>(MemorySource::Files{{"late.lua", "return 1"},
                                                           {"schema.lua", R"(local ecs = require "ecs"
ecs.component("Brain", { kind = "object", hash = function() return require "late" end }))"},
                                                           {"main.lua", R"(local ecs = require "ecs"
ecs.world:set_object(ecs.world:spawn(ecs.components.Brain), ecs.components.Brain, {}))"}}));
    ModConfig config;
    config.files = game.sources.back().get();
    REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(config))) == "");
    static_cast<void>(world_hash(game.world));
    REQUIRE(game.runtime->recent_errors().size() == 1);
    CHECK_THAT(
        game.runtime->recent_errors().front().message,
        Contains(
            "file 'game/late.lua' is not loaded yet, and a hash function may not be the first to load it"));
    REQUIRE(game.run("require 'late'") == "");
    static_cast<void>(world_hash(game.world));
    CHECK(game.runtime->recent_errors().size() == 1);
}

TEST_CASE("[H14] failing hash functions do not count as failures of their mod") {
    ScriptWorld game;
    REQUIRE(game.load("", "function nothing() end") == "");
    REQUIRE(ScriptWorld::text_of(game.runtime->load([&] {
                game.sources.push_back(std::make_unique<MemorySource>(
                    MemorySource::Files{{"schema.lua", R"(local ecs = require "ecs"
ecs.component("Brain", { kind = "object", hash = function() error "no" end }))"},
                                        {"main.lua", R"(local ecs = require "ecs"
local e = ecs.world:spawn(ecs.components.Brain)
ecs.world:set_object(e, ecs.components.Brain, {}))"}}));
                ModConfig config;
                config.name = "mod";
                config.files = game.sources.back().get();
                return config;
            }())) == "");
    for (int i = 0; i < 5; ++i) static_cast<void>(world_hash(game.world));
    CHECK(game.runtime->recent_errors().size() == 5);
    CHECK(game.runtime->switch_off_failing().empty());
}

}  // namespace
}  // namespace perigee
