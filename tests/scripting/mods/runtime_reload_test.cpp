// The files of a mod run again while its world goes on.
#include "ecs/base/random.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/world/prefab.h"
#include "scripting/base/error_codes.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using Catch::Contains;
using namespace perigee;

namespace {

const std::string kHead = "local ecs = require 'ecs'\nlocal C = ecs.components\n";

struct Game : ScriptWorld {
    EditedFiles& mod(const std::string& name) { return edited[name]; }

    std::string start(const std::vector<std::string>& names = {"game"}) {
        std::vector<ModConfig> configs;
        for (const std::string& name : names) {
            ModConfig config;
            config.name = name;
            config.files = &edited[name];
            for (const std::string& other : names)
                if (other != name && other != "game" && &other < &name) config.uses.push_back({other, false});
            configs.push_back(std::move(config));
        }
        return text_of(runtime->load(std::move(configs)));
    }
    void main(const std::string& text, const std::string& name = "game") {
        edited[name]["main.lua"] = kHead + text;
    }
    void schema(const std::string& text, const std::string& name = "game") {
        edited[name]["schema.lua"] = kHead + text;
    }
    std::string save_main(const std::string& text, const std::string& name = "game") {
        main(text, name);
        return reload(name);
    }
    std::string save_schema(const std::string& text, const std::string& name = "game") {
        schema(text, name);
        return reload(name);
    }
    std::string reload(const std::string& name = "game") {
        report = runtime->reload(name);
        return text_of(report.errors);
    }
    // What the systems print in one step.
    std::vector<std::string> lines() {
        log.clear();
        CHECK(step() == "");
        for (std::string& line : log) std::ranges::replace(line, '\t', ' ');
        return log;
    }

    std::map<std::string, EditedFiles> edited;
    ReloadReport report;
};

std::string says(const std::string& name, const std::string& text, const std::string& more = "") {
    return fmt::format("ecs.system('{}', {{ {} run = function(chunk, ctx) print('{}') end }})\n", name, more,
                       text);
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a saved file replaces the previous one; the world stays") {
    Game game;
    game.schema("ecs.component('Position', { { 'x', 'f32' } })");
    game.main("local e = ecs.world:spawn(C.Position { x = 1 })\n" + says("a", "old a") + says("b", "old b"));
    REQUIRE(game.start() == "");
    CHECK(game.lines() == Lines{"old a", "old b"});
    REQUIRE(game.save_main("local e = ecs.world:spawn(C.Position { x = 5 })\n"
                           "ecs.system('b', { after = 'c', query = { read = { C.Position } }, "
                           "run = function(chunk) print('new b', chunk.count, chunk.Position.x[1], "
                           "e == chunk.entity[1]) end })\n" +
                           says("c", "new c")) == "");
    CHECK(game.report.mods == Lines{"game"});
    CHECK(game.lines() == Lines{"new c", "new b 1 1 true"});
    CHECK(game.world.entity_count() == 1);
    CHECK_FALSE(game.schedule.find("a"));
}

TEST_CASE("a reload that fails at any stage leaves the old code running") {
    const std::string good =
        "ecs.prefab('P', { C.Position { x = 3 } })\n"
        "ecs.on(C.Hit, function(events) print('hit', events.count) end)\n"
        "ecs.system('s', { access = { write = { C.Hit } }, run = function(_, ctx) "
        "ctx:send(C.Hit) print('good') end })\n";
    const std::map<std::string, std::string> mistakes = {
        {"syntax", "x = = 1"},
        {"at load", "error('stop')"},
        {"later", good + "ecs.world:spawn(C.Position) error('stop')"},
        {"unknown component", good + "local x = C.Nothing"},
        {"twice", good + says("s", "again")},
        {"order", good + says("t", "t", "after = 'nobody',")},
        {"cycle", says("s", "s", "after = 't',") + says("t", "t", "after = 's',")},
        {"group", says("s", "s", "group = 'nowhere',")},
        {"on_create", says("s", "s") + says("t", "t", "on_create = function() error('no') end,")},
        {"prefab", "ecs.prefab('P', { C.Position { y = 3 } })"},
        {"needed by others", "ecs.system('u', { after = 's', run = print })"},
        {"module", "require 'missing'"},
    };
    for (const auto& [stage, text] : mistakes) {
        INFO(stage);
        Game game;
        game.schema("ecs.component('Position', { { 'x', 'f32' } }) ecs.event('Hit', {})");
        game.main(good);
        REQUIRE(game.start() == "");
        CHECK(game.lines() == Lines{"good", "hit 1"});
        const std::uint64_t hash = world_hash(game.world);
        CHECK(game.save_main(text) != "");
        CHECK(game.report.mods.empty());
        CHECK(world_hash(game.world) == hash);
        CHECK(game.lines() == Lines{"good", "hit 1"});
        CHECK(game.run(
                  "assert(ecs == nil) local ecs = require 'ecs' assert(tostring(ecs.components.Position))") ==
              "");
        REQUIRE(game.save_main(good) == "");
        CHECK(game.lines() == Lines{"good", "hit 1"});
    }
}

TEST_CASE("an error in schema.lua leaves everything as it is") {
    Game game;
    game.schema("ecs.component('Position', { { 'x', 'f32' } })");
    game.main(says("s", "good"));
    REQUIRE(game.start() == "");
    CHECK_THAT(game.save_schema("ecs.component('Position', { { 'x', 'f33' } })"), Contains("f33"));
    CHECK(game.lines() == Lines{"good"});
}

TEST_CASE("values of objects survive, with handles and functions in them") {
    Game game;
    game.schema("ecs.component('Brain', { kind = 'object' }) ecs.component('Position', { { 'x', 'f32' } })");
    const std::string main =
        "local e = ecs.world:spawn(C.Brain, C.Position)\n"
        "ecs.world:set_object(e, C.Brain, { handle = C.Position, think = function(n) return n + 1 end })\n"
        "ecs.system('s', { query = { read = { C.Brain, C.Position } }, run = function(chunk, ctx)\n"
        "  local brain = chunk.Brain[1]\n"
        "  print(VERSION, brain.think(1), ctx:has(chunk.entity[1], brain.handle), brain.handle == "
        "C.Position)\n"
        "end })\n";
    game.main("VERSION = 'one'\n" + main);
    REQUIRE(game.start() == "");
    CHECK(game.lines() == Lines{"one 2 true true"});
    REQUIRE(game.save_main("VERSION = 'two'\n" + main) == "");
    CHECK(game.lines() == Lines{"two 2 true true"});
    const ReloadReport killed = game.runtime->restart("game");
    REQUIRE(ScriptWorld::text_of(killed.errors) == "");
    game.log.clear();
    CHECK_THAT(game.step(), Contains("nil"));
}

TEST_CASE("systems that stay are not created again, and their suspension ends") {
    Game game;
    const auto system = [](const std::string& name, const std::string& run) {
        return fmt::format(
            "ecs.system('{0}', {{ on_create = function() print('create {0}') end, "
            "on_destroy = function() print('destroy {0}') end, run = function() {1} end }})\n",
            name, run);
    };
    game.main(system("a", "error('no')") + system("b", "print('b')"));
    REQUIRE(game.start() == "");
    CHECK_THAT(game.step(), Contains("no"));
    CHECK(game.schedule.status(*game.schedule.find("a")).is_suspended);
    game.log.clear();
    REQUIRE(game.save_main(system("a", "print('a')") + system("c", "print('c')")) == "");
    CHECK(game.log == Lines{"create c", "destroy b"});
    CHECK(game.lines() == Lines{"a", "c"});
}

TEST_CASE(
    "prefabs are what the new file says, also those made from them, and old handles mean the new ones") {
    Game game;
    game.schema("ecs.component('Health', { { 'hp', 'f32', 10 } }) ecs.component('Box', { kind = 'object' })");
    const auto main = [](int hp) {
        return fmt::format(
            "local Base = ecs.prefab('Base', {{ C.Health {{ hp = {} }} }})\n"
            "local Child = ecs.prefab('Child', {{ base = Base }})\n"
            "KEPT = Child\n",
            hp);
    };
    const std::string check =
        "local ecs = require 'ecs' local C = ecs.components "
        "local e = ecs.world:spawn(KEPT) print(ecs.world:get(e, C.Health).hp)";
    game.main(main(20));
    REQUIRE(game.start() == "");
    for (const int hp : {20, 30, 30, 40}) {
        REQUIRE(game.save_main(main(hp)) == "");
        REQUIRE(game.run(check) == "");
        CHECK(game.log.back() == std::to_string(hp));
    }
    // Only changed declarations created something new.
    CHECK(game.world.prefabs().size() == 2 + 2 * 2);
}

TEST_CASE("main.lua creates its entities only once") {
    Game game;
    game.schema(
        "ecs.component('Position', { { 'x', 'f32' } }) ecs.resource('Score', { { 'points', 'f32' } })");
    const std::string main =
        "A = ecs.world:spawn(C.Position { x = 1 })\n"
        "B = ecs.world:spawn(C.Position { x = 2 })\n"
        "ecs.world:resource(C.Score).points = 7\n"
        "ecs.world:get(A, C.Position).x = 11\n"
        "ecs.world:set(B, C.Position { x = 22 })\n";
    game.main(main);
    REQUIRE(game.start() == "");
    const std::string change =
        "local ecs = require 'ecs' local C, w = ecs.components, ecs.world "
        "w:resource(C.Score).points = 8 w:get(A, C.Position).x = 0 w:set(B, C.Position {})";
    REQUIRE(game.run(change) == "");
    const std::uint64_t hash = world_hash(game.world);
    REQUIRE(game.save_main(main) == "");
    CHECK(world_hash(game.world) == hash);
    REQUIRE(game.run("local w = require('ecs').world assert(A ~= B and w:is_alive(A) and w:is_alive(B))") ==
            "");
    REQUIRE(game.save_main(main + "D = ecs.world:spawn(C.Position)\n") == "");
    CHECK(game.world.entity_count() == 3);
    REQUIRE(game.save_main(main + "D = ecs.world:spawn(C.Position)\n") == "");
    CHECK(game.world.entity_count() == 3);
}

TEST_CASE("the new environment contains nothing of the old one") {
    Game game;
    game.main("LEFT = 1 function string.shout(s) return s:upper() end\n" + says("s", "x"));
    REQUIRE(game.start() == "");
    REQUIRE(game.save_main("assert(LEFT == nil and string.shout == nil and ('x').shout == nil)\n"
                           "assert(load('return string')() == string and load('MADE = 1'))\n" +
                           says("s", ("y"))) == "");
    CHECK(game.run("assert(LEFT == nil and ecs == nil)") == "");
    CHECK_THAT(game.save_main("function string.shout() end error('no')"), Contains("no"));
    CHECK(game.run("assert(string.shout == nil and ('x').shout == nil and ('x'):upper() == 'X')") == "");
}

TEST_CASE("a new field has its default, and an old one keeps its value") {
    Game game;
    const std::string count =
        "ecs.system('s', { query = { read = { C.Ship } }, run = function(chunk)\n"
        "  print(chunk.count, chunk.Ship.x[1], pcall(function() return chunk.Ship.y[1] end))\n"
        "end })\n";
    game.schema("ecs.component('Ship', { { 'x', 'f32' } }) ecs.component('Brain', { kind = 'object' })");
    game.main(
        "local e = ecs.world:spawn(C.Ship { x = 4 }, C.Brain) "
        "ecs.world:set_object(e, C.Brain, { value = C.Ship { x = 1 } })\n" +
        count);
    REQUIRE(game.start() == "");
    REQUIRE(game.save_schema(
                "ecs.component('Ship', { { 'y', 'f32', 9 }, { 'x', 'f64' } }) "
                "ecs.component('Brain', { kind = 'object' }) ecs.component('New', { { 'n', 'i32' } })") ==
            "");
    CHECK(game.report.changes.rows == 1);
    CHECK(game.lines() == Lines{"1 4 true 9"});
    // A value created for the old layout is invalid.
    REQUIRE(game.run("local ecs = require 'ecs' local C, w = ecs.components, ecs.world\n"
                     "local e = w:spawn(C.Ship { y = 2 }) assert(w:get(e, C.Ship).y == 2) w:destroy(e)\n"
                     "assert(C.New { n = 2 })") == "");
}

TEST_CASE("values created for an old layout are refused") {
    Game game;
    game.schema("ecs.component('Ship', { { 'x', 'f32' } }) ecs.component('Brain', { kind = 'object' })");
    const std::string main =
        "E = ecs.world:spawn(C.Brain) "
        "ecs.world:set_object(E, C.Brain, { value = C.Ship { x = 1 } })\n";
    game.main(main);
    REQUIRE(game.start() == "");
    REQUIRE(game.save_schema("ecs.component('Ship', { { 'x', 'f32' }, { 'y', ecs.array('f64', 40) } }) "
                             "ecs.component('Brain', { kind = 'object' })") == "");
    CHECK_THAT(game.run("local ecs = require 'ecs' local C, w = ecs.components, ecs.world\n"
                        "w:add(E, w:object(E, C.Brain).value)"),
               Contains("this value of 'Ship' was made before schemas changed; make it again"));
}

TEST_CASE("migrate turns an old version into the new one, step by step") {
    Game game;
    game.schema("ecs.component('Health', { { 'hp', 'f32' } })");
    game.main("");
    REQUIRE(game.start() == "");
    REQUIRE(game.run("local ecs = require 'ecs' print(ecs.world:spawn(ecs.components.Health { hp = 40 }))") ==
            "");
    const std::string get =
        "local ecs = require 'ecs' local h = ecs.world:get(" + game.log.back() + ", ecs.components.Health) ";
    REQUIRE(game.save_schema(
                "ecs.component('Health', { version = 3, { 'current', 'f32' }, { 'max', 'f32' },\n"
                "  migrate = { [1] = function(old) return { points = old.hp } end,\n"
                "    [2] = function(old) return { current = old.points, max = 2 * old.hp } end } })") == "");
    REQUIRE(game.run(get + "assert(h.current == 40 and h.max == 80)") == "");
    CHECK_THAT(game.save_schema("ecs.component('Health', { version = 4, { 'value', 'f32' },\n"
                                "  migrate = { [3] = function(old) return { valu = old.max } end } })"),
               Contains("valu"));
    REQUIRE(game.run(get + "assert(h.max == 80)") == "");
    CHECK_THAT(game.save_schema("ecs.component('Health', { version = 4, { 'value', 'f32' },\n"
                                "  migrate = { [3] = function(old) return 7 end } })"),
               Contains("expected a table of fields from 'migrate' of version 3, got 7"));
}

TEST_CASE("a change that would lose values is refused, and the game goes on with the old schema") {
    Game game;
    game.schema("ecs.component('Ship', { { 'x', 'f32' }, { 'fuel', 'f32' } })");
    game.main(says("s", "good"));
    REQUIRE(game.start() == "");
    REQUIRE(game.run("local ecs = require 'ecs' E = ecs.world:spawn(ecs.components.Ship { fuel = 4 })") ==
            "");
    const std::string error = game.save_schema("ecs.component('Ship', { { 'x', 'f32' } })");
    CHECK_THAT(error, Contains("fuel"));
    CHECK(game.lines() == Lines{"good"});
    REQUIRE(game.run("local ecs = require 'ecs' assert(ecs.world:get(E, ecs.components.Ship).fuel == 4)") ==
            "");
    REQUIRE(game.save_schema("ecs.component('Ship', { version = 2, { 'x', 'f32' } })") == "");
    CHECK(game.lines() == Lines{"good"});
}

TEST_CASE("a mod whose code does not fit the new schema stops until it does") {
    Game game;
    game.schema("ecs.component('Ship', { { 'x', 'f32' } })");
    const auto main = [](const std::string& field) {
        return "E = ecs.world:spawn(C.Ship { " + field + " = 4 })\n" + says("s", field);
    };
    game.main(main("x"));
    REQUIRE(game.start() == "");
    CHECK_THAT(game.save_schema("ecs.component('Ship', { version = 2, { 'y', 'f32' } })"),
               Contains("unknown field 'x'"));
    CHECK(game.lines().empty());
    CHECK(game.world.entity_count() == 1);
    REQUIRE(game.save_main(main("y")) == "");
    CHECK(game.lines() == Lines{"y"});
    CHECK(game.world.entity_count() == 1);
}

TEST_CASE("mods that import from a saved mod keep their references") {
    Game game;
    game.schema("ecs.component('Wind', { { 'speed', 'f32' } })", "weather");
    game.main("", "game");
    const auto weather = [](int number) {
        return fmt::format(
                   "ecs.service('number', function() return {} end)\n"
                   "ecs.prefab('Cloud', {{ C.Wind {{ speed = {} }} }})\n",
                   number, number) +
               says("blow", "blow");
    };
    game.main(weather(1), "weather");
    game.main(
        "local weather = ecs.import('weather')\n"
        "local Cloud, number, Wind = weather.prefabs.Cloud, weather.services.number, "
        "weather.components.Wind\n"
        "ecs.system('use', { access = { services = { 'weather:number' } }, after = 'weather:blow', "
        "run = function() print(number()) end })\n"
        "function speed() local e = ecs.world:spawn(Cloud) return ecs.world:get(e, Wind).speed end\n",
        "user");
    REQUIRE(game.start({"game", "weather", "user"}) == "");
    CHECK(game.lines() == Lines{"blow", "1"});
    REQUIRE(game.save_main(weather(2), "weather") == "");
    CHECK(game.report.mods == Lines{"weather"});
    CHECK(game.lines() == Lines{"blow", "2"});
    CHECK(ScriptWorld::text_of(game.runtime->run("user", "assert(speed() == 2)")) == "");
    REQUIRE(game.save_main(says("blow", "blow"), "weather") == "");
    CHECK_THAT(game.step(), Contains("service 'weather:number' no longer exists"));
    REQUIRE(game.save_schema("ecs.component('Wind', { { 'turn', 'f64' }, { 'speed', 'f32' } })", "weather") ==
            "");
    CHECK(game.report.mods == Lines{"game", "weather", "user"});
    CHECK(ScriptWorld::text_of(game.runtime->run("user", "assert(speed() == 2)")) == "");
}

TEST_CASE("replacements and patches are applied again to a saved mod") {
    Game game;
    game.schema("ecs.component('Health', { { 'hp', 'f32' }, { 'shield', 'f32' } })");
    const auto main = [](int hp, const std::string& more) {
        return fmt::format("ecs.prefab('Orc', {{ C.Health {{ hp = {} }} }})\n", hp) +
               says("fight", "game fights") + more;
    };
    const std::string tuning =
        "ecs.patch_prefab('game:Orc', { { C.Health, shield = 5 } })\n"
        "ecs.replace_system('game:fight', { run = function() print('tuned') end })\n";
    const std::string orc =
        "local e = require('ecs').world:spawn(ORC) "
        "local h = require('ecs').world:get(e, require('ecs').components.Health) ";
    const std::string import = "ORC = ecs.import('game').prefabs.Orc\n";
    game.main(main(10, ""));
    game.main(import + tuning, "tuning");
    REQUIRE(game.start({"game", "tuning"}) == "");
    const auto tuned = [&](const std::string& code) {
        return ScriptWorld::text_of(game.runtime->run("tuning", orc + code));
    };
    CHECK(game.lines() == Lines{"tuned"});
    CHECK(tuned("assert(h.hp == 10 and h.shield == 5)") == "");
    REQUIRE(game.save_main(main(20, says("more", "more"))) == "");
    CHECK(game.report.mods == Lines{"game", "tuning"});
    CHECK(game.lines() == Lines{"tuned", "more"});
    CHECK(tuned("assert(h.hp == 20 and h.shield == 5)") == "");
    CHECK_THAT(game.save_main("error('no')"), Contains("no"));
    CHECK(tuned("assert(h.hp == 20 and h.shield == 5)") == "");
    REQUIRE(game.save_main(import, "tuning") == "");
    CHECK(game.lines() == Lines{"game fights", "more"});
    CHECK(tuned("assert(h.hp == 20 and h.shield == 0)") == "");
    REQUIRE(game.save_main(import + tuning, "tuning") == "");
    CHECK(game.lines() == Lines{"tuned", "more"});
    CHECK_THAT(game.save_main("ecs.prefab('Orc', { C.Health })\n"),
               Contains("there is no system 'game:fight'"));
    CHECK(game.lines().empty());
}

TEST_CASE("a mod that failed to load is loaded when its file is fixed") {
    Game game;
    game.main(says("s", "game"));
    game.main("error('broken')", "late");
    CHECK_THAT(game.start({"game", "late"}), Contains("broken"));
    CHECK(game.lines() == Lines{"game"});
    REQUIRE(game.save_main(says("t", "late"), "late") == "");
    CHECK(game.runtime->has_loaded("late"));
    CHECK(game.lines() == Lines{"late", "game"});
}

TEST_CASE("a game that failed to load runs when its file is fixed") {
    Game game;
    game.main(says("s", "game") + "error('broken')");
    CHECK_THAT(game.start(), Contains("broken"));
    CHECK(game.lines().empty());
    REQUIRE(game.save_main(says("s", "game")) == "");
    CHECK(game.lines() == Lines{"game"});
}

TEST_CASE("a mod that fails three times is switched off until it is saved") {
    Game game;
    const std::string fails = "ecs.system('x', { run = function() error('no') end })\n";
    game.main(says("s", "game"));
    game.main("ecs.service('f', function() return 1 end)\n" + fails, "bad");
    game.main(
        "local f = ecs.import('bad').services.f\n"
        "ecs.system('y', { access = { services = { 'bad:f' } }, run = function() print(f()) end })\n",
        "user");
    REQUIRE(game.start({"game", "bad", "user"}) == "");
    const SystemId x = *game.schedule.find("bad:x");
    for (int i = 0; i < 3; ++i) {
        CHECK(game.runtime->switch_off_failing().empty());
        game.schedule.resume(x);
        CHECK_THAT(game.step(), Contains("no"));
    }
    CHECK(game.runtime->switch_off_failing() == Lines{"bad"});
    CHECK(game.runtime->switch_off_failing().empty());
    CHECK(game.schedule.status(x).is_left_out);
    CHECK_FALSE(game.schedule.is_active(x));
    CHECK_THAT(game.step(),
               Contains("service 'bad:f': its mod was switched off after its systems had failed too often"));
    REQUIRE(game.save_main("ecs.service('f', function() return 2 end)\n" + says("x", "fine"), "bad") == "");
    game.schedule.resume(*game.schedule.find("user:y"));
    CHECK(game.lines() == Lines{"fine", "game", "2"});
}

TEST_CASE("an error about a row shows its entity and its values") {
    Game game;
    game.schema(
        "ecs.component('Ship', { { 'x', 'f32' }, { 'name', 'text', 'none' } }) ecs.component('Flag', {})");
    game.main(
        "ecs.world:spawn(C.Flag, C.Ship { x = 1 }) E = ecs.world:spawn(C.Flag, C.Ship { x = 2, name = 'Ida' "
        "})\n"
        "ecs.system('s', { query = { write = { C.Ship }, read = { C.Flag } }, run = function(chunk)\n"
        "  chunk.Ship.x[2] = 5 chunk.Ship.x[2] = 'no' end })");
    REQUIRE(game.start() == "");
    CHECK_THAT(game.step(), Contains("s"));
    const ScriptError& error = game.runtime->recent_errors().back();
    REQUIRE(error.entity);
    CHECK(game.run("assert(E == " + std::to_string(*error.entity) + ")") == "");
    CHECK(error.values == "Ship {x = 5, name = \"Ida\"}\n");
}

TEST_CASE("a sketch reloads like a game, and a state can be reloaded very often") {
    Game game;
    game.main("function update(dt) print('one') end");
    REQUIRE(game.start() == "");
    CHECK(game.lines() == Lines{"one"});
    REQUIRE(game.save_main("function update(dt) print('two') end function draw() print('draw') end") == "");
    CHECK(game.lines() == Lines{"two", "draw"});

    Game often;
    often.schema(
        "for i = 1, 10 do ecs.component('C' .. i, { { 'x', 'f32' }, { 'y', ecs.array('u8', 4) } }) end\n"
        "ecs.component('O', { kind = 'object' }) ecs.component('B', { kind = 'buffer', { 'x', 'f32' } })");
    std::string main = "ecs.on_added(C.C1, function() end)\n";
    for (int i = 1; i <= 10; ++i) {
        main += fmt::format(
            "ecs.system('s{0}', {{ query = {{ write = {{ C.C{0}, C.O, C.B }} }}, run = print }})\n", i);
    }
    often.main(main);
    REQUIRE(often.start() == "");
    for (int i = 0; i < 400; ++i) REQUIRE(often.reload() == "");
    often.runtime->state("game")->collect();
    CHECK(often.runtime->state("game")->memory_bytes() < 8 * 1024 * 1024);
}

TEST_CASE("reloading unchanged code changes nothing") {
    const auto play = [](int reloaded_at) {
        Game game;
        game.schema(
            "ecs.component('Body', { { 'x', 'f32' }, { 'v', 'f32', 1 } }) ecs.event('Hit', { { 'n', 'u32' } "
            "})\n"
            "ecs.component('Seen', {}) ecs.resource('Sum', { { 'n', 'f64' } })");
        game.main(
            "local P = ecs.prefab('P', { C.Body })\n"
            "ecs.world:spawn(P)\n"
            "ecs.system('spawn', { every = 0.07, run = function(_, ctx) ctx.commands:spawn_many(P, 3, "
            "function(chunk, a, b)\n"
            "  for i = a, b do chunk.Body.x[i] = ctx.random:range(0, 9) end end) end })\n"
            "ecs.system('move', { query = { write = { C.Body } }, access = { write = { C.Hit } }, run = "
            "function(chunk, ctx)\n"
            "  for i = 1, chunk.count do chunk.Body.x[i] = chunk.Body.x[i] + chunk.Body.v[i] * "
            "ctx.random:unit()\n"
            "    if chunk.Body.x[i] > 8 then ctx:send(C.Hit, { n = i }) chunk.Body.x[i] = 0 end end end })\n"
            "ecs.system('slow', { every = 0.5, access = { read = { C.Hit }, write = { C.Sum } }, run = "
            "function(_, ctx)\n"
            "  local s = ctx:resource(C.Sum) s.n = s.n + ctx:events(C.Hit).count * ctx.random:unit() end })\n"
            "ecs.on_added(C.Body, {}, function(batch, ctx) ctx.commands:add(batch.entity[1], C.Seen) end)\n"
            "ecs.on(C.Hit, { access = { write = { C.Sum } } }, function(events, ctx)\n"
            "  local s = ctx:resource(C.Sum) for i = 1, events.count do s.n = s.n + events.n[i] end end)\n");
        REQUIRE(game.start() == "");
        std::vector<std::uint64_t> hashes;
        for (int tick = 0; tick < 240; ++tick) {
            if (tick == reloaded_at) REQUIRE(game.reload() == "");
            REQUIRE(game.step() == "");
            hashes.push_back(world_hash(game.world));
        }
        return hashes;
    };
    const std::vector<std::uint64_t> plain = play(-1);
    Random random(7);
    for (int i = 0; i < 4; ++i) CHECK(play(static_cast<int>(random.integer(0, 40))) == plain);
}

TEST_CASE("no sequence of edits loses an entity") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Random random(seed);
        Game game;
        const auto pick = [&](int most) { return static_cast<int>(random.integer(0, most)); };
        const auto schema = [&] {
            std::string text =
                "ecs.component('A', { version = " + std::to_string(1 + pick(3)) + ", { 'x', 'f32', 1 }";
            for (const char* field : {"y", "z", "w"})
                if (pick(1) == 1)
                    text +=
                        fmt::format(", {{ '{}', '{}', {} }}", field, pick(1) == 1 ? "f32" : "u8", pick(5));
            if (pick(12) == 0) text += ", { 'x', 'f32' }";
            return text + " }) ecs.component('B', { { 'n', '" + (pick(1) == 1 ? "i32" : "i16") + "' } })";
        };
        const auto main = [&] {
            std::string text = "ecs.prefab('P', { C.A { x = " + std::to_string(pick(3)) + " }, C.B })\n";
            for (const char* name : {"s", "t", "u"}) {
                if (pick(3) == 0) continue;
                const std::string body =
                    pick(6) == 0 ? "error('run')"
                                 : "for i = 1, chunk.count do chunk.A.x[i] = chunk.A.x[i] + 1 end";
                text += fmt::format(
                    "ecs.system('{}', {{ query = {{ write = {{ C.A }} }}, run = function(chunk) {} end }})\n",
                    name, body);
            }
            const int mistake = pick(9);
            if (mistake == 0) text += "error('load')";
            if (mistake == 1) text += "x = = 2";
            if (mistake == 2) text += "local v = C.A { y = 1 }";
            return text;
        };
        game.schema("ecs.component('A', { { 'x', 'f32', 1 } }) ecs.component('B', { { 'n', 'i32' } })");
        game.main("for i = 1, 40 do ecs.world:spawn(C.A { x = i }, i % 2 == 0 and C.B or nil) end\n" +
                  main());
        const std::string spawns =
            "for i = 1, 40 do ecs.world:spawn(C.A { x = i }, i % 2 == 0 and C.B or nil) end\n";
        static_cast<void>(game.start());
        if (game.world.entity_count() != 40) continue;
        for (int i = 0; i < 60; ++i) {
            if (pick(2) == 0) game.schema(schema());
            static_cast<void>(game.save_main((pick(1) == 1 ? spawns : "") + main()));
            game.step();
            REQUIRE(game.world.entity_count() == 40);
        }
        game.schema(
            "ecs.component('A', { version = 9, { 'x', 'f32' } }) ecs.component('B', { { 'n', 'i32' } })");
        REQUIRE(game.save_main(says("s", "end")) == "");
        CHECK(game.lines() == Lines{"end"});
    }
}
