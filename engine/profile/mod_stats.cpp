// Sums over the systems of each mod.
#include "engine/profile/mod_stats.h"

#include "ecs/base/counted.h"
#include "ecs/schedule/schedule.h"
#include "scripting/mods/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace perigee {

namespace {

struct Sums {
    double milliseconds = 0;
    std::uint64_t rows = 0;
    std::uint64_t suspended = 0;
    double fuel = 0;
    double allocated = 0;
};

Sums sums_of(Schedule& schedule, const ModUsage& mod) {
    Sums sums;
    for (const ScriptSystemUsage& system : mod.systems) {
        sums.fuel += system.fuel;
        sums.allocated += static_cast<double>(system.allocated_bytes);
        const auto id = schedule.find(system.name);
        if (!id) continue;
        const SystemStatus status = schedule.status(*id);
        sums.milliseconds += status.times.total();
        sums.rows += status.rows;
        sums.suspended += status.is_suspended ? 1 : 0;
    }
    return sums;
}

// The number of simulation runs, by which the sums are divided.
double steps_of(Schedule& schedule) {
    const auto simulation = schedule.find(kSimulation);
    const std::uint64_t runs = simulation ? schedule.status(*simulation).times.count() : 0;
    return static_cast<double>(std::max<std::uint64_t>(runs, 1));
}

std::string share(std::uint64_t ticks, const JitTime& time) {
    return fmt::format("{:.0f} %", 100.0 * static_cast<double>(ticks) / static_cast<double>(time.all()));
}

// One line for each system of a mod that ran.
std::string system_lines(Schedule& schedule, const std::vector<ModUsage>& mods, double steps,
                         const JitTimes& profiles) {
    std::size_t width = 13;
    for (const ModUsage& mod : mods)
        for (const ScriptSystemUsage& system : mod.systems) width = std::max(width, system.name.size());
    std::string text;
    for (const ModUsage& mod : mods) {
        for (const ScriptSystemUsage& system : mod.systems) {
            const auto id = schedule.find(system.name);
            if (!id) continue;
            const SystemStatus status = schedule.status(*id);
            const auto profile = profiles.find(system.name);
            const bool has_profile = profile != profiles.end() && profile->second.all() > 0;
            text += fmt::format("{:<{}}  {:>9.4f}  {:>8}  {:>10.0f}  {:>11.0f}  {:>11}  {:>7}\n", system.name,
                                width, status.times.total() / steps, status.rows, system.fuel / steps,
                                static_cast<double>(system.allocated_bytes) / steps,
                                has_profile ? share(profile->second.interpreted, profile->second) : "",
                                has_profile ? share(profile->second.collecting, profile->second) : "");
        }
    }
    if (text.empty()) return text;
    return fmt::format("{:<{}}  {:>9}  {:>8}  {:>10}  {:>11}  {:>11}  {:>7}\n", "system of mods", width,
                       "ms a step", "rows", "fuel/step", "made B/step", "interpreted", "garbage") +
           text;
}

// Above this, pairs() takes more time than a loop over a list: it sorts keys that are not 1, 2, 3, …
constexpr double kManySortedKeys = 200;  // a step, some 5 µs

std::string sorting_lines(const ModUsage& mod, double steps) {
    std::string text;
    for (const ScriptSystemUsage& system : mod.systems) {
        const double keys = system.sorted_keys / steps;
        if (keys < kManySortedKeys) continue;
        text += fmt::format(
            "system '{}': pairs puts {:.0f} keys a step in order; a list beside the table, walked by index, "
            "takes a third of the time\n",
            system.name, keys);
    }
    return text;
}

// The ledger: the memory charged to each mod, by kind.
std::string memory_lines(const std::vector<ModUsage>& mods, std::size_t width) {
    const auto kilobytes = [](std::size_t bytes) { return (bytes + 1023) / 1024; };
    width = std::max(width, std::string_view("KB used by mod").size());
    std::string text = fmt::format("{:<{}}  {:>8}", "KB used by mod", width, "Lua heap");
    for (const MemoryKind kind : kAllMemoryKinds) text += fmt::format("  {:>10}", name_of(kind));
    text += fmt::format("  {:>8}  {:>8}  {:>8}  {:>8}  {:>11}  {:>9}  {:>9}  {:>9}\n", "objects", "commands",
                        "systems", "observed", "side worlds", "max world", "entities", "max alive");
    for (const ModUsage& mod : mods) {
        text += fmt::format("{:<{}}  {:>8}", mod.mod, width, kilobytes(mod.memory_bytes));
        for (const std::size_t bytes : mod.world_bytes) text += fmt::format("  {:>10}", kilobytes(bytes));
        const std::string max_entities =
            mod.max_entities == SIZE_MAX ? "" : fmt::format("{}", mod.max_entities);
        text += fmt::format(
            "  {:>8}  {:>8}  {:>8}  {:>8}  {:>11}  {:>9}  {:>9}  {:>9}\n", kilobytes(mod.object_bytes),
            kilobytes(mod.command_bytes), kilobytes(mod.system_bytes), kilobytes(mod.observed_bytes),
            kilobytes(mod.side_world_bytes), kilobytes(mod.max_world_bytes), mod.entities, max_entities);
    }
    return text;
}

// The first is the game. The same limit applies to Lua memory and, separately, to the world.
std::string line_of_all(const std::vector<ModUsage>& mods, const UsageOfAllMods& all) {
    constexpr double kMegabyte = 1024.0 * 1024.0;
    std::size_t world = 0;
    for (std::size_t i = 1; i < mods.size(); ++i) world += mods[i].world_bytes.sum();
    return fmt::format(
        "all mods together: {:.1f} of {:.1f} MB of Lua memory, {:.1f} of {:.1f} MB of the world, loaded in "
        "{:.2f} of {:.1f} s\n",
        static_cast<double>(all.lua_bytes) / kMegabyte, static_cast<double>(all.max_lua_bytes) / kMegabyte,
        static_cast<double>(world) / kMegabyte, static_cast<double>(all.max_lua_bytes) / kMegabyte,
        all.load_seconds, all.max_load_seconds);
}

std::string mod_stats_header(std::size_t width) {
    return fmt::format("{:<{}}  {:>7}  {:>9}  {:>8}  {:>9}  {:>9}  {:>10}  {:>11}  {:>6}  {:>11}  {:>7}\n",
                       "mod", width, "systems", "ms a step", "rows", "memory KB", "peak KB", "fuel/step",
                       "made B/step", "traces", "interpreted", "garbage");
}

}  // namespace

std::string interpreted_place(const ScriptRuntime& scripts) {
    for (const ModUsage& mod : scripts.usage()) {
        for (const JitProblem& problem : mod.jit.problems)
            if (!problem.system.empty()) return text_of(problem, mod.mod);
    }
    return "";
}

std::string text_of(const JitProblem& problem, const std::string& mod) {
    std::string text = fmt::format("{}/{}:{}", mod, problem.file, problem.line);
    if (problem.loop_line != problem.line && problem.loop_line > 0)
        text += fmt::format(", from the loop or function of line {}", problem.loop_line);
    if (!problem.system.empty()) text += fmt::format(", system '{}'", problem.system);
    return text + ": " + problem.reason;
}

std::string mod_stats(Schedule& schedule, const ScriptRuntime& scripts, const JitTimes& profiles,
                      const JitTimes& system_profiles) {
    const std::vector<ModUsage> mods = scripts.usage();
    const double steps = steps_of(schedule);
    std::size_t width = 4;
    for (const ModUsage& mod : mods) width = std::max(width, mod.mod.size());
    std::string text = mod_stats_header(width);
    std::string problems;
    for (const ModUsage& mod : mods) {
        const Sums sums = sums_of(schedule, mod);
        const auto profile = profiles.find(mod.mod);
        const bool has_profile = profile != profiles.end() && profile->second.all() > 0;
        text += fmt::format(
            "{:<{}}  {:>7}  {:>9.4f}  {:>8}  {:>9}  {:>9}  {:>10.0f}  {:>11.0f}  {:>6}  {:>11}  "
            "{:>7}{}\n",
            mod.mod, width, mod.systems.size(), sums.milliseconds / steps, sums.rows, mod.memory_bytes / 1024,
            mod.peak_bytes / 1024, sums.fuel / steps, sums.allocated / steps, mod.jit.traces,
            has_profile ? share(profile->second.interpreted, profile->second) : "",
            has_profile ? share(profile->second.collecting, profile->second) : "",
            sums.suspended > 0 ? fmt::format("  {} failed", sums.suspended) : std::string());
        for (const JitProblem& problem : mod.jit.problems)
            problems += "not compiled: " + text_of(problem, mod.mod) + "\n";
        problems += sorting_lines(mod, steps);
        if (mod.jit.flushes > 0)
            problems += fmt::format("{}: all machine code was thrown away {}; too much of it\n", mod.mod,
                                    counted(mod.jit.flushes, "time"));
    }
    if (mods.size() > 1) problems += line_of_all(mods, scripts.usage_of_all());
    return text + problems + memory_lines(mods, width) + system_lines(schedule, mods, steps, system_profiles);
}

}  // namespace perigee
