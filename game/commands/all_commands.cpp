// Name, summary, options and function of each command.
#include "game/commands/all_commands.h"

#include "game/commands/bisect.h"
#include "game/commands/check.h"
#include "game/commands/diff.h"
#include "game/commands/internal/play_options.h"
#include "game/commands/mods.h"
#include "game/commands/new_game.h"
#include "game/commands/pack.h"
#include "game/commands/play.h"
#include "game/commands/repl.h"
#include "game/commands/stubs.h"
#include "game/commands/why.h"
#include "game/testing/run_tests.h"

namespace perigee {

std::span<const Command> all_commands() noexcept {
    static constexpr Command kCommands[] = {
        make_command<RunOptions, add_run_options, play, settle_run>("run", "Play a game"),
        make_command<RunOptions, add_replay_options, play, settle_replay>(
            "replay", "Play a recording, or go to one of its steps"),
        make_command<WhyOptions, add_why_options, why, settle_why>(
            "why", "Say which systems wrote a value in a recorded run"),
        make_command<RunOptions, add_inspect_options, play, settle_inspect>(
            "inspect", "Run a game without a window and print figures"),
        make_command<DiffOptions, add_diff_options, diff>("diff", "Compare the hash logs of two runs"),
        make_command<ModsOptions, add_mods_options, list_mods>(
            "mods", "List the mods of a game and the order in which they load"),
        make_command<BisectOptions, add_bisect_options, bisect_mods>(
            "mods bisect", "Find the mod that makes a test fail, or two runs diverge"),
        make_command<NewOptions, add_new_options, new_game>("new", "Create a small game to start from"),
        make_command<PackOptions, add_pack_options, pack>("pack", "Pack a game or mod into an archive"),
        make_command<ReplOptions, add_repl_options, repl>("repl",
                                                          "Run lines of Lua in a game without a window"),
        make_command<StubsOptions, add_stubs_options, write_stubs>(
            "stubs", "Write annotations of a game's data for editors"),
        make_command<CheckOptions, add_check_options, check>(
            "check", "Find errors in a game and its mods without running it"),
        make_command<TestOptions, add_test_options, run_tests>("test",
                                                               "Run the tests of a game and its mods"),
    };
    return kCommands;
}

}  // namespace perigee
