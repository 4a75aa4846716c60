// Worlds that a game saves and loads: the moment, the results, failures, recordings and replays.
#include "engine/modules/world_saves.h"

#include "ecs/files/regular_file.h"
#include "engine/save/save_folder.h"
#include "tests/engine/game_folder.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <csignal>

using namespace perigee;
using namespace perigee::test;
namespace fs = std::filesystem;

namespace {

// Everything that a save must have: rows that come and go, random numbers, a timer, a text, `state`, and a
// result that is shown. The player presses a key to save and another to load.
constexpr char kGame[] = R"lua(
local ecs = require "ecs"
local C = ecs.components
state = { visits = { 0 }, name = "first" }
input.action("s", { keys = { "s" } })
input.action("l", { keys = { "l" } })
ecs.system("spawn", { every = 0.05, run = function(_, ctx)
  ctx.commands:spawn(C.Spark { x = ctx.random:range(0, 9), note = "spark " .. ctx.tick })
end })
ecs.system("move", { query = { write = { C.Spark } }, run = function(chunk, ctx)
  for i = 1, chunk.count do
    chunk.Spark.x[i] = chunk.Spark.x[i] + ctx.random:range(-1, 1) + input.mouse()
    if chunk.Spark.x[i] > 2000 then ctx.commands:destroy(chunk.entity[i]) end
  end
end })
ecs.system("count", { run = function(_, ctx)
  state.visits[1] = state.visits[1] + 1
  state.name = "step " .. ctx.tick
end })
ecs.system("keys", { run = function()
  if input.pressed("s") then assert(save.write_world("slot")) end
  if input.pressed("l") then assert(save.load_world("slot")) end
  local result = save.world_result()
  if result then print(result.action, result.name, result.ok, result.message) end
end })
)lua";
constexpr char kSparks[] = "require('ecs').component('Spark', { { 'x', 'f64' }, { 'note', 'text' } })\n";

// With a folder of saves beside the game.
struct Player : GameFolder {
    explicit Player(std::string_view main = kGame, std::string_view schema = kSparks)
        : GameFolder(main, schema) {}
    EngineConfig config() {
        EngineConfig config = GameFolder::config();
        config.save_folder = file("saves");
        return config;
    }
    std::unique_ptr<Engine> play() { return GameFolder::play(config()); }
    fs::path slot(const std::string& name = "slot") const {
        return file("saves/game/game/worlds/" + name + ".save");
    }
};

void step(Engine& engine, const char* pressed = nullptr) {
    RawInput raw;
    if (pressed != nullptr) {
        const auto code = input_code_from_name(InputDevice::keyboard, pressed);
        raw.events.push_back({code.value(), 1.0F});
        run(engine, 1, raw);
        raw.events = {{code.value(), 0.0F}};
    }
    raw.move_mouse(static_cast<float>(engine.tick() * 7 % 50), 0);
    run(engine, 1, raw);
}

// A step with a press is two.
void steps(Engine& engine, int count) {
    for (int i = 0; i < count; ++i) step(engine);
}

// Runs Lua in a step, and one more for its results.
std::string after(std::string_view body, std::string_view schema = {}) {
    Player game{fmt::format("local n = 0\nfunction update() n = n + 1\n{}\nend", body), schema};
    const auto engine = game.play();
    run(*engine, 2);
    return game.log;
}

constexpr char kResults[] =
    " local r = save.world_result() while r do print(r.action, r.name, r.ok, r.message) r = "
    "save.world_result() end";

}  // namespace

TEST_CASE("a game saves its world in the middle, loads it, and goes on as it would have") {
    Player game;
    const auto engine = game.play();
    steps(*engine, 40);
    step(*engine, "s");
    std::vector<std::uint64_t> hashes;
    std::vector<std::string> pictures;
    const std::uint64_t tick = engine->tick() - 1;  // the world was saved one step ago
    for (int i = 0; i < 30; ++i) {
        hashes.push_back(engine->hash());
        step(*engine);
    }
    CHECK(engine->tick() == tick + 31);
    step(*engine, "l");
    CHECK(engine->tick() == tick + 1);
    for (int i = 0; i < 30; ++i) {
        REQUIRE(engine->hash() == hashes[static_cast<std::size_t>(i)]);
        step(*engine);
    }
    CHECK(game.log == "save\tslot\ttrue\tnil\nload\tslot\ttrue\tnil\n");
    // And in another run.
    const auto later = game.play();
    step(*later, "l");
    CHECK(later->tick() == tick + 1);
    CHECK(later->hash() == hashes[0]);
    CHECK(later->error_count() == 0);
}

TEST_CASE("a recording with loads is replayed without the saves, with the same hashes") {
    Player game;
    EngineConfig config = game.config();
    config.record_file = game.file("log");
    config.steps_per_world = GENERATE(0U, 25U);
    std::vector<std::uint64_t> hashes;
    {
        const auto engine = GameFolder::play(config);
        const auto keep = [&](const char* pressed) {
            step(*engine, pressed);
            hashes.push_back(engine->hash());
        };
        for (int i = 0; i < 20; ++i) keep(nullptr);
        keep("l");  // there is none yet
        for (int round = 0; round < 3; ++round) {
            keep(round == 2 ? nullptr : "s");
            for (int i = 0; i < 15; ++i) keep(nullptr);
            keep("l");
            if (round == 0) engine->restart();
        }
        REQUIRE(engine->finish_recording());
        CHECK(engine->error_count() == 0);
    }
    const std::string live = game.log;
    CHECK(contains(live, "load\tslot\tfalse\t'slot' does not exist\n"));
    const std::string log = read_regular_file(game.file("log")).value();
    CHECK(log.starts_with("perigee input log 5\n"));
    // Two different worlds were loaded, one of them twice.
    std::size_t bytes = 0;
    for (const char* const name : {"slot.save", "slot.save.old"})
        bytes += fs::file_size(game.slot().parent_path() / name);
    if (config.steps_per_world == 0) CHECK(log.size() < bytes + 1000);
    CHECK(log.size() > bytes - 100);

    fs::remove_all(game.file("saves"));
    game.log.clear();
    EngineConfig again = game.config();
    again.seed.reset();
    again.replay_file = game.file("log");
    const auto replay = GameFolder::play(again);
    while (!replay->is_replay_finished()) run(*replay, 1);
    CHECK(replay->check_replay());
    CHECK(replay->hash() == hashes.back());
    CHECK(game.log == live);
    CHECK_FALSE(fs::exists(game.file("saves")));
    // A recording of the replay is a recording of the run.
    again.record_file = game.file("log2");
    again.steps_per_world = config.steps_per_world;
    const auto second = GameFolder::play(again);
    while (!second->is_replay_finished()) run(*second, 1);
    REQUIRE(second->finish_recording());
    CHECK(read_regular_file(game.file("log2")).value() == log);
}

TEST_CASE("a recording of a run that only saves keeps its version, and its replay makes no worlds") {
    Player game;
    EngineConfig config = game.config();
    config.record_file = game.file("log");
    {
        const auto engine = GameFolder::play(config);
        steps(*engine, 5);
        step(*engine, "s");
        steps(*engine, 5);
        REQUIRE(engine->finish_recording());
    }
    const std::string log = read_regular_file(game.file("log")).value();
    CHECK(log.starts_with("perigee input log 3\n"));
    CHECK(log.size() < 500);
}

TEST_CASE("a load that comes before the recording is cut off is played as far as it goes") {
    Player game;
    EngineConfig config = game.config();
    config.record_file = game.file("log");
    auto engine = GameFolder::play(config);
    step(*engine, "s");
    step(*engine, "l");
    steps(*engine, 100);
    fs::copy_file(game.file("log.part"), game.file("cut"));  // as after a crash
    EngineConfig again = game.config();
    again.seed.reset();
    again.replay_file = game.file("cut");
    again.accept_truncated_replay = true;
    const auto replay = GameFolder::play(again);
    run(*replay, 4);
    CHECK(replay->tick() == 2);
}

TEST_CASE("a load restores `state`, and keeps its tables where variables may refer to them") {
    Player game{R"lua(
local ecs = require "ecs"
state = { player = { hp = 10, bag = { "key" } }, list = { 1, 2, 3 }, left = 5, both = { 1 } }
local player, list = state.player, state.list
local n = 0
function update()
  n = n + 1
  if n == 3 then assert(save.write_world("a")) end
  if n == 5 then
    player.hp, player.bag, list[4], state.left, state.new = 1, { "sword", "key" }, 4, nil, { 1 }
    state.extra = state.both  -- one table at two places
  end
  if n == 6 then assert(save.load_world("a")) end
  if n == 7 then
    assert(state.player == player and state.list == list)
    assert(player.hp == 10 and #player.bag == 1 and player.bag[1] == "key")
    assert(#list == 3 and state.left == 5 and state.new == nil and state.extra == nil and state.both[1] == 1)
    print("restored")
  end
end
)lua"};
    const auto engine = game.play();
    run(*engine, 8);
    CHECK(game.log == "restored\n");
    // Also by the other ways that replace a world.
    REQUIRE(engine->save_world(game.file("world")));
    const std::uint64_t hash = engine->hash();
    engine->session().scripts().run("game", "state.player.hp = 99");
    run(*engine, 1);
    REQUIRE(engine->load_world(game.file("world")));
    CHECK(engine->hash() == hash);
    CHECK(engine->session().scripts().run("game", "assert(state.player.hp == 10)").empty());
}

TEST_CASE("math.random continues where it was when the world was saved, and that of draw() does not") {
    Player game{R"lua(
local n, drawn = 0, {}
local ecs = require "ecs"
ecs.system("draws", { run = function() n = n + 1; drawn[n] = math.random() end })
ecs.system("steps", { after = "draws", run = function()
  if n == 3 then save.write_world "a" end
  if n == 6 then save.load_world "a" end
  if n == 9 then
    for i = 4, 6 do assert(drawn[i + 3] == drawn[i]) end
    assert(drawn[1] ~= drawn[4])
    print "same"
  end
end })
function draw() math.random() end
)lua"};
    const auto engine = game.play();
    for (int i = 0; i < 10; ++i) {
        run(*engine, 1);
        DrawList list;
        engine->session().present(1, "", list);
    }
    CHECK(game.log == "same\n");
}

TEST_CASE("entities whose objects are one table still share it after a load") {
    Player game{R"lua(
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
local common, own = { count = 1 }, { count = 1 }
local e = {}
for i, value in ipairs { common, common, own } do
  e[i] = world:spawn(C.Brain)
  world:set_object(e[i], C.Brain, value)
end
e[4] = world:clone(e[1])
local function brain(i) return world:object(e[i], C.Brain) end
local function check(count)
  assert(brain(1) == brain(2) and brain(1) == brain(4) and brain(1) ~= brain(3))
  brain(2).count = brain(2).count + 1
  assert(brain(1).count == count + 1 and brain(4).count == count + 1 and brain(3).count == 1)
  world:set_object(e[1], C.Brain, brain(1))  -- no new value
  assert(brain(1) == brain(4))
end
local n = 0
ecs.system("steps", { exclusive = true, access = { write = { C.Brain } }, run = function()
  n = n + 1
  if n == 1 then check(1); save.write_world "a" end
  if n == 2 then check(2); check(3); save.load_world "a" end
  if n == 3 then check(2); print "shared" end
end })
)lua",
                "require('ecs').component('Brain', { kind = 'object' })"};
    const auto engine = game.play();
    run(*engine, 4);
    CHECK(game.log == "shared\n");
}

TEST_CASE("requests are carried out in order, while loading too, and results wait to be taken") {
    Player game{
        "save.write_world('a') save.write_world('b') save.load_world('none') save.load_world('a')\n"
        "local n = 0 function update() n = n + 1 if n < 2 then return end" +
        std::string(kResults) + " end"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(game.log ==
          "world 'none' does not exist\nsave\ta\ttrue\tnil\nsave\tb\ttrue\tnil\n"
          "load\tnone\tfalse\t'none' does not exist\nload\ta\ttrue\tnil\n");
    CHECK(fs::exists(game.slot("b")));
}

TEST_CASE("at most sixteen results wait") {
    const std::string log = after("if n < 2 then for i = 1, 10 do save.load_world('w' .. i) end end");
    CHECK(contains(log, "world 'w10' does not exist"));
    Player game{
        "function update(_, ctx) if ctx.tick % 60 == 0 then save.load_world('w' .. ctx.tick) end\n"
        "if ctx.tick == 1199 then local n = 0 while save.world_result() do n = n + 1 end print('n', n) end "
        "end"};
    const auto engine = game.play();
    run(*engine, 1200);
    CHECK(contains(game.log, "n\t16\n"));
}

TEST_CASE("saved worlds are listed and deleted apart from tables of the same name") {
    CHECK(after("if n == 1 then save.write('a', { 1 }) save.write_world('a') save.write_world('b') else\n"
                "print(table.concat(save.worlds(), ' '), table.concat(save.list(), ' '))\n"
                "print(save.delete_world('b'), save.delete_world('b'), table.concat(save.worlds(), ' '))\n"
                "print(save.read('b'), save.delete('a'), table.concat(save.worlds(), ' ')) end") ==
          "a b\ta\ntrue\tfalse\ta\nnil\ttrue\ta\n");
}

TEST_CASE("only the game saves and loads worlds, in simulation, under a name") {
    Player game{"function update() end"};
    game.write("mods/bad/mod.json", R"({"id": "bad"})");
    game.write(
        "mods/bad/main.lua",
        "for _, name in ipairs { 'write_world', 'load_world', 'world_result', 'worlds', 'delete_world' } do\n"
        "print(pcall(save[name], 'a')) end");
    static_cast<void>(game.play());
    for (const char* const name : {"write_world", "load_world", "world_result", "worlds", "delete_world"})
        CHECK(contains(game.log,
                       fmt::format("save.{}: the world belongs to the game; a mod can send it an event "
                                   "that asks for this\n",
                                   name)));
    CHECK(contains(after("save.write_world('a/b')"), "save.write_world: 'a/b' is not a name"));
    CHECK(contains(after("save.load_world(7)"), "save.load_world: expected a name, got 7"));
    GameFolder drawn{"function draw() save.write_world('a') end"};
    run(*drawn.play(), 1);
    CHECK(contains(drawn.log, "save.write_world: not in draw() or a presentation system"));
    GameFolder system{
        "require('ecs').system('s', { group = 'presentation', run = function() save.load_world('a') end })"};
    run(*system.play(), 1);
    CHECK(contains(system.log, "save.load_world: not in draw() or a presentation system"));
}

TEST_CASE("a load after which the world is younger does not keep the game from saving") {
    Player game;
    const auto engine = game.play();
    step(*engine, "s");
    steps(*engine, 600);
    for (int i = 0; i < 8; ++i) step(*engine, "s");
    steps(*engine, 300);
    engine->session().scripts().run("game", "assert(save.write_world('again'))");
    for (int i = 0; i < 5; ++i) step(*engine, "l");
    steps(*engine, 300);
    CHECK(engine->session()
              .scripts()
              .run("game", "assert(save.write('x', {})) assert(save.write_world('y'))")
              .empty());
    CHECK(engine->error_count() == 0);
    const std::string often = after("if n == 1 then for i = 1, 11 do print(save.load_world('a')) end end");
    CHECK(
        contains(often,
                 "nil\t'a' must wait: after 10 writes, deletions or loads in a row, one is allowed every 30 "
                 "steps\n"));
}

// ---- failures ---------------------------------------------------------------------------------------------

namespace {

// The message of a load of these bytes in a file of their own; the world must stay as it was.
std::string load_of(Player& game, std::string_view bytes) {
    SaveFolder saves{game.file("saves")};
    REQUIRE(saves.write("game/game/worlds", "slot", bytes));
    game.log.clear();
    const auto engine = game.play();
    const auto other = game.play();
    step(*engine, "l");
    step(*other);
    step(*other);
    CHECK(engine->tick() == other->tick());
    CHECK(engine->session().world().entity_count() == other->session().world().entity_count());
    CHECK(engine->error_count() == 0);
    const std::size_t at = game.log.find("load\tslot\tfalse\t");
    return at == std::string::npos ? game.log : game.log.substr(at + 16);
}

// The bytes of the world of a game after a few steps.
std::string world_of(std::string_view main, std::string_view schema, int count = 20) {
    Player game{main, schema};
    const auto engine = game.play();
    steps(*engine, count);
    return engine->session().write_world().value();
}

}  // namespace

TEST_CASE("a world that cannot be loaded leaves everything as it was, and the game gets the reason") {
    Player game;
    CHECK(load_of(game, "garbage") == "'slot' cannot be loaded: this is not a saved world\n");
    const std::string whole = world_of(kGame, kSparks);
    CHECK(contains(load_of(game, whole.substr(0, whole.size() / 2)),
                   "'slot' cannot be loaded: the saved world is damaged"));
    for (std::size_t at = 20; at < whole.size(); at += whole.size() / 5) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 4);
        CHECK(contains(load_of(game, flipped), "'slot' cannot be loaded: "));
    }
    // Of another game.
    const std::string other =
        world_of("require('ecs').world:spawn(require('ecs').components.Ship) function update() end",
                 "require('ecs').component('Ship', { { 'x', 'f32' } })");
    CHECK(contains(load_of(game, other), "component 'Ship'"));
    // Of an older version of it, with a value that the new one cannot hold.
    const std::string older = world_of(
        "local ecs = require('ecs') ecs.world:spawn(ecs.components.Spark { x = 'far' }) function update() "
        "end",
        "require('ecs').component('Spark', { { 'x', 'text' }, { 'note', 'text' } })");
    const std::string reason = load_of(game, older);
    CHECK(contains(reason, "component 'Spark': the new schema would lose values"));
    CHECK(contains(reason,
                   "field 'x' turns from text to f64: 1 of its values, the first is 'far', of entity 1"));
}

TEST_CASE("a world of an older version passes through the functions of the game for it") {
    GameFolder older{
        "local ecs = require('ecs') ecs.world:spawn(ecs.components.Spark { heat = 3 }) function update() end",
        "require('ecs').component('Spark', { { 'heat', 'u8' } })"};
    const auto before = older.play();
    run(*before, 1);
    const std::string bytes = before->session().write_world().value();
    GameFolder game{
        "local ecs = require('ecs') local all = ecs.query { read = { ecs.components.Spark } }\n"
        "function update() end\n"
        "function check() local e = ecs.world:entities(all)[1]\n"
        "  assert(ecs.world:get(e, ecs.components.Spark).heat == 303) end",
        "require('ecs').component('Spark', { version = 2, { 'heat', 'u16' },\n"
        "  migrate = { [1] = function(old) return { heat = old.heat + 300 } end } })"};
    const auto engine = game.play();
    REQUIRE(engine->session().read_world(bytes).ok());
    CHECK(engine->session().scripts().run("game", "check()").empty());
    CHECK(game.log.empty());
}

TEST_CASE("a damaged file gives the previous version of a world, and says so") {
    Player game;
    const auto engine = game.play();
    step(*engine, "s");
    const std::uint64_t hash = engine->hash();
    steps(*engine, 30);
    step(*engine, "s");
    std::string bytes = read_regular_file(game.slot()).value();
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    game.files().write("saves/game/game/worlds/slot.save", bytes);
    game.log.clear();
    step(*engine, "l");
    CHECK(engine->hash() == hash);
    CHECK(game.log == "load\tslot\ttrue\t'slot' is damaged or gone: this is the version before it\n");
}

TEST_CASE("a full disk and a missing folder are reasons, and the old world stays") {
    Player game;
    const auto engine = game.play();
    steps(*engine, 20);
    step(*engine, "s");
    const std::string old = read_regular_file(game.slot()).value();
    game.log.clear();
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 50;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    step(*engine, "s");
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, ignored);
    CHECK(contains(game.log, "save\tslot\tfalse\t'slot' cannot be written: File too large\n"));
    CHECK(contains(game.log, "world 'slot' cannot be written: "));
    CHECK(read_regular_file(game.slot()).value() == old);
    step(*engine, "l");
    CHECK(contains(game.log, "load\tslot\ttrue\tnil\n"));
}

TEST_CASE("a world is loaded and saved at the end of a step in which systems fail") {
    Player game{R"lua(
local ecs = require "ecs"
local C = ecs.components
ecs.system("add", { run = function(_, ctx) ctx.commands:spawn(C.Spark { x = ctx.tick }) end })
ecs.system("fails", { run = function(_, ctx)
  ctx.commands:spawn(C.Spark)
  if ctx.tick == 2 then save.write_world("slot") error("stop") end
end })
ecs.system("later", { after = "fails", run = function(_, ctx)
  if ctx.tick == 8 then save.load_world("slot") error("stop too") end
end })
)lua"};
    const auto engine = game.play();
    run(*engine, 3);
    const std::uint64_t hash = engine->hash();
    CHECK(engine->error_count() == 1);
    run(*engine, 6);
    CHECK(engine->error_count() == 2);
    CHECK(engine->hash() == hash);
    CHECK(engine->tick() == 3);
    run(*engine, 3);
    CHECK(engine->tick() == 6);
}

TEST_CASE("worlds have limits of their own, and a store that cannot be listed is a reason") {
    MemoryData data;
    std::uint64_t steps = 0;
    WorldSaves worlds{data, "g/g", steps};
    const auto load = [](std::string_view) { return Result<void>{}; };
    const auto result_of = [&](const WorldRequest& request, std::size_t bytes) {
        worlds.ask(request);
        return worlds.carry_out([bytes]() -> Result<std::string> { return std::string(bytes, 'w'); }, load)
            .at(0)
            .error;
    };
    CHECK(result_of({false, "a"}, kMaxWorldBytes).empty());
    CHECK(result_of({false, "b"}, kMaxWorldBytes + 1) ==
          "cannot be written: it takes 67108865 bytes, and a file has at most 67108864");
    for (const char* const name : {"b", "c", "d"}) CHECK(result_of({false, name}, kMaxWorldBytes).empty());
    CHECK(result_of({false, "e"}, 1) ==
          "cannot be written: all saved worlds would have 268435457 bytes, and their limit is 268435456");
    CHECK(result_of({false, "a"}, 1).empty());
    CHECK(result_of({true, "a"}, 0).empty());
    worlds.ask({false, "f"});
    const auto failed = worlds.carry_out([]() -> Result<std::string> { return Error{"an object"}; }, load);
    CHECK(failed.at(0).error == "cannot be saved: an object");

    struct Broken final : PlayerData {
        Result<std::vector<File>> list(const std::string&) override { return Error{"no list"}; }
        Result<std::optional<Content>> read(const std::string&, const std::string&, Version) override {
            return Error{"no read"};
        }
        Result<void> write(const std::string&, const std::string&, std::string_view) override { return {}; }
        Result<void> remove(const std::string&, const std::string&) override { return {}; }
    } broken;
    WorldSaves none{broken, "g/g", steps};
    none.ask({false, "a"});
    none.ask({true, "a"});
    const auto results = none.carry_out([]() -> Result<std::string> { return std::string(); }, load);
    CHECK(results.at(0).error == "no list");
    CHECK(results.at(1).error == "no read");
}
