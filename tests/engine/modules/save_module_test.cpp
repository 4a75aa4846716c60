// The module save in scripts: round trips, errors, limits, and replays.
#include "engine/modules/save_module.h"

#include "ecs/files/regular_file.h"
#include "engine/replay/hash_diff.h"
#include "engine/save/save_folder.h"
#include "tests/engine/game_folder.h"

#include <fmt/format.h>

using namespace perigee;
using namespace perigee::test;
namespace fs = std::filesystem;

namespace {

std::string failure(std::string_view body) {
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, 1);
    INFO(body);
    INFO(game.log);
    CHECK(engine->error_count() == 1);
    return game.log;
}

// Runs main.lua and some steps, in which nothing may fail.
void passes(std::string_view body, int steps = 1) {
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, steps);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

// With a folder of saves beside the game.
struct Player : GameFolder {
    explicit Player(std::string_view main, std::string_view schema = {})
        : GameFolder(std::string(main) + "\nfunction update() end", schema) {}
    EngineConfig config() {
        EngineConfig config = GameFolder::config();
        config.save_folder = file("saves");
        return config;
    }
    std::unique_ptr<Engine> play() { return GameFolder::play(config()); }
    void put(const std::string& name, std::string_view bytes) const {
        files().write("saves/game/game/" + name, bytes);
    }
};

constexpr std::string_view kEveryValue = R"lua(
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b and 1 / (tonumber(a) or 1) == 1 / (tonumber(b) or 1) or a ~= a and b ~= b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end
local all = {}
for i = 0, 255 do all[#all + 1] = string.char(i) end
local value = {
  1, -2, 0.1, 1e300, -1e-300, 2^53, 2^53 + 2, 1e15, 123456789.123456789, -0, 0, 1/0, -1/0, 0/0, true, false, "", "two words",
  table.concat(all), { {}, { {} } }, 5e-324, 1/3, "\\065", "a\"b\\c\n", 1.7976931348623157e308,
  x = { y = { z = "deep" } }, ["and"] = 1, ["two words"] = 2, [""] = 3, [0] = "zero", [-5] = 1, [2.5] = "half", [1e20] = 4,
  [true] = "yes", [false] = "no", [1/0] = 6, [1000] = "sparse",
}
assert(save.write("all", value) == true)
local back = assert(save.read("all"))
assert(same(value, back))
back.x.y.z = "changed"
assert(save.read("all").x.y.z == "deep", "each read gives a table of its own")
local shared = { 1 }
assert(save.write("shared", { shared, shared }))
local two = save.read("shared")
assert(two[1] ~= two[2] and two[1][1] == 1 and two[2][1] == 1)
)lua";

}  // namespace

TEST_CASE("every storable value is read back bit for bit, in memory, from disk, and interpreted") {
    passes(kEveryValue);
    Player game{kEveryValue};
    CHECK(game.play()->error_count() == 0);
    game.write("main.lua", std::string(kEveryValue.substr(0, kEveryValue.find("assert(save.write"))) +
                               "assert(same(value, assert(save.read('all'))))");
    EngineConfig config = game.config();
    config.is_interpreted = true;
    const auto engine = GameFolder::play(config);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("saves can be read in another run, listed and deleted, with a folder for each game and mod") {
    Player game{
        "local best = save.read('best') or { score = 0 }\n"
        "assert(save.write('best', { score = best.score + 5 }))\n"
        "if best.score == 0 then assert(#save.list() == 1 and save.write('a-slot', {})) end\n"
        "print(best.score, table.concat(save.list(), ' '))\n"
        "if best.score == 10 then print(save.delete('best'), save.delete('best'), save.read('best'), "
        "#save.list()) end"};
    game.write("mods/bad/mod.json", R"({"id": "bad"})");
    game.write("mods/bad/main.lua",
               "print(#save.list(), save.read('best')) assert(save.write('own', { 1 }))");
    for (int i = 0; i < 3; ++i) static_cast<void>(game.play());
    CHECK(game.log ==
          "0\ta-slot best\n0\tnil\n5\ta-slot best\n1\tnil\n10\ta-slot best\ntrue\tfalse\tnil\t1\n1\tnil\n");
    CHECK(fs::exists(game.file("saves/game/bad/own.save")));
    CHECK(fs::exists(game.file("saves/game/game/a-slot.save")));
    CHECK_FALSE(fs::exists(game.file("saves/game/game/best.save")));
}

TEST_CASE("runs without a save folder start with no saves and leave none") {
    GameFolder game{"assert(not save.read('best')) assert(save.write('best', {})) assert(save.read('best'))"};
    for (int i = 0; i < 2; ++i) {
        const auto engine = game.play();
        CHECK(engine->error_count() == 0);
        engine->restart();  // what was written is there, as it is with a folder
        CHECK(engine->error_count() == 1);
    }
}

TEST_CASE("a restarted game finds its saves") {
    Player game{"print(save.read('n') and save.read('n')[1]) assert(save.write('n', { 7 }))"};
    const auto engine = game.play();
    engine->restart();
    CHECK(game.log == "nil\n7\n");
}

TEST_CASE("a replay repeats recorded answers and errors, and does not touch the disk") {
    Player game{
        "local ecs = require 'ecs' local C = ecs.components\n"
        "local first = save.read('best') or { n = 1 }\n"
        "ecs.world:resource(C.R).n = first.n\n"
        "ecs.system('s', { access = { write = { C.R } }, run = function(_, ctx)\n"
        "  local r = ctx:resource(C.R)\n"
        "  if ctx.tick == 1 then r.n = r.n + #save.list() end\n"
        "  if ctx.tick == 2 then r.n = r.n + (save.read('other') or { n = 100 }).n end\n"
        "  if ctx.tick == 3 then assert(save.write('best', { n = r.n })) end\n"
        "  if ctx.tick > 5 then local ok, why = save.write('often', {}) if not ok then r.n = r.n + #why end "
        "end\n"
        "  if ctx.tick == 50 then r.n = r.n + (save.read('torn') and 7 or 9) r.n = r.n + save.read('best').n "
        "end\n"
        "  if ctx.tick == 51 then save.delete('best') end\n"
        "end })",
        "require('ecs').resource('R', { { 'n', 'f64' } })"};
    game.put("torn.save", "perigee");
    {
        SaveFolder saves{game.file("saves")};
        REQUIRE(saves.write("game/game", "best", "{n=41}").ok());
        REQUIRE(saves.write("game/game", "other", "{n=1000}").ok());
    }
    EngineConfig config = game.config();
    config.record_file = game.file("log");
    config.hash_log_file = game.file("live.hashes");
    std::uint64_t hash = 0;
    {
        const auto engine = GameFolder::play(config);
        run(*engine, 60);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        hash = engine->hash();
        REQUIRE(engine->finish_recording().ok());
        REQUIRE(engine->finish_hash_log().ok());
    }
    const auto replay = [&](const fs::path& saves) {
        EngineConfig again = game.config();
        again.seed.reset();
        again.save_folder = saves;
        again.replay_file = game.file("log");
        again.hash_log_file = game.file("replay.hashes");
        const auto engine = GameFolder::play(again);
        while (!engine->is_replay_finished()) run(*engine, 1);
        CHECK(engine->error_count() == 0);
        CHECK(engine->check_replay().ok());
        CHECK(engine->hash() == hash);
        REQUIRE(engine->finish_hash_log().ok());
    };
    fs::remove_all(game.file("saves"));
    replay(game.file("saves"));
    CHECK_FALSE(fs::exists(game.file("saves")));
    const auto hashes = [&game](const char* name) {
        return std::move(HashLogReader::open(read_regular_file(game.file(name)).value())).value();
    };
    HashLogReader live = hashes("live.hashes"), again = hashes("replay.hashes");
    CHECK(compare(live, again).value().kind == HashDifference::Kind::none);
    game.put("best.save", "other");
    replay({});
}

TEST_CASE("a replay with a restart repeats the reads after it") {
    Player game{
        "local ecs = require 'ecs' local n = save.read('n') or { 0 }\n"
        "assert(save.write('n', { n[1] + 1 })) ecs.world:resource(ecs.components.R).n = n[1]\n"
        "function update() end",
        "require('ecs').resource('R', { { 'n', 'f64' } })"};
    EngineConfig config = game.config();
    config.record_file = game.file("log");
    std::uint64_t hash = 0;
    {
        const auto engine = GameFolder::play(config);
        run(*engine, 3);
        engine->restart();
        run(*engine, 3);
        hash = engine->hash();
        REQUIRE(engine->finish_recording().ok());
    }
    config = game.config();
    config.seed.reset();
    config.replay_file = game.file("log");
    const auto engine = GameFolder::play(config);
    while (!engine->is_replay_finished()) run(*engine, 1);
    CHECK(engine->hash() == hash);
    CHECK(engine->check_replay().ok());
}

TEST_CASE("a damaged file gives the previous version and reports it") {
    Player game{"local t, why = save.read('best') print(t and t[1], why)"};
    SaveFolder saves{game.file("saves")};
    const auto message = [&] {
        game.log.clear();
        static_cast<void>(game.play());
        return game.log;
    };
    REQUIRE(saves.write("game/game", "best", "{1}").ok());
    CHECK(message() == "1\tnil\n");
    REQUIRE(saves.write("game/game", "best", "{2}").ok());
    game.put("best.save", "torn");
    CHECK(message() == "1\t'best' is damaged or gone: this is the version before it\n");
    // The checksum is right, but no game wrote this text.
    fs::remove(game.file("saves/game/game/best.save"));
    REQUIRE(saves.write("game/game", "best", "{2}").ok());
    REQUIRE(saves.write("game/game", "best", "os.exit()").ok());
    CHECK(message() == "2\t'best' is damaged or gone: this is the version before it\n");
    game.put("best.save.old", "torn");
    CHECK(message() == "nil\t'best' is damaged, and there is no previous version\n");
    game.put("best.save", "torn");
    CHECK(message() == "nil\t'best' is damaged, and there is no previous version\n");
}

TEST_CASE("any file contents are read as a plain table or refused") {
    Player game{
        "for i, name in ipairs(save.list()) do\n"
        "  local t = save.read(name)\n"
        "  if t then assert(getmetatable(t) == nil) for k, v in pairs(t) do assert(tostring(v) and k == k) "
        "end end\n"
        "  print(name, t ~= nil)\n"
        "end"};
    SaveFolder saves{game.file("saves")};
    int number = 0;
    const auto put = [&](const std::string& text) {
        REQUIRE(saves.write("game/game", fmt::format("f{:02}", number++), text).ok());
    };
    const std::vector<std::string> valid = {"{}", "{1}", "{{{}}}", "{a=1,[2]=3}", "{[nan]=1}" /* no */};
    for (const std::string& text : valid) put(text);
    for (const std::string& text : std::vector<std::string>{"",
                                                            "{",
                                                            "}",
                                                            "{1",
                                                            "{1,",
                                                            "{1,}",
                                                            "{,}",
                                                            "{1}x",
                                                            "1",
                                                            "{nil}",
                                                            "{a=}",
                                                            "{=1}",
                                                            "{[1=2}",
                                                            "{[1]2}",
                                                            "{[{}]=1}",
                                                            "{function() end}",
                                                            "{0x10}",
                                                            "{1e}",
                                                            "{--1}",
                                                            "{'x'}",
                                                            "{\"x}",
                                                            "{\"\n\"}",
                                                            "{a.b=1}",
                                                            "{1e999999999999999999999999999}",
                                                            "{_G}",
                                                            "{[[x]]}",
                                                            std::string(100'000, '{'),
                                                            "{" + std::string(900'000, '1') + "}",
                                                            "return {}",
                                                            std::string("{\0}", 3),
                                                            "{\"\\999\"}"})
        put(text);
    static_cast<void>(game.play());
    std::string expected;
    for (int i = 0; i < number; ++i)
        expected += fmt::format("f{:02}\t{}\n", i, i < 4 || i == number - 1 ? "true" : "false");
    CHECK(game.log == expected);
}

TEST_CASE("a script gets the reason of a failed write, and the game continues") {
    Player game{"local ok, why = save.write('best', {}) print(ok, why)"};
    game.files().write("saves", "a file where the folder belongs");
    const auto engine = game.play();
    CHECK(engine->error_count() == 0);
    CHECK(contains(game.log, "nil\t'best' the folder cannot be listed: Not a directory"));
    Player list{"print(save.list()) print(save.read('x')) print(save.delete('x'))"};
    list.files().write("saves", "x");
    static_cast<void>(list.play());
    CHECK(contains(list.log, "nil\tthe folder cannot be listed: Not a directory\nnil\t'x' the folder"));
}

TEST_CASE("the size, number and write rate of files have limits that a script can handle") {
    passes(
        "local big = ('x'):rep(2^20 - 4)\n"
        "assert(save.write('a', { big }))\n"
        "local ok, why = save.write('a', { big .. 'y' })\n"
        "assert(not ok and why == \"'a' cannot be written: a file has at most 1048576 bytes\", why)\n"
        "assert(not save.write('a', { { big }, big }))\n"
        "for i = 1, 7 do assert(save.write('b' .. i, { big })) end\n"
        "ok, why = save.write('c', { 1 })\n"
        "assert(not ok and why == \"'c' cannot be written: the mod would have 8388611 bytes, and its limit "
        "is 8388608; request more with 'save_mb' in mod.json\", why)\n"
        "assert(save.write('a', { 1 }) and save.write('c', { 1 }))\n"
        "ok, why = save.write('c', { 2 })\n"
        "assert(not ok and why == \"'c' must wait: after 10 writes, deletions or loads in a row, one is "
        "allowed every 30 steps\", why)\n"
        "ok, why = save.delete('c')\n"
        "assert(ok == nil and why:find 'must wait: after 10 writes', why)\n"
        "assert(save.delete('none') == false)\n"
        "local n = 0\n"
        "function update()\n"
        "  n = n + 1\n"
        "  if n == 31 then assert(save.write('d', {})) assert(not save.write('d', {})) end\n"
        "  if n == 62 then assert(save.write('d', {})) assert(not save.write('d', {})) end\n"
        "end",
        70);
    passes(
        "local n = 0 function update() n = n + 1\n"
        "  if n % 30 == 1 then local ok, why = save.write('n' .. n, {})\n"
        "  if n < 3000 then assert(ok, why)\n"
        "  else assert(why == \"'n3001' cannot be written: there are 100 files already, which is the "
        "limit\", why) end end end",
        3001);
}

TEST_CASE("mod.json can request more room, and the player decides") {
    for (const auto& [request, settings, room] :
         {std::tuple{"", "", 8.0}, std::tuple{R"(, "permissions": {"save_mb": 16})", "", 16.0},
          std::tuple{R"(, "permissions": {"save_mb": 999})", "", 32.0},
          std::tuple{"", R"({"game": {"permissions": {"save_mb": 1}}})", 1.0}}) {
        GameFolder game{
            "local big, n = ('x'):rep(2^20 - 4), 0\n"
            "function update() n = n + 1 if n % 30 == 1 and not save.write('n' .. n, { big }) then print(n) "
            "app.quit() end end"};
        game.write("mod.json", R"({"id": "game")" + std::string(request) + "}");
        EngineConfig config = game.config();
        if (*settings != '\0') {
            game.write("settings.json", settings);
            config.settings_file = game.path() / "settings.json";
        }
        const auto engine = GameFolder::play(config);
        while (!engine->wants_quit() && engine->tick() < 2000) run(*engine, 1);
        CHECK(static_cast<double>(engine->tick()) == room * 30 + 1);
        CHECK(contains(game.log, "requests save_mb 999 and gets 32") == (room == 32));
    }
}

TEST_CASE("[save] argument errors name the function and the place in the value") {
    CHECK(contains(failure("save.write(5, {})"), "main.lua:1: save.write: expected a name, got 5"));
    CHECK(contains(
        failure("save.write('../x', {})"),
        "save.write: '../x' is not a name: letters, digits, '-', '_' and '.', which is not the first"));
    CHECK(contains(failure("save.read('.x')"), "save.read: '.x' is not a name"));
    CHECK(contains(failure("save.read('')"), "save.read: '' is not a name"));
    CHECK(contains(failure("save.delete('a\\0b')"), "save.delete: "));
    CHECK(contains(failure("save.read(('x'):rep(65))"),
                   "save.read: a name has at most 64 bytes, this one has 65"));
    CHECK(
        contains(failure("save.write('x')"), "save.write: expected a table such as { score = 5 }, got nil"));
    CHECK(contains(
        failure("save.write('best', { list = { 1, { think = print } } })"),
        "save.write: 'best.list[2].think' is a function; numbers, texts, booleans and tables of those can be "
        "kept"));
    CHECK(
        contains(failure("save.write('x', { setmetatable({}, {}) })"), "'x[1]' is a table with a metatable"));
    CHECK(contains(failure("save.write('x', { [{}] = 1 })"), "'x' is a table with a table as a key"));
    CHECK(contains(failure("save.write('x', { [print] = 1 })"), "'x' is a table with a function as a key"));
    CHECK(contains(failure("local t = {} t.t = t save.write('x', t)"),
                   "is more than 16 tables deep, or contains itself"));
    CHECK(contains(failure("save.write('x', { a = coroutine.create(print) })"), "'x.a' is a coroutine"));
    CHECK(contains(failure("save.writ('x')"), "save has no 'writ'; did you mean 'write'?"));
    CHECK(contains(failure("save.store('x')"),
                   "save has no 'store'; there are delete, delete_world, list, load_world, read, "
                   "world_result, worlds, write, write_world"));
}

TEST_CASE("presentation cannot save, since it is not part of a recording") {
    for (const char* call : {"save.read('x')", "save.write('x', {})", "save.list()", "save.delete('x')"})
        CHECK(contains(failure("function draw() " + std::string(call) + " end"),
                       "not in draw() or a presentation system; what is kept belongs to the simulation"));
}

TEST_CASE("a hostile mod that reads and writes constantly uses fuel and does not crash") {
    GameFolder game{"function update() end"};
    game.write("mods/bad/mod.json", R"({"id": "bad"})");
    game.write("mods/bad/main.lua",
               "local ecs = require 'ecs'\n"
               "local t = {} for i = 1, 2e5 do t['key' .. i] = i end\n"
               "local deep = {} local at = deep for i = 1, 1e4 do at[1] = {} at = at[1] end\n"
               "local bad = { t, { ('x'):rep(1e7) }, deep, { { [('k'):rep(3e6)] = 1 } } }\n"
               "ecs.system('loop', { run = function() while true do for _, v in ipairs(bad) do "
               "pcall(save.write, 'x', v) "
               "pcall(save.read, 'x') end end end })\n"
               "ecs.system('names', { run = function() while true do pcall(save.read, ('x'):rep(1e6)) "
               "save.list() end end })");
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(contains(game.log, "used more than"));
    CHECK(engine->tick() == 3);
}
