// Parses with CLI11.
#include "game/program/command_line.h"

#include "game/program/command.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "scripting/lua/luajit_version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

namespace {

bool is_question(std::string_view word) { return word == "-h" || word == "--help" || word == "--version"; }

// "perigee GAME_DIR" is "perigee run GAME_DIR".
std::vector<std::string> with_command(std::span<const Command> commands, int argc, const char* const* argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const bool is_complete = !words.empty() && (is_question(words.front()) ||
                                                std::ranges::any_of(commands, [&](const Command& command) {
                                                    return command.name == words.front();
                                                }));
    if (!is_complete) words.insert(words.begin(), std::string(commands.front().name));
    return words;
}

// "mods bisect" is a command inside of "mods", which is in the table before it.
CLI::App& add_parser(CLI::App& app, const Command& command) {
    const std::size_t space = command.name.find(' ');
    const bool is_inner = space != std::string_view::npos;
    CLI::App& parent = is_inner ? *app.get_subcommand(std::string(command.name.substr(0, space))) : app;
    return *parent.add_subcommand(std::string(command.name.substr(is_inner ? space + 1 : 0)),
                                  std::string(command.summary));
}

// An empty name is an unset variable of a shell, and not the wish to leave the option out.
void refuse_empty_names(CLI::App& parser) {
    for (CLI::Option* const option : parser.get_options()) {
        const std::string type = option->get_type_name();
        if (!type.starts_with("FILE") && !type.starts_with("DIR")) continue;
        option->check([type](const std::string& word) {
            return word.empty() ? fmt::format(game_errors::kEmptyName, type) : std::string{};
        });
    }
}

CommandLine answer(std::string text, int exit_status) {
    CommandLine line;
    line.answer = {std::move(text), exit_status};
    return line;
}

}  // namespace

CommandLine parse_command_line(std::span<const Command> commands, int argc, const char* const* argv) {
    CLI::App app{"Perigee: games whose data is declared in Lua and lives in native chunks.", "perigee"};
    app.set_version_flag("--version", [] {
        return fmt::format("perigee " PERIGEE_VERSION ", {}", text_of(luajit_version()));
    });
    app.footer(
        "perigee run --help lists the options; 'perigee GAME_DIR' is short for 'perigee run GAME_DIR'.");
    app.require_subcommand(1);
    std::vector<std::any> options;
    options.reserve(commands.size());
    std::vector<const CLI::App*> parsers;
    for (const Command& command : commands) {
        CLI::App& parser = add_parser(app, command);
        command.add_options(parser, options.emplace_back(command.defaults()));
        refuse_empty_names(parser);
        parsers.push_back(&parser);
    }

    std::vector<std::string> words = with_command(commands, argc, argv);
    std::ranges::reverse(words);  // CLI11 takes them from the back
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        std::ostringstream err;
        const bool was_question = app.exit(error, out, err) == 0;
        return was_question ? answer(out.str(), kExitDone) : answer(err.str(), kExitWrongUse);
    }
    // An inner command comes after the one that contains it.
    std::size_t chosen = parsers.size() - 1;
    while (!parsers[chosen]->parsed()) --chosen;
    const Command& command = commands[chosen];
    if (std::string wrong = command.settle(options[chosen]); !wrong.empty())
        return answer(wrong + "\n", kExitWrongUse);
    return {&command, std::move(options[chosen]), {}};
}

}  // namespace perigee
