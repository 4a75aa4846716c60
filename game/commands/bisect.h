// `perigee mods bisect`: finds the mod that makes a test fail, or that makes two runs of one recording
// differ.
//
// Invariant: a mod is tried only together with all mods that it needs. Not here: whether mods fit together
// (engine/mods/mod_order.h), and how tests run (game/testing/run_tests.h).
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace perigee {

struct BisectOptions {
    std::filesystem::path game;  ///< empty: the demo
    std::vector<std::filesystem::path> mod_folders;
    std::string filter;                 ///< of the tests
    std::filesystem::path replay_file;  ///< instead of tests; empty: tests
    bool accepts_risk = false;          ///< see RunOptions
};

void add_bisect_options(CLI::App& command, BisectOptions& options);

/// Prints one line. Exit status: 0 a mod was found, 1 nothing fails, or it fails without mods, too.
int bisect_mods(const BisectOptions& options);

/// A mod, and the mods that it needs, by their places in the load order.
struct ModToTry {
    std::string id;
    std::vector<std::size_t> needs;
};

struct FoundMod {
    std::size_t mod;  ///< place in the load order
    bool is_alone;    ///< it fails with the mods that it needs; otherwise also with some before it
    std::size_t runs;
};

/// True if it fails with these mods left out; an error ends the search.
using ModProbe = std::function<Result<bool>(const std::vector<std::string>& left_out)>;

/// The first mod in the load order with which it fails. `mods`: in load order, which fail together;
/// `always`: a mod that is never left out, as what fails is in it. Nothing if it fails without the others,
/// too. Cost: log2 of the number of mods, and two.
Result<std::optional<FoundMod>> find_failing_mod(const std::vector<ModToTry>& mods,
                                                 std::optional<std::size_t> always, const ModProbe& fails);

}  // namespace perigee
