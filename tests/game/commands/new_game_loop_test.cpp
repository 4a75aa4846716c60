// A modder's loop as in docs/modding.md: each message on that page really appears.
#include "engine/engine.h"
#include "engine/session/live_reload.h"
#include "game/commands/new_game.h"
#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

using namespace perigee;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using test::bytes_of;
using test::ProgramRun;
using test::quoted;
using test::run_program;

namespace {

class Loop {
public:
    Loop() : game_(folder_.path() / "rocks") {
        REQUIRE(run_program("new " + quoted(game_)).status == 0);
        EngineConfig config;
        config.game = game_;
        config.seed = 1;
        config.watches_files = true;
        config.watch = {false, 5ms, 10ms};
        config.log = [this](const LogEntry& entry) { log_ += std::string{entry.text} + "\n"; };
        engine_ = Engine::create(std::move(config)).value();
        step();
    }

    const std::filesystem::path& game() const noexcept { return game_; }
    const test::TemporaryFolder& folder() const noexcept { return folder_; }
    std::string errors() const { return engine_->errors_as_text(); }

    /// Saves the file with a change, and steps until the log or the card says `expected`.
    void edit(const char* file, std::string_view from, std::string_view to, std::string_view expected) {
        std::string text = bytes_of(game_ / file);
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        log_.clear();
        folder_.write("rocks/" + std::string(file), text);
        const auto is_said = [&] {
            return log_.find(expected) != std::string::npos || errors().find(expected) != std::string::npos;
        };
        for (int wait = 0; wait < 5000 && !is_said(); ++wait) {
            step();
            std::this_thread::sleep_for(1ms);
        }
        INFO(log_ + errors());
        CHECK(is_said());
    }

private:
    void step() {
        FrameInput frame;
        frame.exact_steps = 1;
        engine_->step(frame);
    }

    test::TemporaryFolder folder_;
    std::filesystem::path game_;
    std::string log_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace

TEST_CASE("new, edit, break, fix, add a field, add a mod, test and pack are as docs/modding.md shows them") {
    Loop loop;
    const std::string game = quoted(loop.game());
    loop.edit("main.lua", "SPEED, REACH = 320", "SPEED, REACH = 500", "runs with its new code");
    CHECK(loop.errors().empty());

    loop.edit("main.lua", "vel.x[i] * dt", "vel.x[i * dt", "']' expected near ')'");
    loop.edit("main.lua", "vel.x[i * dt", "vel.x[i] * dt", "runs with its new code");
    CHECK(loop.errors().empty());

    loop.edit("main.lua", "vel, dt = chunk.Position", "vel, dt = chunk.Positoin", "did you mean 'Position'?");
    const ProgramRun wrong = run_program("check " + game);
    CHECK(wrong.status == 1);
    CHECK_THAT(wrong.out + wrong.err,
               Contains("system 'move': chunk: 'Positoin' is not in its query; did you mean 'Position'?"));
    loop.edit("main.lua", "chunk.Positoin", "chunk.Position", "runs with its new code");
    CHECK(loop.errors().empty());

    loop.edit("schema.lua", "{ { \"speed\"", "{ { \"rage\", \"f32\", 1 }, { \"speed\"", "new schema");
    CHECK(run_program("check " + game).status == 0);

    const ProgramRun failed = run_program("test " + game);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.out + failed.err, Contains("expected { x = 320, y = 0 }, got { x = 500, y = 0 }"));
    loop.edit("tests/game.lua", "{ x = 320", "{ x = 500", "");
    loop.edit("tests/game.lua", "640 + 320", "640 + 500", "");
    CHECK(run_program("test " + game).status == 0);

    CHECK(run_program("new --mod " + quoted(loop.game() / "mods/storm")).status == 0);
    CHECK_THAT(run_program("mods " + game).out, Contains("1. storm 0.1.0"));
    const std::filesystem::path archive = loop.folder().path() / "rocks.zip";
    CHECK(run_program("pack " + game + " " + quoted(archive)).status == 0);
    const ProgramRun played = run_program("run " + quoted(archive) + " --headless --frames 60 --hash");
    CHECK(played.status == 0);
    CHECK_THAT(played.err, !Contains("error"));
}
