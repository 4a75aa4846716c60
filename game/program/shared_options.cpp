// The names and help texts of shared options.
#include "game/program/shared_options.h"

#include "ecs/base/parse_number.h"
#include "game/program/error_codes.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limits>
#include <string>
#include <system_error>

namespace perigee {

void add_game(CLI::App& command, std::filesystem::path& game,
              std::vector<std::filesystem::path>& mod_folders) {
    command.add_option("GAME_DIR", game, "Folder or zip archive of a game; the demo by default");
    command
        .add_option("--mods", mod_folders,
                    "A folder of mods besides the game's own mods/; may be given several times")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

void add_left_out(CLI::App& command, std::vector<std::string>& mods) {
    command
        .add_option("--without", mods,
                    "A mod to leave out, with those that depend on it; may be given several times")
        ->type_name("MOD")
        ->allow_extra_args(false);
}

void add_recording(CLI::App& command, std::filesystem::path& file) {
    command.add_option("FILE", file, "A recording: see perigee run --record")->required();
}

void add_truncated(CLI::App& command, bool& accepts_truncated) {
    command.add_flag("--accept-truncated", accepts_truncated,
                     "Play a recording that a crash cut off, up to its end");
}

void add_risk(CLI::App& command, bool& accepts_risk) {
    command.add_flag(
        "--accept-risk", accepts_risk,
        "Run mods and archives even if scripts can crash the LuaJIT of this program, which perigee "
        "--version names");
}

void add_compiler(CLI::App& command, bool& is_interpreted) {
    const auto is_word = [](const std::string& word) {
        return word == "on" || word == "off" ? std::string() : fmt::format(game_errors::kCompilerWord, word);
    };
    command
        .add_option_function<std::string>(
            "--jit", [&is_interpreted](const std::string& word) { is_interpreted = word == "off"; },
            "Compile scripts (default: on). Off is slower; the results are the same")
        ->check(CLI::Validator(is_word, ""))
        ->type_name("on|off");
}

CLI::Validator number_between(std::uint64_t smallest, std::uint64_t largest, const char* wrong) {
    return {[=](std::string& word) -> std::string {
                const auto number = number_from<std::uint64_t>(word);
                if (number && *number >= smallest && *number <= largest) return "";
                return fmt::format(fmt::runtime(wrong), largest, word);
            },
            ""};
}

CLI::Validator whole_number() {
    return number_between(0, std::numeric_limits<std::uint64_t>::max(), game_errors::kWholeNumber);
}

}  // namespace perigee
