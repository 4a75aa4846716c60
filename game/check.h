// perigee check: all mistakes of a game and its mods that can be found without running it.
//
// What "without running" means: every schema.lua and main.lua is loaded in a session of its own that nobody
// steps, since declarations are data. What they say at their top level happens, within the budgets of mods;
// no function of a system, reaction or group is called, on_create included. Initialisers and services are not
// called either. What those functions do is read (scripting/source_check.h).
// Invariant: nothing is written; the game's files are only read.
#pragma once

#include "ecs/result.h"
#include "game/command_line.h"
#include "scripting/source_check.h"

#include <string>
#include <vector>

namespace perigee {

struct CheckFinding {
    Severity severity = Severity::error;
    std::string file;  ///< as it is found from here: "games/swarm/main.lua"
    int line = 0;      ///< 0: about the whole file
    std::string message;
};

/// By mod as they load, file and line. Errors: there is no such game or folder of mods.
Result<std::vector<CheckFinding>> find_mistakes(const CheckOptions& options);

/// Prints the findings to standard output. Returns the exit status: 0 when there is nothing but notes,
/// else 1.
int check(const CheckOptions& options);

}  // namespace perigee
