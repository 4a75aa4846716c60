// The loop with a hidden back end and events pushed from outside.
#include "game/loop/run_loop.h"

#include "ecs/world/world.h"
#include "engine/engine.h"
#include "engine/modules/app_requests.h"
#include "engine/sdl/backend.h"
#include "engine/session/game_session.h"
#include "tests/engine/sdl/pushed_events.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

using namespace perigee;
using test::bytes_of;

namespace {

struct Stage {
    explicit Stage(const std::filesystem::path& game = PERIGEE_SOURCE_DIR "/tests/game/movers",
                   const std::filesystem::path& saves = {}) {
        EngineConfig config;
        config.game = game;
        config.save_folder = saves;
        engine = Engine::create(std::move(config)).value();
        Backend::Desc desc;
        desc.display = Backend::Display::hidden;
        desc.logical = {64, 36};
        backend = Backend::open(desc).value();
    }

    void run(LoopDesc desc) {
        desc.is_headless = true;
        run_loop(*engine, *backend, desc,
                 [this](const LogEntry& entry) { log += std::string{entry.text} + "\n"; });
    }

    std::unique_ptr<Engine> engine;
    std::unique_ptr<Backend> backend;
    std::string log;
};

}  // namespace

TEST_CASE("a headless frame is one step, whatever is drawn") {
    Stage drawn;
    drawn.run({.frame_limit = 30});
    CHECK(drawn.engine->tick() == 30);
    Stage blind;
    blind.run({.frame_limit = 30, .drawn = DrawnFrames::none});
    CHECK(blind.engine->hash() == drawn.engine->hash());
}

TEST_CASE("frames with canvases are drawn for a later picture, and not when there will be none") {
    test::TemporaryFolder game;
    game.write("mod.json", R"({"id": "dots", "title": "Dots", "version": "1.0", "width": 64, "height": 36})");
    game.write("main.lua", R"(
        local dots = gfx.canvas(64, 36)
        local at = 0
        function draw()
          at = at + 10
          gfx.set_canvas(dots)
          gfx.rectangle("fill", at, 0, 4, 4)
          gfx.set_canvas()
          gfx.image(dots, 0, 0)
        end)");
    const auto picture_after = [&game](DrawnFrames drawn) {
        Stage stage{game.path()};
        stage.run({.frame_limit = 3, .drawn = drawn});
        draw_picture(*stage.engine, *stage.backend);
        const std::filesystem::path file = game.path() / "picture.png";
        REQUIRE(stage.backend->save_screenshot(file));
        return bytes_of(file);
    };
    const std::string all = picture_after(DrawnFrames::all);
    CHECK(picture_after(DrawnFrames::asked_for) == all);
    CHECK(picture_after(DrawnFrames::none) != all);
}

TEST_CASE("gfx.screenshot writes the picture of its frame, also when only such frames are drawn") {
    for (const DrawnFrames drawn : {DrawnFrames::all, DrawnFrames::asked_for}) {
        test::TemporaryFolder game, saves;
        game.write("mod.json", R"({"id": "dots", "version": "1.0", "width": 64, "height": 36})");
        game.write("main.lua", R"(
            local frame = 0
            function draw()
              frame = frame + 1
              gfx.rectangle("fill", 0, 0, 64, 36, frame == 1 and "blue" or "red")
              if frame == 2 then gfx.screenshot "second" end
            end)");
        Stage stage{game.path(), saves.path()};
        stage.run({.frame_limit = 3, .drawn = drawn});
        draw_picture(*stage.engine, *stage.backend);
        const std::filesystem::path red = game.path() / "red.png";
        REQUIRE(stage.backend->save_screenshot(red));
        CHECK(bytes_of(saves.path() / "dots/dots/pictures/second.png") == bytes_of(red));
    }
}

TEST_CASE("a request to quit ends the loop before another step") {
    Stage stage;
    test::push_quit();
    stage.run({.frame_limit = 30});
    CHECK(stage.engine->tick() == 0);
}

TEST_CASE("Ctrl+R restarts the game") {
    Stage stage;
    stage.run({.frame_limit = 10});
    const std::uint64_t after_ten = stage.engine->hash();
    test::push_ctrl_r();
    stage.run({.frame_limit = 10});
    CHECK(stage.engine->session_number() == 2);
    CHECK(stage.engine->hash() == after_ten);
}

TEST_CASE("a game waits while its window has no focus") {
    Stage stage;
    test::push_focus(false);
    stage.run({.frame_limit = 10});
    CHECK(stage.engine->tick() == 0);
    CHECK(stage.engine->is_paused());
}

TEST_CASE("the Pause key pauses the game and resumes it") {
    Stage stage;
    test::push_pause();
    stage.run({.frame_limit = 3});
    CHECK(stage.engine->tick() == 0);
    test::push_pause();
    stage.run({.frame_limit = 3});
    CHECK(stage.engine->tick() == 3);
}

TEST_CASE("returning focus does not end a pause by the player") {
    Stage stage;
    stage.engine->set_paused(true);
    test::push_focus(true);
    stage.run({.frame_limit = 3});
    CHECK(stage.engine->tick() == 0);
}

TEST_CASE("figures are not part of the game's picture") {
    Stage stage;
    test::push_f3();
    stage.run({.frame_limit = 3});
    CHECK(stage.engine->tick() == 3);
    CHECK(stage.log.empty());
}

TEST_CASE("console input within one frame is handled in order, including pasted text") {
    Stage stage;
    const std::size_t before = stage.engine->session().world().entity_count();
    test::push_f2();
    test::push_text("world:spawn()xyz");
    test::push_key(SDL_SCANCODE_BACKSPACE, SDLK_BACKSPACE);
    test::push_held(SDL_SCANCODE_BACKSPACE);
    test::push_held(SDL_SCANCODE_BACKSPACE);
    test::push_text(" ");
    test::push_key(SDL_SCANCODE_RETURN, SDLK_RETURN);
    stage.backend->clipboard().write("spawn(");
    test::push_text("world:");
    test::push_ctrl_v();
    test::push_text(")");
    test::push_key(SDL_SCANCODE_RETURN, SDLK_RETURN);
    stage.run({.frame_limit = 1});
    CHECK(stage.engine->session().world().entity_count() == before + 2);
    CHECK(stage.log.empty());
}

TEST_CASE("a game that quits ends the loop after its frame, and its requests to the window arrive") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua",
                 "app.set_title 'Stars' app.set_cursor(false) app.set_size(99, 99) app.set_fullscreen()\n"
                 "local n = 0 function update() n = n + 1 if n == 5 then app.quit() end end\n"
                 "function draw() assert(app.is_fullscreen() == false) end");
    Stage stage;
    EngineConfig config;
    config.game = folder.path() / "game";
    stage.engine = Engine::create(std::move(config)).value();
    stage.run({.frame_limit = 30});
    CHECK(stage.engine->tick() == 5);
    CHECK(stage.engine->error_count() == 0);
    CHECK(stage.engine->session().app().take_window_request().is_empty());
    CHECK(SDL_ShowCursor(SDL_QUERY) == SDL_DISABLE);
    test::push_ctrl_r();
    stage.run({.frame_limit = 2});
    CHECK(stage.engine->tick() == 2);
}
