// Finds the game, then its mods.
#include "game/commands/mods.h"

#include "engine/mods/mod_set.h"
#include "game/program/command_output.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"
#include "game/program/shared_options.h"

#include <CLI/CLI.hpp>

namespace perigee {

int list_mods(const ModsOptions& options) {
    const Result<std::filesystem::path> game = find_game(options.game, source_trees());
    if (!game) return give_up(game.error());
    const Result<ModSet> set = find_mods(game.value(), options.mod_folders);
    if (!set) return give_up(set.error());
    print_out(text_of(set.value()));
    return set.value().order.problems.empty() ? kExitDone : kExitFailed;
}

void add_mods_options(CLI::App& command, ModsOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.footer(
        "\nLists the mods in the order in which they load, each with the reason for its place, and those "
        "that cannot.\nExit status: 0 all load, 1 some are left out or the game cannot be read.");
}

}  // namespace perigee
