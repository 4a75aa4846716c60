// perigee stubs: annotations for editors, of the engine and of all that a game and its mods declare.
//
// Invariant: only the folder for them is written, GAME/.perigee/stubs unless another is named, and a
// .luarc.json beside the game's main.lua when there is none. Declarations are found by loading the game;
// nothing of it is run for a step.
#pragma once

#include "game/command_line.h"

namespace perigee {

/// Writes the files and prints where. Returns the exit status: 0, or 1 with a message.
int write_stubs(const StubsOptions& options);

}  // namespace perigee
