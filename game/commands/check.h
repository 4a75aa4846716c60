// perigee check: finds all errors of a game and its mods that can be found without running it.
//
// "Without running" means: every schema.lua and main.lua is loaded in a separate session that never steps,
// since declarations are data. Their top-level code runs, within the budgets of mods; no function of a
// system, reaction or group is called, not even on_create, and no initialiser or service. The source of those
// functions is analysed instead (scripting/check/source_check.h).
// Invariant: nothing is written; the game's files are only read.
#pragma once

#include "ecs/base/result.h"
#include "scripting/check/source_check.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// perigee check: finds errors without running the game.
struct CheckOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    bool allows_native_code = false;  ///< see RunOptions; loading a plugin runs a part of it
    bool trusts_game = false;         ///< see RunOptions; applies while the game loads, too
    bool measures = false;            ///< runs the game for a while when there are no mistakes
    bool is_interpreted = false;      ///< see RunOptions
    bool accepts_risk = false;        ///< see RunOptions
};

void add_check_options(CLI::App& command, CheckOptions& options);

struct CheckFinding {
    Severity severity = Severity::error;
    std::string file;  ///< relative to the working directory: "games/swarm/main.lua"
    int line = 0;      ///< 0: about the whole file
    std::string message;

    bool operator==(const CheckFinding&) const = default;
};

/// Ordered by mod in load order, file and line. Errors: the game or a mod folder does not exist.
Result<std::vector<CheckFinding>> find_mistakes(const CheckOptions& options);

/// Prints the findings to standard output. Returns the exit status: 0 if there are only notes, else 1.
int check(const CheckOptions& options);

}  // namespace perigee
