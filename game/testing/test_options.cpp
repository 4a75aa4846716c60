// The options of test.
#include "game/testing/test_options.h"

#include "game/program/shared_options.h"

#include <CLI/CLI.hpp>

namespace perigee {

void add_test_options(CLI::App& command, TestOptions& options) {
    add_game(command, options.game, options.mod_folders);
    add_left_out(command, options.left_out_mods);
    command.add_option("--filter", options.filter, "Run only tests with this text in their names")
        ->type_name("TEXT");
    command.add_flag("--update", options.updates,
                     "Write the golden values and pictures in tests/golden/ instead of comparing with them");
    add_compiler(command, options.is_interpreted);
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nRuns tests/*.lua of the game and of each mod that loads, without a window or a clock.\n"
        "Exit status: 0 all passed, 1 some failed or there are none.");
}

}  // namespace perigee
