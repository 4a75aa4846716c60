// perigee stubs: writes annotations for editors, for the engine and all declarations of a game and its mods.
//
// Invariant: it writes only their folder, GAME/.perigee/stubs by default, and a .luarc.json next to the
// game's main.lua if there is none. Declarations are found by loading the game, without running any step.
#pragma once

#include "game/program/command_line.h"

namespace perigee {

/// Writes the files and prints their location. Returns the exit status: 0, or 1 with a message.
int write_stubs(const StubsOptions& options);

}  // namespace perigee
