// Reads lines: with libedit in a terminal, otherwise with getline.
#include "game/commands/repl.h"

#include "ecs/base/parse_number.h"
#include "engine/engine.h"
#include "engine/mods/mod_manifest.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_session.h"
#include "engine/tools/console.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/shared_options.h"
#include "game/program/tool_engine.h"

#include <CLI/CLI.hpp>
#include <editline/readline.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace perigee {

namespace {

constexpr unsigned kMaxSteps = 1'000'000;

// The game, its console, and how much of the output has been printed.
class Repl {
public:
    Repl(Engine& engine, std::string_view mod) : engine_(engine) {
        console_.use(engine.provenance());
        if (!mod.empty()) run(fmt::format(":mod {}", mod));
    }

    void run(std::string_view line) {
        constexpr std::string_view kStep = ":step";
        constexpr std::string_view kComplete = ":complete ";
        if (line.starts_with(kStep)) {
            step(line.substr(kStep.size()));
        } else if (line.starts_with(kComplete)) {
            for (const std::string& word : completion(line.substr(kComplete.size())).words)
                print_out(word + "\n");
        } else {
            console_.submit(line, engine_.session());
            print_output();
        }
    }

    Completion completion(std::string_view line) { return console_.completion(line, engine_.session()); }

    bool wants_quit() const noexcept { return console_.wants_quit(); }
    std::string prompt() const { return console_.mod() + "> "; }

private:
    void step(std::string_view words) {
        words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
        const auto count = words.empty() ? 1 : number_from<unsigned>(words);
        if (!count || *count > kMaxSteps) {
            print_out(fmt::format(game_errors::kReplSteps, kMaxSteps));
            return;
        }
        run_steps(engine_, *count);
        if (engine_.wants_quit()) print_out(game_errors::kReplQuit);
        print_out(fmt::format("step {}\n", engine_.tick()));
    }

    // Without the line itself, which is on the terminal already.
    void print_output() {
        const auto& lines = console_.output();
        for (std::size_t i = 1; i < lines.size(); ++i) print_out(lines[i].text + "\n");
        console_.forget_output();
    }

    Engine& engine_;
    Console console_;
};

Repl* completing = nullptr;  // libedit's callbacks have no user argument

char* next_word(const char*, int number) {
    static Completion found;
    static std::string line;
    if (number == 0) {
        line.assign(rl_line_buffer, static_cast<std::size_t>(rl_point));
        found = completing->completion(line);
    }
    const auto at = static_cast<std::size_t>(number);
    return at < found.words.size() ? strdup(found.words[at].c_str()) : nullptr;
}

char** words_of(const char* begun, int, int) {
    rl_attempted_completion_over = 1;  // no names of files
    return rl_completion_matches(begun, next_word);
}

std::optional<std::string> next_line(const Repl& repl, bool is_terminal) {
    if (is_terminal) {
        const std::unique_ptr<char, decltype(&std::free)> line(readline(repl.prompt().c_str()), &std::free);
        if (!line) return std::nullopt;
        if (*line != 0) add_history(line.get());
        return std::string(line.get());
    }
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
}

}  // namespace

int repl(const ReplOptions& options) {
    const Result<std::filesystem::path> game = find_game(options.game, source_trees());
    if (!game) return give_up(game.error());
    const NativeSystems native = native_systems();
    EngineConfig config = one_thread_config(game.value(), options.mod_folders, native);
    config.seed = options.seed;
    if (options.records_writes) config.provenance = WatchedValues{};
    config.log = [](const LogEntry& entry) { print_out(fmt::format("[{}] {}\n", entry.mod, entry.text)); };
    const Result<std::unique_ptr<Engine>> engine = Engine::create(std::move(config));
    if (!engine) return give_up(engine.error());

    Repl session(*engine.value(), options.mod);
    const bool is_terminal = isatty(STDIN_FILENO) != 0;
    if (is_terminal) {
        completing = &session;
        static char name[] = "perigee";  // libedit takes a mutable string
        static char breaks[] = " \t\n\"\\'`@$><=;|&{(.:,+-*/%#[]";
        rl_readline_name = name;
        rl_attempted_completion_function = words_of;
        rl_completer_word_break_characters = breaks;
        print_out(fmt::format("{}: :help lists commands, :step N runs steps, :quit ends\n",
                              engine.value()->manifest().title));
    }
    while (!session.wants_quit()) {
        const std::optional<std::string> line = next_line(session, is_terminal);
        if (!line) break;
        session.run(*line);
    }
    return 0;
}

void add_repl_options(CLI::App& command, ReplOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_option("--mod", options.mod, "The mod whose names lines see; the game by default")
        ->type_name("ID");
    command.add_option("--seed", options.seed, "Seed of all random numbers in the game; 0 by default")
        ->type_name("N")
        ->check(whole_number());
    command.add_flag("--provenance", options.records_writes,
                     "Record which system wrote which value, for ':why 1234 Health.current'. Slower");
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nEach line is Lua; an expression shows its value. Time passes only with ':step N'. ':help' lists "
        "the "
        "commands. In a terminal, tab completes.");
}

}  // namespace perigee
