// Sketches: the table `state`, which survives a reload and is part of the world, and ecs.world in
// update() and draw().
#include "ecs/files/regular_file.h"
#include "engine/engine.h"
#include "engine/replay/hash_diff.h"
#include "engine/session/game_session.h"
#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr const char* kMain = "main.lua";

// Saves main.lua, and waits until the game has reloaded it.
void save(GameFolder& game, Engine& engine, std::string_view main) {
    game.write(kMain, main);
    engine.session().reload({game.path() / kMain});
}

std::uint64_t hash_after(std::string_view main, int steps) {
    GameFolder game{main};
    const auto engine = game.play();
    run(*engine, steps);
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return engine->hash();
}

std::string log_after(std::string_view main, int steps, std::string_view schema = {}) {
    GameFolder game{main, schema};
    const auto engine = game.play();
    run(*engine, steps);
    return game.log;
}

constexpr std::string_view kBalls =
    "require('ecs').component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })";

}  // namespace

// ---- state ------------------------------------------------------------------------------------------------

TEST_CASE("state survives a reload, and other variables start again") {
    const std::string body =
        "state.n = state.n or 10 state.list = state.list or { 1 } local m = 0\n"
        "function update() state.n = state.n + 1 m = m + 1 state.list[#state.list + 1] = m end\n"
        "function draw() print(state.n, m, #state.list) end";
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, 3);
    game.log.clear();
    save(game, *engine, body + " -- saved");
    game.log.clear();
    run(*engine, 1);
    CHECK(contains(game.log, "14\t1\t5\n"));
    save(game, *engine, "function draw() print(state.n) end");
    game.log.clear();
    run(*engine, 1);
    CHECK(contains(game.log, "14\n"));
    CHECK(engine->error_count() == 0);
    engine->restart();
    game.log.clear();
    run(*engine, 1);
    CHECK(game.log == "nil\n");
}

TEST_CASE("a table that main.lua assigns is the initial state") {
    const std::string body = "state = { n = 1, m = 2 } function update() state.n = state.n + 1 end";
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, 4);
    save(game, *engine,
         "state = { n = 1, extra = 'new' } function draw() print(state.n, state.m, state.extra) end");
    game.log.clear();
    run(*engine, 1);
    CHECK(contains(game.log, "5\t2\tnew\n"));
}

TEST_CASE("a file that fails to load leaves state unchanged") {
    const std::string body =
        "state.n = state.n or 0 function update() state.n = state.n + 1 print(state.n) end";
    GameFolder game{body};
    const auto engine = game.play();
    run(*engine, 3);
    save(game, *engine, "state.n = 100 state.other = {} error 'broken'");
    game.log.clear();
    run(*engine, 1);
    CHECK(game.log.starts_with("4\n"));
}

TEST_CASE("the content of state is part of the world hash if the game uses state") {
    const std::string counts = "function update() state.n = (state.n or 0) + 1 end";
    CHECK(hash_after(counts, 3) == hash_after(counts + " -- the same", 3));
    CHECK(hash_after(counts, 3) != hash_after(counts, 4));
    CHECK(hash_after("function update() state.a = 1 state.b = { 2, x = 3 } end", 2) ==
          hash_after("function update() state.b = { x = 3, 2 } state.a = 1 end", 2));
    CHECK(hash_after("function update() state.a = 1 end", 2) !=
          hash_after("function update() state.a = '1' end", 2));
    CHECK(hash_after("function update() state.a = 0/0 end", 2) ==
          hash_after("function update() state.a = -(0/0) end", 2));
    CHECK(hash_after("local n = 0 function update() n = n + 1 end", 3) ==
          hash_after("local n = 0 function update() n = n + 1 end", 4));
    CHECK(hash_after("local t = {} t.state = 1 function t:state() end function update() t.state = 2 end",
                     3) == hash_after("function update() end", 3));
}

TEST_CASE("a recording replays state, and two runs that differ in it are distinguished") {
    const auto played = [](GameFolder& game, bool replays, const char* hashes) {
        EngineConfig config = game.config();
        config.hash_log_file = game.file(hashes);
        (replays ? config.replay_file : config.record_file) = game.file("log");
        const auto engine = GameFolder::play(config);
        run(*engine, 5);
        if (!replays) run(*engine, 1, key(InputCode::key_space));
        run(*engine, replays ? 6 : 5);
        CHECK(engine->error_count() == 0);
        CHECK(engine->tick() == 11);
        if (!replays) REQUIRE(engine->finish_recording().ok());
        REQUIRE(engine->finish_hash_log().ok());
        return engine->check_replay();
    };
    GameFolder game{"state.x = 0 function update() state.x = state.x + input.value('space') end"};
    CHECK(played(game, false, "a.hashes").ok());
    game.write(kMain,
               "state.x = 0 function update() state.x = state.x + input.value('space') end -- the same");
    CHECK(played(game, true, "b.hashes").ok());
    game.write(kMain, "state.x = 0 function update() state.x = state.x + 2 * input.value('space') end");
    CHECK_FALSE(played(game, true, "c.hashes").ok());
    const auto log = [&](const char* name) {
        return std::move(HashLogReader::open(read_regular_file(game.file(name)).value())).value();
    };
    HashLogReader a = log("a.hashes"), b = log("b.hashes"), again = log("a.hashes"), c = log("c.hashes");
    CHECK(compare(a, b).value().kind == HashDifference::Kind::none);
    CHECK(contains(text_of(compare(again, c).value(), "a", "c"), "(state)"));
}

TEST_CASE("a value that state cannot store is an error that names it, and the game continues") {
    const auto failure = [](const std::string& line) {
        return log_after("function update() " + line + " end", 2);
    };
    CHECK(contains(
        failure("state.foe = { think = print }"),
        "state: 'state.foe.think' is a function; numbers, texts, booleans and tables of those can be kept"));
    CHECK(contains(failure("state.o = setmetatable({}, {})"), "'state.o' is a table with a metatable"));
    CHECK(contains(failure("state.t = state"), "is more than 16 tables deep, or contains itself"));
    CHECK(contains(failure("state.big = ('x'):rep(70000)"),
                   "state: holds more than 65536 bytes of text; keep what there are many of as entities"));
    CHECK(contains(failure("state[{}] = 1"), "'state' is a table with a table as a key"));
    // A variable of the game that is named state.
    CHECK(log_after("state = 'menu' function update() if state == 'menu' then state = 'play' end end", 3) ==
          "");
    CHECK(log_after("local state = { f = print } function update() state.f = nil end", 3) == "");
}

TEST_CASE("after an invalid value in state, a reload continues with the previous state") {
    GameFolder game{
        "state.n = state.n or 0 function update() state.n = state.n + 1 if state.n == 3 then state.f = print "
        "end end"};
    const auto engine = game.play();
    run(*engine, 4);
    CHECK(engine->error_count() == 1);
    save(game, *engine, "function update() state.n = state.n + 1 print(state.n, state.f) end");
    game.log.clear();
    run(*engine, 1);
    CHECK(game.log.starts_with("3\tnil\n"));
    CHECK(engine->error_count() == 1);
}

TEST_CASE("each mod has its own state, systems can use it, and entities in it stay valid") {
    GameFolder game{
        "local ecs = require 'ecs' local C = ecs.components\n"
        "state.ball = state.ball or ecs.world:spawn(C.Position { x = 7 })\n"
        "ecs.system('s', { query = { write = { C.Position } }, run = function(chunk) state.rows = "
        "chunk.count end })\n"
        "function draw() print(state.own, state.rows, ecs.world:get(state.ball, C.Position).x) end",
        kBalls};
    game.write("mods/other/mod.json", R"({"id": "other"})");
    game.write("mods/other/main.lua", "state.own = 'other' function draw() print(state.own, state.rows) end");
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(game.log == "nil\t1\t7\nother\tnil\nnil\t1\t7\nother\tnil\n");
    CHECK(engine->error_count() == 0);
}

// ---- entities ---------------------------------------------------------------------------------------------

TEST_CASE("a sketch spawns, reads, writes and destroys entities in update, and draws them") {
    GameFolder game{
        "local ecs = require 'ecs'\n"
        "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
        "local C, world = ecs.components, ecs.world\n"
        "state.balls = state.balls or {}\n"
        "function update(dt)\n"
        "  if #state.balls < 3 then\n"
        "    local ball = world:spawn(C.Position { x = 100 * #state.balls }, gfx.Sprite { image = "
        "'assets/ball.png' })\n"
        "    assert(world:get(ball, C.Position) == nil, 'it is there when update has ended')\n"
        "    state.balls[#state.balls + 1] = ball\n"
        "  end\n"
        "  for i, ball in ipairs(state.balls) do\n"
        "    local at = world:get(ball, C.Position)\n"
        "    if at then at.y = at.y + i end\n"
        "    if at and at.y >= 6 then world:destroy(ball) table.remove(state.balls, i) break end\n"
        "  end\n"
        "end\n"
        "function draw()\n"
        "  local sum = 0\n"
        "  for _, ball in ipairs(state.balls) do\n"
        "    local at = world:get(ball, C.Position)\n"
        "    gfx.circle('fill', at.x, at.y, 5) sum = sum + at.y\n"
        "  end\n"
        "  print(world:entity_count(), sum)\n"
        "end"};
    game.write("assets/ball.png", png_head(8, 8));
    const auto engine = game.play();
    run(*engine, 6);
    INFO(game.log);
    CHECK(game.log.starts_with("1\t0\n2\t1\n3\t4\n3\t10\n"));
    CHECK(engine->error_count() == 0);
    CHECK(contains(picture(*engine), "assets/ball.png"));
}

TEST_CASE("ecs.world can be changed in update and read in draw, and other uses are errors") {
    const auto log = [](const std::string& body) {
        return log_after(
            "local ecs = require 'ecs' local C, world = ecs.components, ecs.world\n"
            "local e = world:spawn(C.Position { x = 1 })\n" +
                body,
            2, kBalls);
    };
    CHECK(contains(
        log("function draw() world:spawn(C.Position) end"),
        "ecs.world:spawn: draw() cannot change the world, since it runs once per frame; do it in update()"));
    CHECK(contains(log("function draw() world:get(e, C.Position).x = 2 end"), "is read-only here"));
    CHECK(contains(log("function draw() world:buffer(e, C.Position) end"),
                   "ecs.world:buffer: not inside a system"));
    CHECK(contains(log("local kept function update() if kept then print(kept.x) end kept = world:get(e, "
                       "C.Position) end"),
                   "main.lua:3: "));
    CHECK(contains(log("function update() world.spawn(C.Position) end"),
                   "call it as a method: ecs.world:spawn(…)"));
    CHECK(contains(log("function update() world:load 'x.json' end"), "ecs.world:load: not inside a system"));
    // Systems in the same game do not get ecs.world.
    CHECK(contains(
        log("function update() end ecs.system('s', { run = function() world:spawn(C.Position) end })"),
        "ecs.world:spawn: not inside a system; use ctx.commands for changes"));
    CHECK(log("function update(dt, ctx) world:add(e, C.Position) world:set(e, C.Position { x = 3 }) "
              "ctx.commands:spawn(C.Position) assert(world:is_alive(e) and world:has(e, C.Position)) end") ==
          "");
}

TEST_CASE("after a failed update ecs.world is closed for the next function") {
    CHECK(contains(log_after("local ecs = require 'ecs' local world = ecs.world\n"
                             "function update() error 'oh' end\n"
                             "ecs.system('z', { run = function() world:spawn(ecs.components.Position) end })",
                             2, kBalls),
                   "ecs.world:spawn: not inside a system"));
}
