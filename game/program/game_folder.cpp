// The possible locations of the demo, and the test for a game folder.
#include "game/program/game_folder.h"

#include "ecs/base/error_codes.h"
#include "ecs/files/regular_file.h"
#include "game/program/error_codes.h"
#include "scripting/base/error_codes.h"

#include <fmt/format.h>

namespace perigee {

namespace fs = std::filesystem;

namespace {

constexpr char kDemo[] = "scripts/games/swarm";

Result<fs::path> find_demo(const std::vector<fs::path>& trees) {
    std::error_code ignored;
    for (const fs::path& tree : trees) {
        if (fs::is_regular_file(tree / kDemo / "main.lua", ignored))
            return fs::weakly_canonical(tree / kDemo, ignored);
    }
    return Error{game_errors::kNoDemo};
}

}  // namespace

std::vector<fs::path> source_trees(fs::path program) {
    std::error_code ignored;
    if (program.empty()) program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path folder = program.parent_path();
    // bin/perigee; build/<preset>/perigee
    std::vector<fs::path> trees = {folder.parent_path() / "share/perigee",
                                   folder.parent_path().parent_path()};
    if (folder == fs::weakly_canonical(PERIGEE_BINARY_DIR, ignored)) trees.emplace_back(PERIGEE_SOURCE_DIR);
    return trees;
}

Result<fs::path> find_game(const fs::path& named, const std::vector<fs::path>& trees) {
    if (named.empty()) return find_demo(trees);
    std::error_code failed;
    const fs::file_status status = fs::status(named, failed);
    if (status.type() == fs::file_type::not_found)
        return Error{fmt::format(game_errors::kNoGame, named.string())};
    if (!fs::exists(status))
        return Error{fmt::format(game_errors::kCannotLookAt, named.string(),
                                 errors::file_unreadable(failed.message()))};
    if (!fs::is_directory(status)) return named;
    const fs::path main_file = named / "main.lua";
    if (fs::status(main_file, failed).type() == fs::file_type::not_found)
        return Error{fmt::format(game_errors::kNoMainFile, named.string())};
    if (const Result<RegularFile> opened = RegularFile::open(main_file); !opened)
        return Error{fmt::format(game_errors::kMainIsNoFile, named.string(), opened.error().message)};
    return named;
}

}  // namespace perigee
