// `perigee mods`: lists which mods of a game would load, in what order and why. Runs nothing.
#pragma once

#include "game/program/command_line.h"

namespace perigee {

/// Prints the list to standard output. Exit status: 0 all load, 1 some are left out, or the game or a folder
/// cannot be read (standard error says why).
int list_mods(const ModsOptions& options);

}  // namespace perigee
