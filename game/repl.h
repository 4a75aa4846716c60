// perigee repl: a game without a window, and lines of Lua for it from the terminal or from a pipe.
//
// Invariant: time stands still but for ":step N". In a terminal, tab completes and the arrow keys edit; from
// a pipe, each line is one line, and ":complete TEXT" says what tab would.
#pragma once

#include "game/command_line.h"

namespace perigee {

/// Ends with the input, or with :quit. Returns the exit status: 1 when the game could not be opened.
int repl(const ReplOptions& options);

}  // namespace perigee
