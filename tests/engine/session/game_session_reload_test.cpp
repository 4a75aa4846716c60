// A file is saved while the game runs: what changes, how soon, and what a recording contains.
#include "ecs/inspect/world_hash.h"
#include "ecs/schedule/schedule.h"
#include "engine/assets/image_table.h"
#include "engine/session/game_session.h"
#include "engine/session/live_reload.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"
#include "tests/engine/game_folder.h"
#include "tests/support/zip_writer.h"

#include <chrono>
#include <functional>
#include <thread>

using namespace perigee;
using namespace perigee::test;
using Catch::Contains;

namespace {

using namespace std::chrono_literals;

constexpr char kHead[] = "local ecs = require 'ecs'\nlocal C = ecs.components\n";

std::string draws(const std::string& text) {
    return "function draw() gfx.print('" + text + "', 10, 10) end\n";
}

EngineConfig watching(GameFolder& game, bool uses_polling = false) {
    EngineConfig config = game.config();
    config.watches_files = true;
    config.watch = {uses_polling, 5ms, 10ms};
    return config;
}

// Runs frames until the condition is true, for some seconds at most; returns the time it took.
std::chrono::milliseconds wait_for(Engine& engine, const std::function<bool()>& is_so) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < 5s) {
        run(engine, 1);
        if (is_so()) break;
        std::this_thread::sleep_for(1ms);
    }
    CHECK(is_so());
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

bool shows(const Engine& engine, std::string_view text) { return contains(picture(engine), text); }

}  // namespace

TEST_CASE("a saved script takes effect within moments, with inotify and with polling") {
    const bool uses_polling = GENERATE(false, true);
    GameFolder game{draws("before")};
    const auto engine = GameFolder::play(watching(game, uses_polling));
    run(*engine, 2);
    CHECK(shows(*engine, "before"));
    game.write("main.lua", draws("behind"));
    // Said to be within 100 ms; a busy machine that runs tests may need longer.
    CHECK(wait_for(*engine, [&] { return shows(*engine, "behind"); }) < 1000ms);
    CHECK(contains(game.log, "runs with its new code"));
}

TEST_CASE("files are watched only on request") {
    GameFolder game{draws("before")};
    const auto engine = game.play();
    game.write("main.lua", draws("behind"));
    std::this_thread::sleep_for(40ms);
    run(*engine, 3);
    CHECK(shows(*engine, "before"));
}

TEST_CASE("the card shows the errors of a saved file until it is fixed") {
    GameFolder game{draws("before")};
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 1);
    game.write("main.lua", "x = = 1");
    wait_for(*engine, [&] { return shows(*engine, "main.lua:1"); });
    CHECK(shows(*engine, "before"));
    CHECK(contains(engine->errors_as_text(), "main.lua:1"));
    game.write("main.lua", draws("mended"));
    wait_for(*engine, [&] { return shows(*engine, "mended"); });
    CHECK_FALSE(shows(*engine, "main.lua:1"));
    CHECK(engine->errors_as_text().empty());
    CHECK(engine->has_loaded());
}

TEST_CASE(
    "a suspended system runs again when its file is saved, and the card says what its failed run changed") {
    GameFolder game{std::string(kHead) + "ecs.system('s', { run = function() error('oh no') end })"};
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 2);
    CHECK(shows(*engine, "oh no"));
    CHECK(contains(engine->errors_as_text(), "what it wrote to columns stays"));
    CHECK(contains(engine->errors_as_text(), "main.lua:3: in"));
    game.write("main.lua", "x = = 1");
    wait_for(*engine, [&] { return shows(*engine, "main.lua:1"); });
    CHECK(shows(*engine, "oh no"));
    game.write("main.lua", std::string(kHead) + "ecs.system('s', { run = function() end })");
    wait_for(*engine, [&] { return engine->errors_as_text().empty(); });
    CHECK_FALSE(engine->session().schedule().status(*engine->session().schedule().find("s")).is_suspended);
}

TEST_CASE("a game that could not start runs when its file is fixed") {
    GameFolder game{"error('broken')"};
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 1);
    CHECK_FALSE(engine->has_loaded());
    game.write("main.lua", draws("mended"));
    wait_for(*engine, [&] { return shows(*engine, "mended"); });
    CHECK(engine->has_loaded());
    CHECK_FALSE(shows(*engine, "broken"));
}

TEST_CASE("a saved schema changes the rows of the running world") {
    GameFolder game{std::string(kHead) + "ecs.world:spawn(C.Ship { x = 7 })\n" +
                        "ecs.system('show', { group = 'presentation', query = { read = { C.Ship } }, run = "
                        "function(chunk)\n"
                        "  gfx.print(chunk.Ship.x[1] .. ' ' .. tostring(select(2, pcall(function() return "
                        "chunk.Ship.y[1] end))), 9, 9)\n"
                        "end })\n",
                    "require('ecs').component('Ship', { { 'x', 'f32' } })"};
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 1);
    game.write("schema.lua", "require('ecs').component('Ship', { { 'x', 'f32' }, { 'y', 'f32', 3 } })");
    wait_for(*engine, [&] { return shows(*engine, "7 3"); });
    CHECK(contains(game.log, "1 row moved to the new schema"));
    game.write("schema.lua", "require('ecs').component('Ship', { { 'y', 'f32', 3 } })");
    wait_for(*engine, [&] { return shows(*engine, "'x'"); });
    CHECK(shows(*engine, "7 3"));
}

TEST_CASE("only the mod whose file was saved is reloaded, and a fixed mod loads") {
    GameFolder game{draws("game")};
    game.write("mods/a/mod.json", R"({ "id": "a", "version": "1.0.0", "title": "A", "api": "1" })");
    game.write("mods/a/main.lua", draws("mod one"));
    const auto engine = GameFolder::play(watching(game));
    INFO(game.log);
    run(*engine, 1);
    REQUIRE(shows(*engine, "mod one"));
    game.log.clear();
    game.write("mods/a/main.lua", draws("mod two"));
    wait_for(*engine, [&] { return shows(*engine, "mod two"); });
    CHECK(contains(game.log, "a runs with its new code"));
    CHECK_FALSE(contains(game.log, "game runs"));
    game.write("mods/a/mod.json", "{}");
    wait_for(*engine, [&] { return shows(*engine, "press Ctrl+R"); });
}

TEST_CASE("a mod that fails too often is switched off with a message, and saving its file switches it on") {
    GameFolder game{draws("game")};
    game.write("mods/a/mod.json", R"({ "id": "a", "version": "1.0.0", "title": "A", "api": "1" })");
    std::string main = kHead;
    for (const char* name : {"x", "y", "z"})
        main += "ecs.system('" + std::string(name) + "', { run = function() error('no') end })\n";
    game.write("mods/a/main.lua", main);
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 2);
    CHECK(contains(game.log, "mod 'a' is switched off"));
    CHECK(shows(*engine, "game"));
    game.write("mods/a/main.lua", draws("mended"));
    wait_for(*engine, [&] { return shows(*engine, "mended"); });
    CHECK(engine->errors_as_text().empty());
}

TEST_CASE("a saved image is read again, and its frames are cut again if its size changed") {
    GameFolder game{"local grid = gfx.image('assets/a.png', { grid = { 8, 8 } })\n" + draws("x")};
    game.write("assets/a.png", png_head(16, 8));
    const auto engine = GameFolder::play(watching(game));
    INFO(game.log);
    run(*engine, 1);
    const std::uint32_t before = engine->session().asset_version();
    game.write("assets/a.png", png_head(32, 8));
    wait_for(*engine, [&] { return engine->session().asset_version() != before; });
    CHECK(engine->images().size_of(1).width == 32);
}

TEST_CASE("a saved font is read again, and what it measures changes at once") {
    const auto font = [](const char* advance) {
        return std::string{
                   "info size=10\ncommon lineHeight=12 base=9\npage id=0 file=\"a.png\"\n"
                   "char id=65 x=0 y=0 width=6 height=8 xoffset=0 yoffset=0 page=0 xadvance="} +
               advance;
    };
    GameFolder game{
        "function draw() gfx.print(gfx.text_size('A', { font = 'assets/a.fnt', size = 10 }), 1, 2) end"};
    game.write("assets/a.png", png_head(16, 8));
    game.write("assets/a.fnt", font("7"));
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 1);
    CHECK(contains(picture(*engine), "\"7\""));
    const std::uint32_t before = engine->session().asset_version();
    game.write("assets/a.fnt", font("9"));
    wait_for(*engine, [&] { return engine->session().asset_version() != before; });
    run(*engine, 1);
    CHECK(contains(picture(*engine), "\"9\""));
}

TEST_CASE(
    "prefabs of data files survive a reload, and changes of other data need a restart, with a message") {
    const std::string data = R"({ "prefabs": [ { "name": "Rock", "components": { "Box": { "w": 3 } } } ] })";
    const std::string main = std::string(kHead) + "local rocks = ecs.load_prefabs('data/rocks.json')\n" +
                             "function draw() gfx.print(WORD .. ' ' .. tostring(rocks.Rock), 10, 10) end\n";
    GameFolder game{main + "WORD = 'one'", "require('ecs').component('Box', { { 'w', 'f32' } })"};
    game.write("data/rocks.json", data);
    const auto engine = GameFolder::play(watching(game));
    INFO(game.log);
    run(*engine, 1);
    REQUIRE(shows(*engine, "one prefab Rock"));
    game.write("main.lua", main + "WORD = 'two'");
    wait_for(*engine, [&] { return shows(*engine, "two prefab Rock"); });
    game.write("data/rocks.json", data + " ");
    wait_for(*engine, [&] { return shows(*engine, "data/rocks.json has changed; press Ctrl+R"); });
    game.write("main.lua", main + "WORD = 'three'");
    wait_for(*engine, [&] { return contains(engine->errors_as_text(), "to read its prefabs"); });
    CHECK(shows(*engine, "two prefab Rock"));
}

TEST_CASE("a replaced archive is read again completely, and a broken one is not") {
    const bool uses_polling = GENERATE(false, true);
    const auto archive = [](const std::string& word, std::uint32_t width, const std::string& schema) {
        ZipWriter zip;
        zip.add(
            "main.lua",
            "local ecs = require 'ecs'\nlocal C = ecs.components\n"
            "ecs.world:spawn(C.Spot { x = 7 })\nlocal seen = ''\n"
            "ecs.system('s', { query = { read = { C.Spot } }, run = function(chunk) "
            "seen = chunk.Spot.x[1] .. ' ' .. tostring(pcall(function() return chunk.Spot.y[1] end)) end })\n"
            "function draw() gfx.print('" +
                word + " ' .. seen, 10, 30) gfx.image('assets/a.png', 50, 50) end\n");
        zip.add("schema.lua", "require('ecs').component('Spot', { { 'x', 'f32' }" + schema + " })");
        zip.add("assets/a.png", png_head(width, 8));
        return zip.finish();
    };
    GameFolder game{draws("game")};
    game.write("mods/zipped.zip", archive("one", 16, ""));
    const auto engine = GameFolder::play(watching(game, uses_polling));
    INFO(game.log);
    run(*engine, 2);
    REQUIRE(shows(*engine, "one 7 false"));
    const std::uint32_t assets = engine->session().asset_version();
    game.write("mods/zipped.zip", archive("two", 24, ", { 'y', 'f32' }"));
    wait_for(*engine, [&] { return shows(*engine, "two 7 true"); });
    CHECK(engine->session().asset_version() > assets);
    CHECK(contains(game.log, "zipped runs with its new code"));
    CHECK_FALSE(contains(game.log, "game runs"));

    game.write("mods/zipped.zip", "PK this is none");
    wait_for(*engine, [&] { return contains(engine->errors_as_text(), "zipped.zip"); });
    CHECK(shows(*engine, "two 7 true"));
    game.write("mods/zipped.zip", archive("three", 32, ", { 'y', 'f32' }"));
    wait_for(*engine, [&] { return shows(*engine, "three 7 true"); });
    CHECK(engine->errors_as_text().empty());
}

TEST_CASE("a game in an archive is read again with its mods") {
    const auto archive = [](const std::string& word) {
        ZipWriter zip;
        zip.add("main.lua", draws("game " + word));
        zip.add("mods/a/main.lua", "function draw() gfx.print('mod " + word + "', 10, 50) end\n");
        return zip.finish();
    };
    GameFolder game{draws("unused")};
    game.write("whole.zip", archive("one"));
    EngineConfig config = watching(game);
    config.game = game.file("game/whole.zip");
    const auto engine = GameFolder::play(std::move(config));
    INFO(game.log);
    run(*engine, 1);
    REQUIRE(shows(*engine, "game one"));
    REQUIRE(shows(*engine, "mod one"));
    game.write("whole.zip", archive("two"));
    wait_for(*engine, [&] { return shows(*engine, "game two") && shows(*engine, "mod two"); });
}

TEST_CASE("saved settings take effect at once, and keys about loading wait for a restart, with a message") {
    GameFolder game{
        "local settings = require 'settings'\nfunction draw() gfx.print('power ' .. settings.power, 10, 10) "
        "end"};
    const auto manifest = [](const std::string& power, const std::string& more) {
        return R"({ "id": "game", "settings": { "power": { "type": "number", "default": )" + power + " } }" +
               more + "}";
    };
    game.write("mod.json", manifest("3", ""));
    const auto engine = GameFolder::play(watching(game));
    INFO(game.log);
    run(*engine, 1);
    REQUIRE(shows(*engine, "power 3"));
    game.write("mod.json", manifest("4", R"(, "author": "Ada")"));
    wait_for(*engine, [&] { return shows(*engine, "power 4"); });
    CHECK_FALSE(shows(*engine, "Ctrl+R"));
    game.write("mod.json", manifest("'five'", ""));
    wait_for(*engine, [&] { return !engine->errors_as_text().empty(); });
    CHECK(shows(*engine, "power 4"));
    game.write("mod.json", manifest("5", R"(, "version": "2.0.0", "optional": { "b": "*" })"));
    wait_for(*engine, [&] { return shows(*engine, "power 5"); });
    CHECK(engine->errors_as_text().empty());
    CHECK(shows(*engine, "game/mod.json (version, optional) has changed; press Ctrl+R"));
}

TEST_CASE("a mod that reached its hard memory limit runs again when its file is fixed") {
    GameFolder game{draws("game")};
    game.write("mods/a/mod.json", R"({ "id": "a", "permissions": { "memory_mb": 4 } })");
    const auto text = [](const std::string& body) {
        return std::string(kHead) + "local seen = 0\necs.system('eats', { run = function()\n" + body +
               "\nseen = seen + 1 end })\nfunction draw() gfx.print('seen ' .. seen, 10, 30) end\n";
    };
    game.write("mods/a/main.lua", text(""));
    const auto engine = GameFolder::play(watching(game));
    INFO(game.log);
    run(*engine, 3);
    REQUIRE(shows(*engine, "seen 3"));
    for (const char* const greedy :
         {"local t = { string.rep('x', 2 ^ 20) } while true do t[#t + 1] = t[#t] .. t[#t] end",
          "local s = string.rep('x', 2 ^ 30)", "local t = {} for i = 1, 1e6 do t[i] = { i, {}, {} } end",
          "local t = {} pcall(function() while true do t[#t + 1] = string.rep('x', 2 ^ 24) .. #t end end) "
          "while true do t = { t } end"}) {
        INFO(greedy);
        game.write("mods/a/main.lua", text(greedy));
        wait_for(*engine, [&] {
            const std::string errors = engine->errors_as_text();  // the allocator's error has no line
            return contains(errors, "a/main.lua:5") || contains(errors, "than its hard limit of 32 MB");
        });
        CHECK(shows(*engine, "game"));
        game.write("mods/a/main.lua", text(""));
        wait_for(*engine, [&] { return shows(*engine, "seen 2"); });
        CHECK(engine->errors_as_text().empty());
        CHECK(engine->session().scripts().state("a")->memory_bytes() < 4U << 20U);
    }
}

TEST_CASE("a run with a reload is marked as not replayable, and a replay does not watch files") {
    GameFolder game{draws("before")};
    EngineConfig config = watching(game);
    config.record_file = game.file("log");
    {
        const auto engine = GameFolder::play(std::move(config));
        run(*engine, 3);
        game.write("main.lua", draws("behind"));
        wait_for(*engine, [&] { return shows(*engine, "behind"); });
        run(*engine, 1);
        CHECK(contains(engine->session().not_replayable(), "a file of mod"));
        CHECK(contains(game.log, "that was saved while it ran"));
        REQUIRE(engine->finish_recording());
    }
    EngineConfig replay = watching(game);
    replay.replay_file = game.file("log");
    game.log.clear();
    const auto engine = GameFolder::play(std::move(replay));
    CHECK(contains(game.log, "that was saved while it ran"));
    game.write("main.lua", draws("later"));
    std::this_thread::sleep_for(40ms);
    run(*engine, 2);
    CHECK_FALSE(shows(*engine, "later"));
}

TEST_CASE("after a restart the new session is watched") {
    GameFolder game{draws("before")};
    const auto engine = GameFolder::play(watching(game));
    run(*engine, 1);
    engine->restart();
    game.write("main.lua", draws("behind"));
    wait_for(*engine, [&] { return shows(*engine, "behind"); });
}
