// The options of `perigee test`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

/// perigee test: the files tests/*.lua of a game and its mods.
struct TestOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    std::vector<std::string> left_out_mods;
    std::string filter;           ///< only tests with this text in their names
    bool updates = false;         ///< writes golden values instead of comparing them
    bool is_interpreted = false;  ///< see RunOptions
    bool accepts_risk = false;    ///< see RunOptions
};

void add_test_options(CLI::App& command, TestOptions& options);

}  // namespace perigee
