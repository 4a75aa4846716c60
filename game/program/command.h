// One command of the program: its name, its options, and the function that runs it.
//
// Invariant: a table of these (game/commands/all_commands.cpp) is the only place that lists the commands; the
// parser (command_line.h) and main name none of them.
#pragma once

#include "ecs/base/result.h"
#include "game/program/stranger_check.h"

#include <any>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace perigee {

/// The options are always of the command's own type; std::any carries them between these functions.
struct Command {
    std::string_view name;     ///< "mods bisect": the command `bisect` of the command `mods`
    std::string_view summary;  ///< in the list of --help
    std::any (*defaults)();
    /// Adds the options to the parser's command. Lifetime: the options must outlive the parsing.
    void (*add_options)(CLI::App& command, std::any& options);
    /// Completes parsed options. Returns what is wrong with them; empty for nothing.
    std::string (*settle)(std::any& options);
    /// See stranger_check.h.
    Result<std::string> (*check_strangers)(const std::any& options);
    /// Returns the exit status.
    int (*run)(const std::any& options);
};

template <typename Options> std::string accept_options(Options&) { return {}; }

/// A row of the table.
template <typename Options, void (*kAdd)(CLI::App&, Options&), int (*kRun)(const Options&),
          std::string (*kSettle)(Options&) = accept_options<Options>>
constexpr Command make_command(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .defaults = [] { return std::any(Options{}); },
            .add_options = [](CLI::App& command,
                              std::any& options) { kAdd(command, *std::any_cast<Options>(&options)); },
            .settle = [](std::any& options) { return kSettle(*std::any_cast<Options>(&options)); },
            .check_strangers =
                [](const std::any& options) {
                    return perigee::check_strangers(*std::any_cast<Options>(&options));
                },
            .run = [](const std::any& options) { return kRun(*std::any_cast<Options>(&options)); }};
}

}  // namespace perigee
