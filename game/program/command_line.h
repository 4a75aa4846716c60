// The command line: from words to a command and its options.
//
// Invariant: parsed options are consistent; inconsistent ones are a usage error before anything starts. It
// accesses no file and no display; the command does. Not here: which commands there are
// (game/commands/all_commands.h).
#pragma once

#include <any>
#include <span>
#include <string>

namespace perigee {

struct Command;

/// Text to print instead of running: help, the version, or an error.
struct CommandLineAnswer {
    std::string text;
    int exit_status = 0;  ///< 0 to standard output, 2 (wrong use) to standard error
};

struct CommandLine {
    const Command* command = nullptr;  ///< null: print the answer
    std::any options;                  ///< of the command
    CommandLineAnswer answer;
};

/// "perigee GAME_DIR" is the first command with GAME_DIR. Lifetime: `commands` must outlive the result.
CommandLine parse_command_line(std::span<const Command> commands, int argc, const char* const* argv);

}  // namespace perigee
