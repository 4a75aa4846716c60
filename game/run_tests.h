// perigee test: runs the tests of a game and its mods, the files tests/*.lua of each.
//
// Invariant: each file has a Lua state of its own, each test its own games; tests run in the order of files
// by name and of declaration within them. Tests of a mod are run when it would load, in the game with all its
// mods.
#pragma once

#include "game/command_line.h"

namespace perigee {

/// Prints a line for each test. Returns the exit status: 0, or 1 when a test failed or there is none.
int run_tests(const TestOptions& options);

}  // namespace perigee
