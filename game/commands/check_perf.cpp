// Steps the game and profiles one mod after the other.
#include "game/commands/check_perf.h"

#include "ecs/schedule/schedule.h"
#include "engine/plugin/native_systems.h"
#include "engine/profile/mod_stats.h"
#include "engine/session/game_session.h"
#include "game/commands/check.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/tool_engine.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"
#include "scripting/tools/jit_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

namespace {

constexpr unsigned kSteps = 600;
constexpr unsigned kFewestSteps = 60;  // of each mod, however many mods there are

}  // namespace

Result<bool> check_performance(const CheckOptions& options) {
    const Result<std::filesystem::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    const NativeSystems native = native_systems();
    EngineConfig config =
        one_thread_config(game.value(), options.mod_folders, native);  // which the profiler sees
    config.allows_native_code = options.allows_native_code;
    config.trusts_game = options.trusts_game;
    config.watches_compiler = true;
    config.is_interpreted = options.is_interpreted;
    Result<std::unique_ptr<Engine>> engine = Engine::create(std::move(config));
    if (!engine) return engine.error();

    GameSession& session = engine.value()->session();
    std::vector<std::string> mods;
    for (const ModUsage& mod : session.scripts().usage())
        if (mod.has_loaded) mods.push_back(mod.mod);
    JitTimes times;
    JitTimes system_times;
    const unsigned steps =
        std::max(kFewestSteps, kSteps / static_cast<unsigned>(std::max<std::size_t>(mods.size(), 1)));
    for (const std::string& mod : mods) {
        ScriptState* const state = session.scripts().state(mod);
        if (state == nullptr) continue;
        const JitProfile profile(*state, [&] { return running_system(session.scripts(), mod); });
        run_steps(*engine.value(), steps);
        times[mod] += profile.time();
        for (const auto& [system, time] : profile.systems()) system_times[system] += time;
    }
    print_out(mod_stats(session.schedule(), session.scripts(), times, system_times));
    if (options.is_interpreted) print_out(fmt::format("{}\n", game_errors::kAllInterpreted));
    return interpreted_place(session.scripts()).empty() && engine.value()->error_count() == 0;
}

}  // namespace perigee
