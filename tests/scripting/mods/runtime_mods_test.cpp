// Several mods in one world: phases, what fails with whom, and what one does to others.
#include "scripting/base/error_codes.h"
#include "tests/scripting/script_world.h"

using Catch::Contains;
using namespace perigee;

namespace {

struct TestMod {
    std::string name;
    std::string main;
    std::string schema = {};
    std::vector<ModUse> uses = {};
};

const std::string kHead = "local ecs = require 'ecs'\nlocal C = ecs.components\n";

std::string load(ScriptWorld& world, const std::vector<TestMod>& mods) {
    std::vector<ModConfig> configs;
    for (const TestMod& mod : mods) {
        MemorySource::Files files{{"main.lua", kHead + mod.main}};
        if (!mod.schema.empty()) files.emplace("schema.lua", kHead + mod.schema);
        world.sources.push_back(std::make_unique<MemorySource>(std::move(files)));
        ModConfig config;
        config.name = mod.name;
        config.files = world.sources.back().get();
        config.uses = mod.uses;
        config.limits = world.limits;
        configs.push_back(std::move(config));
    }
    return ScriptWorld::text_of(world.runtime->load(std::move(configs)));
}

std::string declaration(const std::string& name, const std::string& more = "") {
    return "ecs.system('" + name + "', { " + more + " run = function(_, ctx) print('" + name + "') end })\n";
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("mods use, order, replace, wrap, patch and call each other") {
    ScriptWorld world;
    const DirectorySource files(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts");
    std::vector<ModConfig> configs;
    for (const std::string name : {"game", "weather", "tuning"}) {
        ModConfig config;
        config.name = name;
        config.files = &files;
        config.schema_file = "mods/" + name + "/schema.lua";
        config.main_file = "mods/" + name + "/main.lua";
        if (name == "tuning") {
            config.uses = {{"weather", true}, {"absent", false}};
            config.settings = {{"speed", 2.5}, {"name", std::string("Bob")}, {"blood", false}};
        }
        configs.push_back(std::move(config));
    }
    REQUIRE(ScriptWorld::text_of(world.runtime->load(std::move(configs))) == "");
    for (int i = 0; i < 3; ++i) REQUIRE(world.step() == "");
    REQUIRE(ScriptWorld::text_of(world.runtime->run("tuning", "check() assert(finished)")) == "");
}

TEST_CASE("all schemas run before the first main, each in load order") {
    ScriptWorld world;
    REQUIRE(load(world, {{"game", "print('game')", "print('game schema')"},
                         {"a", "print('a')", "print('a schema')"},
                         {"b", "print('b')", "print('b schema')"}}) == "");
    CHECK(world.log == Names{"game schema", "a schema", "b schema", "game", "a", "b"});
}

TEST_CASE("a mod that fails is left out with those that need it, and the rest runs") {
    for (const bool in_schema : {true, false}) {
        ScriptWorld world;
        const std::string mistake = "error('no')";
        const std::string errors =
            load(world, {{"game", declaration("move")},
                         {"a", declaration("x") + (in_schema ? "" : mistake), in_schema ? mistake : ""},
                         {"b", declaration("y"), "", {{"a", true}}},
                         {"c",
                          "assert(ecs.import('a') == nil)\n" + declaration("z", "after = 'a:x',"),
                          "",
                          {{"a", false}}}});
        CHECK_THAT(errors, Contains("no\nb: it needs mod 'a', which did not load"));
        CHECK(world.step() == "");
        CHECK(world.log == Names{"z", "move"});
        CHECK_FALSE(world.runtime->has_loaded("a"));
        CHECK_FALSE(world.runtime->has_loaded("b"));
        CHECK(world.runtime->has_loaded("c"));
    }
}

TEST_CASE("when a game fails, its own errors are reported, not those of its mods") {
    ScriptWorld world;
    const std::string errors = load(world, {{"game", "error('broken')"}, {"a", declaration("x")}});
    CHECK_THAT(errors, Contains("broken"));
    CHECK_THAT(errors, !Contains("\na:"));
    CHECK(world.step() == "");
    CHECK(world.log.empty());
}

TEST_CASE("a mod that does not fit into the order is left out, and the order stays valid") {
    const TestMod game{"game", declaration("first") + declaration("second", "after = 'first',")};
    const auto left_out = [&](const std::string& main) {
        ScriptWorld world;
        std::string errors = load(world, {game, {"a", main}});
        CHECK(world.step() == "");
        CHECK(world.log == Names{"first", "second"});
        return errors;
    };
    CHECK(left_out(declaration("x", "after = 'game:frst',")) ==
          "a: system 'a:x': after names 'frst', which is no system of its group; did you mean 'first'?");
    CHECK_THAT(left_out(declaration("x", "before = 'nothing',")), Contains("'a:nothing'"));
    CHECK_THAT(left_out("ecs.group('g', { after = 'nothing' })"), Contains("'a:nothing'"));
    CHECK_THAT(left_out(declaration("x", "group = 'presentation', before = 'game:first',")),
               Contains("presentation"));
    CHECK_THAT(left_out(declaration("x", "before = 'game:first', after = 'game:second',")),
               Contains("a:x -> first -> second -> a:x"));
    CHECK_THAT(left_out("ecs.replace_system('game:first', { after = 'game:second', run = print })"),
               Contains("first -> second -> first"));
}

TEST_CASE("changes to other mods are undone when a mod fails") {
    ScriptWorld world;
    const std::string errors =
        load(world, {{"game", "ecs.prefab('P', { C.Health })\n" + declaration("move"),
                      "ecs.component('Health', { { 'current', 'f32', 1 } })"},
                     {"a",
                      "ecs.replace_system('game:move', { run = function() print('replaced') end })\n"
                      "ecs.patch_prefab('game:P', { { C.Health, current = 5 } })\nerror('late')"}});
    CHECK_THAT(errors, Contains("late"));
    CHECK(world.step() == "");
    CHECK(world.log == Names{"move"});
    CHECK(world.run("local ecs = require 'ecs'\n"
                    "local e = ecs.world:spawn(ecs.import('game').prefabs.P)\n"
                    "assert(ecs.world:get(e, ecs.components.Health).current == 1)") == "");
}

TEST_CASE("two mods can replace a system only if the second one names the first in mod.json") {
    const std::string replace = "ecs.replace_system('game:move', { run = function() print(";
    const auto loaded = [&](std::vector<ModUse> uses, ScriptWorld& world) {
        return load(world, {{"game", declaration("move")},
                            {"a", replace + "'a') end })"},
                            {"b", replace + "'b') end })", "", std::move(uses)}});
    };
    ScriptWorld refused;
    CHECK_THAT(loaded({}, refused), Contains("system 'move' was already replaced by mod 'a'"));
    CHECK(refused.step() == "");
    CHECK(refused.log == Names{"a"});
    ScriptWorld allowed;
    CHECK(loaded({{"a", true}}, allowed) == "");
    CHECK(allowed.step() == "");
    CHECK(allowed.log == Names{"b"});
}

TEST_CASE("a mod can change only mods that it names in mod.json") {
    ScriptWorld world;
    const std::string errors = load(world, {{"game", ""},
                                            {"a", declaration("x") + "ecs.prefab('P', {})"},
                                            {"b", "ecs.patch_prefab('a:P', {})"},
                                            {"c", "ecs.wrap_system('a:x', { before = print })"}});
    CHECK_THAT(errors,
               Contains("'a:P' belongs to mod 'a'; name that mod in 'depends' or 'optional' of mod.json"));
    CHECK_THAT(errors,
               Contains("'a:x' belongs to mod 'a'; name that mod in 'depends' or 'optional' of mod.json"));
}

TEST_CASE("mods cannot call each other in a cycle") {
    ScriptWorld world;
    REQUIRE(load(world, {{"game",
                          "ecs.service('self', function(f) return 1 end)\n"
                          "function try() return ecs.import('game').services.self() end"},
                         {"a",
                          "ecs.service('ping', function() return later() end)\n"
                          "function later() return 1 end"},
                         {"b",
                          "local a = ecs.import('a')\n"
                          "ecs.service('pong', function() return a.services.ping() end)\n"
                          "function go() return a.services.ping() end",
                          "",
                          {{"a", true}}}}) == "");
    CHECK(ScriptWorld::text_of(world.runtime->run("b", "assert(go() == 1)")) == "");
    CHECK_THAT(world.run("try()"),
               Contains("service 'game:self': mods call each other in a cycle: game -> game"));
    // a uses b only from here on, by way of the test.
    CHECK(ScriptWorld::text_of(world.runtime->run("b", "assert(go() == 1)")) == "");
}

TEST_CASE("the fuel of each service call is charged to its mod, and that of all calls to the caller") {
    const std::string game =
        "ecs.service('work', function(n) for i = 1, n do end return ('x'):rep(1000) end)\n"
        "ecs.service('endless', function() while true do end end)";
    ScriptWorld world;
    world.limits.seconds_per_run = 100;
    world.limits.fuel_per_step = 0;  // all of these systems run in one step
    REQUIRE(
        load(world,
             {{"game", game},
              {"a",
               "local s = ecs.import('game').services\n"
               "local function system(name, run)\n"
               "  ecs.system(name, { access = { services = { 'game:work', 'game:endless' } }, run = run })\n"
               "end\n"
               "system('fine', function() for i = 1, 9 do s.work(1e6) end end)\n"
               "system('many', function() for i = 1, 11 do s.work(1e6) end end)\n"
               "system('large', function() s.work(11e6) end)\n"
               "system('caught', function() while true do pcall(s.endless) end end)\n"
               "system('copies', function() while true do s.work(0) end end)"}}) == "");
    const std::string errors = world.step();
    CHECK_THAT(errors, !Contains("'a:fine'"));
    const std::string limit =
        "used more than 10000000 steps of fuel, the limit of one run; a loop over all pairs is the usual "
        "cause, and 'instructions' in mod.json allows more";
    CHECK_THAT(errors, Contains("a/main.lua:8: system 'a:many': " + limit));
    CHECK_THAT(errors,
               Contains("a/main.lua:9: system 'a:large': service 'game:work': game/main.lua:3: this needs "
                        "more than 10000000 steps of fuel at once, the limit of one run; a loop over all "
                        "pairs is the usual cause, and 'instructions' in mod.json allows more"));
    CHECK_THAT(errors, Contains("a/main.lua:10: system 'a:caught': " + limit));
    CHECK_THAT(errors, Contains("a/main.lua:11: system 'a:copies': " + limit));
    CHECK(world.step() == "");  // they are suspended
}

TEST_CASE("initialisers cannot call services, and a service ends with its mod") {
    ScriptWorld world;
    REQUIRE(load(world, {{"game", "", "ecs.component('P', { { 'x', 'f32' } })"},
                         {"a", "ecs.service('one', function() return 1 end)"},
                         {"b",
                          "local a = ecs.import('a')\nlocal P = ecs.prefab('P', { C.P })\n"
                          "ecs.system('s', { access = { services = { 'a:one' } }, run = function(_, ctx)\n"
                          "  ctx.commands:spawn_many(P, 1, function() a.services.one() end)\nend })",
                          "",
                          {{"a", true}}}}) == "");
    CHECK_THAT(world.step(), Contains("service 'a:one': not inside an initialiser of spawn_many"));
}

TEST_CASE("a component of a missing mod is unknown") {
    ScriptWorld world;
    CHECK_THAT(load(world, {{"game", ""}, {"a", "ecs.import('game').components.Nothing()"}}),
               Contains("mod 'game' has no component 'Nothing'"));
}
