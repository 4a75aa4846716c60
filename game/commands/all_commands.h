// The commands of the program, in one table: a new command is a row there and a file here.
#pragma once

#include "game/program/command.h"

#include <span>

namespace perigee {

/// In the order of --help; the first is what `perigee GAME_DIR` means.
std::span<const Command> all_commands() noexcept;

}  // namespace perigee
