// Finding the game, then its mods.
#include "game/commands/mods.h"

#include "engine/mods/mod_set.h"
#include "game/program/command_output.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"

namespace perigee {

int list_mods(const ModsOptions& options) {
    const Result<std::filesystem::path> game = find_game(options.game, source_trees());
    if (!game) return give_up(game.error());
    const Result<ModSet> set = find_mods(game.value(), options.mod_folders);
    if (!set) return give_up(set.error());
    print_out(text_of(set.value()));
    return set.value().order.problems.empty() ? kExitDone : kExitFailed;
}

}  // namespace perigee
