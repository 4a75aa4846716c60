// Options that several commands have, each declared once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace perigee {

/// GAME_DIR and --mods.
void add_game(CLI::App& command, std::filesystem::path& game,
              std::vector<std::filesystem::path>& mod_folders);
/// --without.
void add_left_out(CLI::App& command, std::vector<std::string>& mods);
/// FILE, the recording that a command plays.
void add_recording(CLI::App& command, std::filesystem::path& file);
/// --accept-truncated.
void add_truncated(CLI::App& command, bool& accepts_truncated);
/// --accept-risk, for commands that run scripts.
void add_risk(CLI::App& command, bool& accepts_risk);
/// --jit.
void add_compiler(CLI::App& command, bool& is_interpreted);

/// Checks that the word of an option is a whole number in a range, since CLI11 lets -1 and 2^64 pass.
/// `wrong`: the message, with places for the largest number and the word.
CLI::Validator number_between(std::uint64_t smallest, std::uint64_t largest, const char* wrong);
/// From 0 to 2^64 - 1.
CLI::Validator whole_number();

}  // namespace perigee
