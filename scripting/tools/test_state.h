// The Lua state of a test file: a sandbox like a mod's, with `require "test"` and without a world.
//
// Invariant: tests access games only through TestActions, by number, and receive copies of a game's data:
// tables, numbers, texts. A failing test does not affect the others. Not here: games, golden files and output
// (game/testing/run_tests.h).
#pragma once

#include "ecs/base/result.h"
#include "scripting/base/file_source.h"
#include "scripting/base/script_error.h"
#include "scripting/sandbox/state.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class ScriptRuntime;

namespace internal {
struct TestHome;
}

struct TestGameOptions {
    std::uint64_t seed = 0;
    bool allows_errors = false;  ///< errors of scripts do not fail the test
};

/// The actions of tests. Games are numbered from 1; using an unknown number is an error.
struct TestActions {
    std::function<Result<int>(const TestGameOptions&)> start;
    std::function<Result<void>(int game, int frames)> step;
    /// A control by its name ("space", "mouse_left", "pad_a") or the game's own action; 1 is down, 0 is up.
    std::function<Result<void>(int game, std::string_view control, double value)> set_input;
    std::function<Result<void>(int game, double x, double y)> move_mouse;
    std::function<Result<void>(int game, int width, int height)> resize;  ///< the screen
    int min_screen_side = 1;                                              ///< for resize
    int max_screen_side = 1;
    std::function<Result<void>(int game, std::string_view text)> type_text;
    std::function<Result<std::string>(int game)> hash;
    std::function<Result<bool>(int game)> has_quit;        ///< true if it has ended its run
    std::function<Result<std::string>(int game)> picture;  ///< a PNG
    std::function<Result<void>(int game)> check_health;
    std::function<Result<void>(int game)> check_compiled;
    std::function<Result<ScriptRuntime*>(int game)> scripts;
    /// Compares with the value stored under the name, or stores it. A picture is a PNG.
    std::function<Result<void>(std::string_view name, std::string_view value, bool is_picture)> compare;
};

class TestState {
public:
    /// `mod` is the mod under test; its names take precedence.
    /// Lifetime: `files` must outlive the state.
    static Result<std::unique_ptr<TestState>> create(std::string mod, const FileSource& files,
                                                     TestActions actions, LogSink log);
    ~TestState();
    TestState(const TestState&) = delete;
    TestState& operator=(const TestState&) = delete;

    /// Runs a file, which declares tests.
    std::optional<ScriptError> load(std::string_view path);
    /// Names of the declared tests, "subject › behaviour".
    std::vector<std::string> tests();
    /// Runs one test. Expects: below tests().size().
    std::optional<ScriptError> run(std::size_t test);

private:
    TestState(std::string mod, TestActions actions);

    std::string mod_;
    TestActions actions_;
    std::unique_ptr<internal::TestHome> home_;
    std::unique_ptr<ScriptState> state_;
};

}  // namespace perigee
