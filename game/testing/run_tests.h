// perigee test: runs the tests of a game and its mods, the files tests/*.lua of each.
//
// Invariant: each file has its own Lua state, each test its own games. Tests run in order of file names, and
// of declaration within a file. Tests of a mod run if the mod would load, in the game with all its mods.
#pragma once

#include "game/testing/test_options.h"

namespace perigee {

/// Prints a line for each test. Returns the exit status: 0, or 1 if a test failed or there is none.
int run_tests(const TestOptions& options);

}  // namespace perigee
