// The Lua state that a file of tests runs in: a sandbox like a mod's, with `require "test"` and without a
// world of its own.
//
// Invariant: tests reach games only through TestActions, by number, and what they get of a game is copied:
// tables, numbers, texts. A test that fails leaves the others alone. Not here: what a game is, files of
// golden values, and what is printed (game/run_tests.h).
#pragma once

#include "ecs/result.h"
#include "scripting/file_source.h"
#include "scripting/script_error.h"
#include "scripting/state.h"

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

/// What tests can do. Games are numbers from 1; what is asked for one that there is not is an error.
struct TestActions {
    std::function<Result<int>(const TestGameOptions&)> start;
    std::function<Result<void>(int game, int frames)> step;
    /// A control by its name ("space", "mouse_left", "pad_a") or the game's own action; 1 is down, 0 is up.
    std::function<Result<void>(int game, std::string_view control, double value)> set_input;
    std::function<Result<void>(int game, double x, double y)> move_mouse;
    std::function<Result<void>(int game, std::string_view text)> type_text;
    std::function<Result<std::string>(int game)> hash;
    std::function<Result<bool>(int game)> has_quit;        ///< has it ended its run?
    std::function<Result<std::string>(int game)> picture;  ///< a PNG
    std::function<Result<void>(int game)> check_health;
    std::function<Result<void>(int game)> check_compiled;
    std::function<Result<ScriptRuntime*>(int game)> scripts;
    /// Compares with what is kept under the name, or keeps it. A picture is a PNG.
    std::function<Result<void>(std::string_view name, std::string_view value, bool is_picture)> compare;
};

class TestState {
public:
    /// `mod` is the one whose tests these are: its names come first.
    /// Lifetime: `files` outlives the state.
    static Result<std::unique_ptr<TestState>> create(std::string mod, const FileSource& files,
                                                     TestActions actions, LogSink log);
    ~TestState();
    TestState(const TestState&) = delete;
    TestState& operator=(const TestState&) = delete;

    /// Runs a file, which declares tests.
    std::optional<ScriptError> load(std::string_view path);
    /// Names of the tests that were declared, "what › does what".
    std::vector<std::string> tests();
    /// Runs one. Expects: below tests().size().
    std::optional<ScriptError> run(std::size_t test);

private:
    TestState(std::string mod, TestActions actions);

    std::string mod_;
    TestActions actions_;
    std::unique_ptr<internal::TestHome> home_;
    std::unique_ptr<ScriptState> state_;
};

}  // namespace perigee
