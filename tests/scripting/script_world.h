// A world, a schedule and one mod whose files are given as text: the base of tests of systems.
#pragma once

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "scripting/base/file_source.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

struct ScriptWorld {
    explicit ScriptWorld(WorldConfig config = {}, std::uint64_t seed = 1, bool watches_compiler = false,
                         bool puts_off_by_clock = false, const LimitsOfAllMods& limits_of_all = {})
        : world(config), schedule(world, seed) {
        ScriptRuntimeConfig runtime_config;
        runtime_config.seed = seed;
        runtime_config.limits_of_all = limits_of_all;
        runtime_config.watches_compiler = watches_compiler;
        runtime_config.puts_off_by_clock = puts_off_by_clock;  // a busy machine must not fail a test
        runtime_config.log = [this](const LogEntry& entry) {
            if (entry.level == LogLevel::info) log.emplace_back(entry.text);
        };
        runtime_config.assets.handle_of = [this](std::string_view,
                                                 std::string_view path) -> Result<std::uint32_t> {
            if (!path.starts_with("assets/")) return Error{"no asset '" + std::string(path) + "'"};
            assets.emplace_back(path);
            return static_cast<std::uint32_t>(assets.size());
        };
        runtime_config.assets.path_of = [this](std::uint32_t handle) {
            return handle >= 1 && handle <= assets.size() ? assets[handle - 1] : std::string();
        };
        runtime = std::make_unique<ScriptRuntime>(world, schedule, std::move(runtime_config));
        // The runtime reports errors of scripts; this is what their commands could not do.
        schedule.on_error([this](const SystemStatus& status) {
            const auto& known = runtime->recent_errors();
            if (known.empty() || known.back().text() != status.error)
                failed_at_playback += status.error + "\n";
        });
    }

    /// Loads tests/scripts/<main> with the schema of tests/scripts/world_schema.lua.
    std::string load_script(const std::string& main) {
        directory = std::make_unique<DirectorySource>(std::string(PERIGEE_SOURCE_DIR) + "/tests/scripts");
        ModConfig config;
        config.files = directory.get();
        config.schema_file = "world_schema.lua";
        config.main_file = main;
        config.limits = limits;
        return text_of(runtime->load(std::move(config)));
    }

    /// Errors as text, one per line; "" when all went well.
    std::string load(const std::string& schema, const std::string& main, const std::string& name = "game") {
        MemorySource::Files files{{"main.lua", main}};
        if (!schema.empty()) files.emplace("schema.lua", schema);
        sources.push_back(std::make_unique<MemorySource>(std::move(files)));
        ModConfig config;
        config.name = name;
        config.files = sources.back().get();
        config.limits = limits;
        return text_of(runtime->load(std::move(config)));
    }

    /// The game and then mods, all at once, each of a main.lua and the same schema.
    std::string load_all(const std::vector<std::pair<std::string, std::string>>& mains,
                         const std::string& schema = "") {
        std::vector<ModConfig> configs;
        for (const auto& [name, main] : mains) {
            MemorySource::Files files{{"main.lua", main}};
            if (!schema.empty()) files.emplace("schema.lua", schema);
            sources.push_back(std::make_unique<MemorySource>(std::move(files)));
            ModConfig& config = configs.emplace_back();
            config.name = name;
            config.files = sources.back().get();
            config.limits = limits;
        }
        return text_of(runtime->load(std::move(configs)));
    }

    /// Code that runs outside of systems.
    std::string run(std::string_view code) { return text_of(runtime->run("game", code)); }

    /// One fixed step and one frame; the errors of systems, one per line.
    std::string step() {
        runtime->forget_errors();
        std::string failed;
        for (const Result<void>& ran : {schedule.run_step(time), schedule.run_group(kPresentation, time)})
            if (!ran) failed += ran.error().message;
        ++time.tick;
        time.time += time.dt;
        failed += std::exchange(failed_at_playback, {});
        const auto& errors = runtime->recent_errors();
        return failed + text_of({errors.begin(), errors.end()});
    }

    static std::string text_of(const std::vector<ScriptError>& errors) {
        std::string text;
        for (const ScriptError& error : errors) text += (text.empty() ? "" : "\n") + error.text();
        return text;
    }

    ScriptLimits limits;  ///< of what load() loads
    std::string failed_at_playback;
    std::vector<std::string> log;
    std::vector<std::string> assets;
    std::vector<std::unique_ptr<MemorySource>> sources;
    std::unique_ptr<DirectorySource> directory;
    World world;
    Schedule schedule;
    TickTime time;
    std::unique_ptr<ScriptRuntime> runtime;
};

/// Runs a script of tests/scripts in a world of tiny chunks: it must load, run `steps` steps without an
/// error, and have set the global `finished`, so that checks inside systems cannot be skipped unnoticed.
inline void run_world_script(const std::string& main, int steps = 3) {
    WorldConfig config;
    config.shape = {.unit_bytes = 4096, .max_rows = 4};
    ScriptWorld game(config);
    REQUIRE(game.load_script(main) == "");
    for (int i = 0; i < steps; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(finished, 'the script did not get to its end')") == "");
}

}  // namespace perigee
