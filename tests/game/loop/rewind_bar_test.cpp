// The keys and the mouse of the bar, with an engine that draws nowhere; and F6 in the loop.
#include "game/loop/rewind_bar.h"

#include "engine/sdl/backend.h"
#include "engine/session/rewind.h"
#include "game/loop/run_loop.h"
#include "tests/engine/game_folder.h"
#include "tests/engine/sdl/pushed_events.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

constexpr char kMain[] = R"(
local ecs = require "ecs"
local C = ecs.components
ecs.resource("Count", { { "steps", "u32" } })
ecs.system("count", {
  access = { write = { C.Count } },
  run = function(_, ctx) ctx:resource(C.Count).steps = ctx:resource(C.Count).steps + 1 end,
})
)";

constexpr char kMoving[] = R"(
local ecs = require "ecs"
local C = ecs.components
ecs.component("Place", { { "x", "f32" } })
for i = 1, 100 do ecs.world:spawn(C.Place) end
ecs.system("move", {
  query = { write = { C.Place } },
  run = function(chunk) for i = 1, chunk.count do chunk.Place.x[i] = chunk.Place.x[i] + 1 end end,
})
)";

// A game after 100 steps, and its bar.
struct Stage {
    explicit Stage(const char* main = kMain, std::size_t bytes = std::size_t{16} << 20) : game{main} {
        EngineConfig config = game.config();
        config.rewind_bytes = bytes;
        engine = game.play(std::move(config));
        test::run(*engine, 100);
    }

    // A frame with this input. Returns what is left of it for the game.
    std::size_t feed(RawInput raw, bool toggles = false) {
        bar.feed(toggles, raw, *engine, [this](const LogEntry& entry) { log += entry.text; });
        FrameInput frame;
        frame.exact_steps = 1;
        frame.single_step = bar.wants_step();
        frame.hides_note = bar.is_open();
        engine->step(frame);
        if (bar.is_open()) bar.draw_list(*engine, kWidth, kHeight);
        return raw.events.size();
    }
    std::size_t press(InputCode code) { return feed(test::key(code)); }
    void open() { feed({}, true); }
    std::size_t click(float x, float y) {
        RawInput raw;
        raw.move_mouse(x, y);
        raw.events.push_back({InputCode::mouse_left, 1.0F});
        return feed(std::move(raw));
    }
    void drag(float x) {
        RawInput raw;
        raw.move_mouse(x, kHeight - 5);
        feed(std::move(raw));
    }

    static constexpr float kWidth = 216, kHeight = 400;  // 8 pixels of margin: two for a step
    test::GameFolder game;
    std::unique_ptr<Engine> engine;
    RewindBar bar;
    std::string log;
};

}  // namespace

TEST_CASE("F6 pauses a game, keys move among its steps, and F6 goes on from the step shown") {
    Stage stage;
    stage.open();
    CHECK(stage.bar.is_open());
    CHECK(stage.engine->is_paused());
    CHECK(stage.engine->tick() == 100);
    CHECK(stage.press(InputCode::key_left) == 0);
    CHECK(stage.engine->tick() == 99);
    stage.press(InputCode::key_pageup);
    CHECK(stage.engine->tick() == 39);
    stage.press(InputCode::key_pageup);
    CHECK(stage.engine->tick() == 0);
    stage.press(InputCode::key_left);
    CHECK(stage.engine->tick() == 0);
    stage.press(InputCode::key_pagedown);
    CHECK(stage.engine->tick() == 60);
    stage.press(InputCode::key_end);
    CHECK(stage.engine->tick() == 100);
    stage.press(InputCode::key_right);
    CHECK(stage.engine->tick() == 100);
    stage.press(InputCode::key_home);
    stage.press(InputCode::key_right);
    CHECK(stage.engine->tick() == 1);
    stage.feed({}, true);
    CHECK_FALSE(stage.bar.is_open());
    CHECK_FALSE(stage.engine->is_paused());
    CHECK(stage.engine->tick() == 2);
    CHECK(stage.engine->recent_steps()->newest() == 2);
    CHECK(stage.log.empty());
}

TEST_CASE("where not each step is kept, the keys move among those that are, and the one at F6 is kept") {
    Stage stage{kMoving, std::size_t{64} << 10};
    const std::uint64_t newest = stage.engine->recent_steps()->newest();
    CHECK(newest < 100);
    stage.open();
    CHECK(stage.engine->recent_steps()->newest() == 100);
    stage.press(InputCode::key_left);
    CHECK(stage.engine->tick() == newest);
    stage.press(InputCode::key_left);
    CHECK(stage.engine->tick() == newest - 4);
    stage.press(InputCode::key_right);
    CHECK(stage.engine->tick() == newest);
    stage.press(InputCode::key_end);
    CHECK(stage.engine->tick() == 100);
}

TEST_CASE("space runs one step from the one shown, which drops the later ones") {
    Stage stage;
    stage.open();
    stage.press(InputCode::key_home);
    CHECK(stage.press(InputCode::key_space) == 0);
    CHECK(stage.engine->tick() == 1);
    CHECK(stage.engine->recent_steps()->newest() == 1);
    stage.feed({});
    CHECK(stage.engine->tick() == 1);
}

TEST_CASE("a click on the bar goes to that step, and dragging follows the mouse") {
    Stage stage;
    stage.open();
    CHECK(stage.click(8 + 50 * 2, Stage::kHeight - 5) == 1);  // the move
    CHECK(stage.engine->tick() == 50);
    stage.drag(8 + 20 * 2);
    CHECK(stage.engine->tick() == 20);
    stage.drag(-100);
    CHECK(stage.engine->tick() == 0);
    stage.drag(1000);
    CHECK(stage.engine->tick() == 100);
    CHECK(stage.feed(test::key(InputCode::mouse_left, 0)) == 1);
    stage.drag(8);
    CHECK(stage.engine->tick() == 100);
    CHECK(stage.click(8, 20) == 2);
    CHECK(stage.engine->tick() == 100);
}

TEST_CASE("the game gets all other input, and releases of the bar's keys") {
    Stage stage;
    CHECK(stage.press(InputCode::key_left) == 1);
    stage.open();
    CHECK(stage.feed(test::key(InputCode::key_left, 0)) == 1);
    CHECK(stage.press(InputCode::key_a) == 1);
}

TEST_CASE("a game that was paused before stays paused, and ending the pause closes the bar") {
    Stage stage;
    stage.engine->set_paused(true);
    stage.open();
    stage.feed({}, true);
    CHECK_FALSE(stage.bar.is_open());
    CHECK(stage.engine->is_paused());
    stage.open();
    stage.engine->set_paused(false);
    stage.feed({});
    CHECK_FALSE(stage.bar.is_open());
    stage.open();
    stage.engine->restart();
    stage.feed({});
    CHECK_FALSE(stage.bar.is_open());
}

TEST_CASE("the bar shows the step and the range") {
    Stage stage;
    stage.open();
    stage.press(InputCode::key_left);
    const DrawList& list = stage.bar.draw_list(*stage.engine, Stage::kWidth, Stage::kHeight);
    const std::string shown = list.dump(stage.engine->images(), [](std::uint32_t) { return ""; });
    CHECK_THAT(shown, Contains("step 99   (0 to 100)"));
    CHECK_FALSE(test::contains(test::picture(*stage.engine), "paused"));
}

TEST_CASE("without kept steps F6 is the game's alone") {
    test::GameFolder game{kMain};
    const auto engine = game.play();
    RewindBar bar;
    RawInput raw = test::key(InputCode::key_f6);
    bar.feed(true, raw, *engine, {});
    CHECK_FALSE(bar.is_open());
    CHECK_FALSE(engine->is_paused());
    CHECK(raw.events.size() == 1);
}

TEST_CASE("F6 in the loop stops the steps and shows the bar") {
    test::GameFolder game{kMain};
    EngineConfig config = game.config();
    config.rewind_bytes = std::size_t{16} << 20;
    const auto engine = game.play(std::move(config));
    Backend::Desc desc;
    desc.display = Backend::Display::hidden;
    desc.logical = {320, 180};
    const auto backend = Backend::open(desc).value();
    const auto run = [&](std::uint64_t frames) {
        run_loop(*engine, *backend, {.frame_limit = frames, .is_headless = true}, [](const LogEntry&) {});
    };
    run(10);
    test::push_key(SDL_SCANCODE_F6, SDLK_F6);
    run(5);
    CHECK(engine->tick() == 10);
    CHECK(engine->is_paused());
}
