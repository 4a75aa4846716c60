// The perigee executable: reads the command line and does what it says.
#include "game/check.h"
#include "game/command_line.h"
#include "game/command_output.h"
#include "game/diff.h"
#include "game/mods.h"
#include "game/new_game.h"
#include "game/pack.h"
#include "game/play.h"
#include "game/repl.h"
#include "game/run_tests.h"
#include "game/stranger_check.h"
#include "game/stubs.h"

#include <cstdio>

int main(int argc, char** argv) {
    const auto parsed = perigee::parse_command_line(argc, argv);
    const perigee::Result<std::string> checked = perigee::check_strangers(parsed);
    if (!checked) return perigee::give_up(checked.error());
    if (!checked.value().empty()) std::fprintf(stderr, "perigee: %s\n", checked.value().c_str());
    if (const auto* options = std::get_if<perigee::RunOptions>(&parsed)) return perigee::play(*options);
    if (const auto* options = std::get_if<perigee::DiffOptions>(&parsed)) return perigee::diff(*options);
    if (const auto* options = std::get_if<perigee::ModsOptions>(&parsed)) return perigee::list_mods(*options);
    if (const auto* options = std::get_if<perigee::NewOptions>(&parsed)) return perigee::new_game(*options);
    if (const auto* options = std::get_if<perigee::PackOptions>(&parsed)) return perigee::pack(*options);
    if (const auto* options = std::get_if<perigee::ReplOptions>(&parsed)) return perigee::repl(*options);
    if (const auto* options = std::get_if<perigee::StubsOptions>(&parsed))
        return perigee::write_stubs(*options);
    if (const auto* options = std::get_if<perigee::CheckOptions>(&parsed)) return perigee::check(*options);
    if (const auto* options = std::get_if<perigee::TestOptions>(&parsed)) return perigee::run_tests(*options);
    const auto& answer = std::get<perigee::CommandLineAnswer>(parsed);
    std::fputs(answer.text.c_str(), answer.exit_status == 0 ? stdout : stderr);
    return answer.exit_status;
}
