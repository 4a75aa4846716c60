// perigee repl: runs lines of Lua from the terminal or a pipe in a game without a window.
//
// Invariant: time advances only with ":step N". In a terminal, tab completes and the arrow keys edit; from a
// pipe, each line is one command, and ":complete TEXT" prints the completions.
#pragma once

#include "game/program/command_line.h"

namespace perigee {

/// Ends with the input, or with :quit. Returns the exit status: 1 if the game could not be opened.
int repl(const ReplOptions& options);

}  // namespace perigee
