// perigee test: runs the tests of a game and its mods, the files tests/*.lua of each.
//
// Invariant: each file has its own Lua state, each test its own games. Tests run in order of file names, and
// of declaration within a file. Tests of a mod run if the mod would load, in the game with all its mods.
#pragma once

#include "ecs/base/result.h"
#include "game/testing/test_options.h"
#include "scripting/base/log.h"

#include <cstddef>
#include <functional>
#include <string>

namespace perigee {

/// One test that ran.
struct TestOutcome {
    std::string mod;    ///< that contains it
    std::string name;   ///< "tests/waves.lua: the third wave has a boss"
    std::string error;  ///< with its place; empty: passed
};

struct TestSelection {
    /// Chooses tests by mod and name. Empty: those that the options name.
    std::function<bool(const std::string& mod, const std::string& name)> is_wanted = {};
    LogSink log = {};  ///< what the tests print; may be empty
};

/// Runs the tests, one after the other. Returns their number. Errors: the game cannot be read.
Result<std::size_t> run_each_test(const TestOptions& options, const TestSelection& selection,
                                  const std::function<void(const TestOutcome&)>& tell);

/// Why no test ran: there is none, or the filter leaves none.
Error no_tests(const TestOptions& options);

/// Prints a line for each test. Returns the exit status: 0, or 1 if a test failed or there is none.
int run_tests(const TestOptions& options);

}  // namespace perigee
