// Keys of the program in a running loop: what they save or copy, and what the log says.
#include "game/loop/player_keys.h"

#include "engine/engine.h"
#include "engine/sdl/backend.h"
#include "game/loop/run_loop.h"
#include "tests/engine/sdl/pushed_events.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

// A game with this main.lua, in a hidden window. Its folder is the working directory meanwhile.
class Stage {
public:
    explicit Stage(std::string_view main) : before_(fs::current_path()) {
        folder_.write("game/main.lua", main);
        EngineConfig config;
        config.game = folder_.path() / "game";
        engine_ = Engine::create(std::move(config)).value();
        Backend::Desc desc;
        desc.display = Backend::Display::hidden;
        desc.logical = {64, 36};
        backend_ = Backend::open(desc).value();
        fs::current_path(folder_.path());
    }
    ~Stage() {
        std::error_code ignored;
        fs::current_path(before_, ignored);
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    std::string run_one_frame(const std::string& world_file = "") {
        std::string log;
        LoopDesc desc{.frame_limit = 1, .is_headless = true};
        if (!world_file.empty()) desc.world_file = folder_.path() / world_file;
        run_loop(*engine_, *backend_, desc,
                 [&log](const LogEntry& entry) { log += std::string{entry.text} + "\n"; });
        return log;
    }

    std::uint64_t hash() { return engine_->hash(); }
    void write(const std::string& name, std::string_view text) { folder_.write(name, text); }
    std::string copied() { return backend_->clipboard().read(); }
    std::ptrdiff_t screenshot_count() const {
        const fs::path screenshots = folder_.path() / "screenshots";
        return fs::exists(screenshots) ? std::distance(fs::directory_iterator(screenshots), {}) : 0;
    }

private:
    fs::path before_;
    test::TemporaryFolder folder_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Backend> backend_;
};

}  // namespace

TEST_CASE("F12 saves each frame in which it is pressed as a screenshot") {
    Stage stage("function draw() end");
    CHECK(stage.run_one_frame().empty());
    CHECK(stage.screenshot_count() == 0);
    test::push_key(SDL_SCANCODE_F12, SDLK_F12);
    CHECK_THAT(stage.run_one_frame(), Contains("saved screenshots/"));
    CHECK(stage.screenshot_count() == 1);
    CHECK(stage.run_one_frame().empty());
    CHECK(stage.screenshot_count() == 1);
}

TEST_CASE("F5 saves the world and F9 brings it back, in runs that have a file for it") {
    const std::string file = "saves/quick.world";
    Stage stage(R"(
local ecs = require "ecs"
local C = ecs.components
ecs.component("Counter", { { "value", "i32" } })
ecs.world:spawn(C.Counter { value = 1 })
ecs.system("count", {
  query = { write = { C.Counter } },
  run = function(chunk) for i = 1, chunk.count do chunk.Counter.value[i] = chunk.Counter.value[i] * 3 end end
}))");
    const auto press = [](SDL_Scancode scancode, SDL_Keycode key) { test::push_key(scancode, key); };
    CHECK(stage.run_one_frame(file).empty());
    press(SDL_SCANCODE_F5, SDLK_F5);
    CHECK_THAT(stage.run_one_frame(file), Contains("saved the world to"));
    const std::uint64_t after = stage.hash();
    CHECK(stage.run_one_frame(file).empty());
    CHECK(stage.hash() != after);
    press(SDL_SCANCODE_F9, SDLK_F9);
    CHECK_THAT(stage.run_one_frame(file), Contains("loaded the world from"));
    CHECK(stage.hash() == after);

    stage.write("damaged.world", "nonsense");
    press(SDL_SCANCODE_F9, SDLK_F9);
    CHECK_THAT(stage.run_one_frame("damaged.world"), Contains("not a saved world"));
    press(SDL_SCANCODE_F5, SDLK_F5);
    press(SDL_SCANCODE_F9, SDLK_F9);
    CHECK(stage.run_one_frame().empty());
}

TEST_CASE("Ctrl+C copies the errors on the card, and does nothing without errors") {
    Stage failing("error 'a mistake'");
    test::push_key(SDL_SCANCODE_C, SDLK_c, KMOD_LCTRL);
    CHECK_THAT(failing.run_one_frame(), Contains("errors on the card were copied"));
    CHECK_THAT(failing.copied(), Contains("main.lua:1") && Contains("a mistake"));

    Stage sound("function draw() end");
    test::push_key(SDL_SCANCODE_C, SDLK_c, KMOD_LCTRL);
    CHECK(sound.run_one_frame().empty());
}
