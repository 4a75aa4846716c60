// A game with mods on disk: which load, what the card shows, which files belong to which mod, and two
// engines.
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/assets/assets.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/engine/game_folder.h"

#include <cstring>

using namespace perigee;
using namespace perigee::test;

namespace {

const std::string kHead = "local ecs = require 'ecs'\nlocal C = ecs.components\n";

// A system of a mod that adds `amount` to the game's resource Sum.
std::string adding(const std::string& game, double amount) {
    return kHead + "local R = ecs.import('" + game +
           "').resources\n"
           "ecs.system('add', { access = { write = { R.Sum } }, run = function(_, ctx)\n"
           "  ctx:resource(R.Sum).value = ctx:resource(R.Sum).value + " +
           std::to_string(amount) + "\nend })\n";
}

const std::string kSchema = kHead + "ecs.resource('Sum', { { 'value', 'f64' } })\n";

double sum(Engine& engine) {
    World& world = engine.session().world();
    double value = 0;
    std::memcpy(&value, world.resources().data(*world.registry().find("Sum")), sizeof(value));
    return value;
}

}  // namespace

TEST_CASE("a game runs with its own mods and those of the player's folders") {
    GameFolder game{kHead, kSchema};
    game.write("mods/one/main.lua", adding("game", 1));
    game.files().write("more/ten/main.lua", adding("game", 10));
    game.files().write("more/ten/mod.json", R"({"version": "1.2", "depends": {"one": "*", "game": "*"}})");
    EngineConfig config = game.config();
    config.mod_folders = {game.file("more")};
    const auto engine = GameFolder::play(std::move(config));
    run(*engine, 3);
    CHECK(sum(*engine) == 33);
    CHECK(engine->has_loaded());
    CHECK(engine->error_count() == 0);
    CHECK(engine->session().identity() == "game one@0.0.0 ten@1.2.0");
}

TEST_CASE("mods that cannot load are on the card, and the game continues without them") {
    GameFolder game{kHead, kSchema};
    game.write("mods/bad/mod.json", "{");
    game.write("mods/bad/main.lua", "");
    game.write("mods/broken/main.lua", "error('oh')");
    game.write("mods/sad/main.lua", adding("game", 100));
    game.write("mods/sad/mod.json", R"({"depends": {"broken": "*"}})");
    game.write("mods/one/main.lua", adding("game", 1));
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(sum(*engine) == 2);
    CHECK(engine->has_loaded());
    CHECK(engine->error_count() == 3);
    CHECK(engine->session().identity() == "game one@0.0.0");
    CHECK(contains(game.log, "mod 'bad' is left out: mod.json:1:"));
    CHECK(contains(game.log, "broken/main.lua:1: oh"));
    CHECK(contains(game.log, "sad: it needs mod 'broken', which did not load"));
    CHECK(contains(picture(*engine), "mods/bad") == false);
}

TEST_CASE("each mod reads its own files, and those of others by their id") {
    GameFolder game{kHead + "ecs.world:spawn(C.Look { image = 'assets/a.txt' })",
                    kHead + "ecs.component('Look', { { 'image', 'asset' } })"};
    game.write("assets/a.txt", "game");
    game.write("mods/art/assets/a.txt", "art");
    game.write("mods/art/main.lua", kHead + R"(
local Look = ecs.import("game").components.Look
local own = ecs.world:get(ecs.world:spawn(Look { image = "assets/a.txt" }), Look)
assert(own.image == "art:assets/a.txt", own.image)
local of_game = ecs.world:get(ecs.world:spawn(Look { image = "game:assets/a.txt" }), Look)
assert(of_game.image == "assets/a.txt", of_game.image)
local ok, message = pcall(Look, { image = "nobody:assets/a.txt" })
assert(not ok and message:find("asset path 'nobody:assets/a.txt': no mod 'nobody' is loaded", 1, true), message)
assert(not pcall(require, "../main"))
assert(require("part") == "art")
)");
    game.write("mods/art/part.lua", "return 'art'");
    game.write("part.lua", "return 'game'");
    const auto engine = game.play();
    INFO(game.log);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("two engines in one process with mods of the same id are independent") {
    GameFolder first{kHead, kSchema};
    GameFolder second{kHead, kSchema};
    first.write("mods/m/main.lua", adding("game", 1));
    second.write("mods/m/main.lua", adding("game", 5));
    second.write("mods/m/assets/only.txt", "second");
    auto a = first.play();
    const auto b = second.play();
    const auto c = second.play();
    run(*a, 2);
    run(*b, 2);
    CHECK(sum(*a) == 2);
    CHECK(sum(*b) == 10);
    CHECK_FALSE(a->assets().has(1, "assets/only.txt"));
    CHECK(b->assets().has(1, "assets/only.txt"));
    a.reset();
    b->restart();
    run(*b, 1);
    CHECK(sum(*b) == 5);
    CHECK(c->assets().read(1, "assets/only.txt").value() == "second");
}

TEST_CASE("the player's choices reach mods, and are part of a recording's identity") {
    GameFolder game{kHead, kSchema};
    game.write("mods/m/main.lua", adding("game", 0) + "assert(require('settings').power == 3)\n");
    game.write("mods/m/mod.json", R"({"settings": {"power": {"type": "number", "default": 2}}})");
    EngineConfig config = game.config();
    config.settings_file = game.files().write("my.json", R"({"m": {"settings": {"power": 3, "x": 1}}})");
    config.record_file = game.file("log");
    auto engine = GameFolder::play(config);
    CHECK(engine->error_count() == 0);
    CHECK(engine->session().identity() == "game m@0.0.0 m.power=3.0");
    CHECK(contains(game.log, "my.json:1: mod 'm' has no setting 'x'"));
    run(*engine, 2);
    engine.reset();

    EngineConfig replay = game.config();
    replay.seed.reset();
    replay.replay_file = game.file("log");
    const auto refused = Engine::create(replay);
    REQUIRE_FALSE(refused);
    CHECK(contains(refused.error().message, "m.power=3.0"));
    replay.settings_file = config.settings_file;
    CHECK(Engine::create(replay));
    replay.settings_file = game.file("none.json");
    CHECK(contains(Engine::create(replay).error().message, "does not exist"));
}

TEST_CASE("a mod over its limit is stopped with its name and the limit, which the player can change") {
    GameFolder game{kHead, kSchema};
    game.write("mods/m/main.lua",
               kHead + "ecs.system('dig', { run = function()\n  for i = 1, 15e6 do end\nend })");
    game.write("mods/one/main.lua", adding("game", 1));
    const auto play = [&](const std::string& settings) {
        game.log.clear();
        EngineConfig config = game.config();
        config.settings_file = game.files().write("my.json", settings);
        auto engine = GameFolder::play(std::move(config));
        run(*engine, 2);
        CHECK(sum(*engine) == 2);
        return std::pair{engine->error_count(), engine->session().identity()};
    };
    using Outcome = std::pair<std::uint64_t, std::string>;
    const std::string identity = "game m@0.0.0 one@0.0.0";
    CHECK(play("{}") == Outcome{1, identity});
    CHECK(contains(game.log,
                   "m/main.lua:4: system 'm:dig': this needs more than 10000000 steps of fuel at once"));
    CHECK(play(R"({"m": {"permissions": {"instructions": 16000000}}})") ==
          Outcome{0, identity + " m.instructions=16000000"});
    game.write("mods/m/mod.json", R"({"permissions": {"instructions": 16000000}})");
    CHECK(play("{}") == Outcome{0, identity});
    CHECK(play(R"({"m": {"permissions": {"instructions": 14000000}}})").first == 1);
    CHECK(contains(game.log, "more than 14000000 steps of fuel"));
    game.write("mods/m/mod.json", R"({"permissions": {"instructions": 50000000}})");
    CHECK(play("{}") == Outcome{0, identity});
    CHECK(contains(game.log, "mod 'm' requests instructions 50000000 and gets 40000000"));
}

TEST_CASE("a trusted game has all of Lua, and its mods do not") {
    GameFolder game{kHead + "ecs.resource('Sum', { { 'value', 'f64', io and os.time() > 0 and 5 or 1 } })\n"};
    game.write("mods/m/main.lua", "assert(not io and not os and not debug and not pcall(require, 'ffi'))");
    for (const bool is_trusted : {false, true}) {
        EngineConfig config = game.config();
        config.trusts_game = is_trusted;
        const auto engine = GameFolder::play(std::move(config));
        INFO(game.log);
        CHECK(engine->error_count() == 0);
        CHECK(sum(*engine) == (is_trusted ? 5 : 1));
    }
}

TEST_CASE("the three example mods work together, with the same result for any number of threads") {
    const auto play = [](std::vector<std::string> without, std::uint32_t workers) {
        GameFolder game{""};
        const auto example = std::filesystem::path(PERIGEE_SOURCE_DIR) / "scripts/examples/mods";
        std::filesystem::copy(
            example, game.path(),
            std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
        for (const std::string& mod : without) std::filesystem::remove_all(game.path() / "mods" / mod);
        EngineConfig config = game.config();
        config.workers = workers;
        auto engine = GameFolder::play(std::move(config));
        run(*engine, 600);
        CHECK(engine->error_count() == 0);
        return std::pair{engine->session().identity(), engine->hash()};
    };
    const auto all = play({}, 1);
    CHECK(all.first == "harbour weather@2.1.0 almanac@1.0.0 sport@0.4.0");
    CHECK(play({}, 3) == all);
    CHECK(play({"almanac", "weather"}, 1).first == "harbour sport@0.4.0");
    CHECK(play({"almanac", "weather", "sport"}, 1).first == "harbour");
}

TEST_CASE("a hundred small mods with four systems each use little memory and keep their machine code") {
    GameFolder game{kHead + "for i = 1, 100 do ecs.world:spawn(C.Position { x = i }) end\n",
                    kHead + "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"};
    std::string main = kHead +
                       "local base = ecs.import('game').components\n"
                       "for i = 1, 50 do ecs.world:spawn(base.Position { x = i }, C.Own {}) end\n";
    for (int i = 0; i < 4; ++i) {
        main += "ecs.system('s" + std::to_string(i) +
                "', { query = { write = { C.Own }, read = { base.Position } }, run = function(chunk)\n"
                "  local own, position = chunk.Own, chunk[base.Position]\n"
                "  for i = 1, chunk.count do own.value[i] = own.value[i] * 0.5 + position.x[i] end\nend })\n";
    }
    for (int i = 0; i < 100; ++i) {
        const std::string folder = "mods/mod" + std::to_string(100 + i);
        game.write(folder + "/schema.lua", kHead + "ecs.component('Own', { { 'value', 'f32' } })\n");
        game.write(folder + "/main.lua", main);
    }
    EngineConfig config = game.config();
    config.watches_compiler = true;
    const auto engine = GameFolder::play(std::move(config));
    run(*engine, 100);
    CHECK(game.log == "");
    CHECK(engine->error_count() == 0);
    const std::vector<ModUsage> mods = engine->session().scripts().usage();
    REQUIRE(mods.size() == 101);
    std::size_t all_bytes = 0;
    for (std::size_t i = 1; i < mods.size(); ++i) {
        INFO(mods[i].mod);
        all_bytes += mods[i].memory_bytes;
        CHECK(mods[i].jit.traces >= 4);
        CHECK(mods[i].jit.flushes == 0);
        // Single mods differ by 40 KB from run to run, with the holes that the collector leaves.
        CHECK(mods[i].memory_bytes < 512 * 1024);
        CHECK(mods[i].peak_bytes < 720 * 1024);
    }
    CHECK(all_bytes < 100 * 456 * 1024);  // 447 to 448 KB a mod
}
