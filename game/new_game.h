// perigee new: a folder with a game, or a mod, that runs at once and wants to be changed.
//
// Invariant: nothing that is there already is touched: the folder is new, or empty. What is written is the
// template of scripts/templates with the name put in.
#pragma once

#include "game/command_line.h"

namespace perigee {

/// Writes the folder and prints what to do next. Returns the exit status: 0, or 1 with a message.
int new_game(const NewOptions& options);

}  // namespace perigee
