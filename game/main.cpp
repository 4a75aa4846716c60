// The perigee executable: parses the command line and runs the command.
#include "game/commands/check.h"
#include "game/commands/diff.h"
#include "game/commands/mods.h"
#include "game/commands/new_game.h"
#include "game/commands/pack.h"
#include "game/commands/play.h"
#include "game/commands/repl.h"
#include "game/commands/stubs.h"
#include "game/program/command_line.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/stranger_check.h"
#include "game/testing/run_tests.h"

#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <variant>

namespace {

using namespace perigee;

int run_command(int argc, char** argv) {
    const CommandLine parsed = parse_command_line(argc, argv);
    const Result<std::string> checked = check_strangers(parsed);
    if (!checked) return give_up(checked.error());
    if (!checked.value().empty()) say(checked.value());
    if (const auto* options = std::get_if<RunOptions>(&parsed)) return play(*options);
    if (const auto* options = std::get_if<DiffOptions>(&parsed)) return diff(*options);
    if (const auto* options = std::get_if<ModsOptions>(&parsed)) return list_mods(*options);
    if (const auto* options = std::get_if<NewOptions>(&parsed)) return new_game(*options);
    if (const auto* options = std::get_if<PackOptions>(&parsed)) return pack(*options);
    if (const auto* options = std::get_if<ReplOptions>(&parsed)) return repl(*options);
    if (const auto* options = std::get_if<StubsOptions>(&parsed)) return write_stubs(*options);
    if (const auto* options = std::get_if<CheckOptions>(&parsed)) return check(*options);
    if (const auto* options = std::get_if<TestOptions>(&parsed)) return run_tests(*options);
    const auto& answer = std::get<CommandLineAnswer>(parsed);
    answer.exit_status == kExitDone ? print_out(answer.text) : print_err(answer.text);
    return answer.exit_status;
}

}  // namespace

int main(int argc, char** argv) {
    hold_standard_streams();
    // A closed pipe is a write error, not the end of a game with an open recording.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return finish_output(run_command(argc, argv));
    } catch (const std::bad_alloc&) {
        return finish_output(give_up(Error{game_errors::kNoMemory}));
    } catch (const std::system_error& error) {
        const bool has_no_thread = error.code() == std::errc::resource_unavailable_try_again;
        return finish_output(
            give_up(Error{has_no_thread ? std::string(game_errors::kNoThread)
                                        : fmt::format(game_errors::kMachine, error.what())}));
    } catch (const std::exception& error) {
        return finish_output(give_up(Error{fmt::format(game_errors::kMachine, error.what())}));
    }
}
