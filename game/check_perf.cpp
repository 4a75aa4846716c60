// Stepping, one mod profiled after the other.
#include "game/check_perf.h"

#include "engine/engine.h"
#include "engine/mod_stats.h"
#include "game/game_folder.h"
#include "game/native_systems.h"
#include "scripting/jit_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

namespace {

constexpr int kSteps = 600;
constexpr int kFewestSteps = 60;  // of one mod, however many there are

}  // namespace

Result<bool> check_performance(const CheckOptions& options) {
    const Result<std::filesystem::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    const NativeSystems native = native_systems();
    EngineConfig config;
    config.game = game.value();
    config.mod_folders = options.mod_folders;
    config.native = &native;
    config.allows_native_code = options.allows_native_code;
    config.workers = 1;  // the profiler sees one thread
    config.watches_compiler = true;
    Result<std::unique_ptr<Engine>> engine = Engine::create(std::move(config));
    if (!engine) return engine.error();

    GameSession& session = engine.value()->session();
    std::vector<std::string> mods;
    for (const ModUsage& mod : session.scripts().usage())
        if (mod.has_loaded) mods.push_back(mod.mod);
    std::map<std::string, JitTime> times;
    const int steps =
        std::max(kFewestSteps, kSteps / static_cast<int>(std::max<std::size_t>(mods.size(), 1)));
    for (const std::string& mod : mods) {
        ScriptState* const state = session.scripts().state(mod);
        if (state == nullptr) continue;
        const JitProfile profile(*state);
        for (int i = 0; i < steps; ++i) {
            FrameInput input;
            input.exact_steps = 1;
            engine.value()->step(input);
        }
        times[mod] += profile.time();
    }
    fmt::print("{}", mod_stats(session.schedule(), session.scripts(), times));
    const std::vector<ModUsage> usage = session.scripts().usage();
    const bool is_compiled = std::ranges::all_of(usage, [](const ModUsage& mod) {
        return std::ranges::all_of(mod.jit.problems, [](const JitProblem& p) { return p.system.empty(); });
    });
    return is_compiled && engine.value()->error_count() == 0;
}

}  // namespace perigee
