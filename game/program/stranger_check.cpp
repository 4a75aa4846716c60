// The mods are listed as the engine will find them; none of their code runs here.
#include "game/program/stranger_check.h"

#include "engine/mods/mod_set.h"
#include "game/program/error_codes.h"
#include "game/program/game_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>
#include <vector>

namespace perigee {

namespace fs = std::filesystem;
namespace e = game_errors;

namespace {

constexpr std::size_t kNamedMods = 5;

// The command itself reports what cannot be found or read.
std::vector<std::string> strangers_of(const fs::path& game, std::span<const fs::path> mod_folders) {
    std::vector<std::string> names;
    std::error_code ignored;
    if (fs::is_regular_file(game, ignored)) names.push_back(fmt::format("'{}'", game.filename().string()));
    const Result<ModSet> set = find_mods(game, mod_folders);
    if (!set) return names;
    for (const ModCandidate& mod : set.value().mods)
        names.push_back(fmt::format("mod '{}'", mod.manifest.id));
    return names;
}

std::string list_of(std::vector<std::string> names) {
    const std::size_t left_out = names.size() - std::min(names.size(), kNamedMods);
    names.resize(names.size() - left_out);
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (left_out > 0) text += fmt::format(e::kMoreStrangers, left_out);
    return text;
}

}  // namespace

Result<std::string> check_strangers(const LuaJitVersion& version, const fs::path& game,
                                    std::span<const fs::path> mod_folders, bool accepts_risk) {
    if (is_trustworthy(version)) return std::string();
    if (!accepts_risk) {
        const std::vector<std::string> strangers = strangers_of(game, mod_folders);
        if (!strangers.empty())
            return Error{fmt::format(e::kStrangersRefused, text_of(version), list_of(strangers))};
    }
    return fmt::format(e::kOldLuaJit, text_of(version));
}

Result<std::string> check_strangers(const fs::path& game, std::span<const fs::path> mod_folders,
                                    bool accepts_risk) {
    const Result<fs::path> found = find_game(game, source_trees());
    if (!found) return std::string();
    return check_strangers(luajit_version(), found.value(), mod_folders, accepts_risk);
}

}  // namespace perigee
