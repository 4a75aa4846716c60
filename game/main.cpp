// The perigee executable: parses the command line and runs the command.
#include "game/commands/all_commands.h"
#include "game/program/command_line.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"

#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>

namespace {

using namespace perigee;

int run_command(int argc, char** argv) {
    const CommandLine line = parse_command_line(all_commands(), argc, argv);
    if (line.command == nullptr) {
        line.answer.exit_status == kExitDone ? print_out(line.answer.text) : print_err(line.answer.text);
        return line.answer.exit_status;
    }
    const Result<std::string> checked = line.command->check_strangers(line.options);
    if (!checked) return give_up(checked.error());
    if (!checked.value().empty()) say(checked.value());
    return line.command->run(line.options);
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
