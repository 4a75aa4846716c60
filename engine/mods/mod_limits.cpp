// One amount after the other; dependent amounts grow with them.
#include "engine/mods/mod_limits.h"

#include "engine/base/error_codes.h"
#include "engine/modules/save_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace perigee {

namespace {

constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;

class Grant {
public:
    Grant(const std::string& mod, std::vector<std::string>& notes) : mod_(mod), notes_(notes) {}

    template <typename T>
    double amount(const char* word, double initial, const std::optional<T>& request,
                  const std::optional<T>& player) {
        if (player) return static_cast<double>(*player);
        if (!request) return initial;
        const auto requested = static_cast<double>(*request);
        const double max = initial * kMaxRequestFactor;
        if (requested > max)
            notes_.push_back(fmt::format(engine_errors::kRequestTooLarge, mod_, word, requested, max));
        return std::min(requested, max);
    }

private:
    const std::string& mod_;
    std::vector<std::string>& notes_;
};

void set_memory(ScriptLimits& limits, double megabytes) {
    const ScriptLimits initial;
    limits.memory_soft = static_cast<std::size_t>(megabytes * kBytesPerMegabyte);
    limits.memory_hard = limits.memory_soft * (initial.memory_hard / initial.memory_soft);
    limits.memory_per_run = limits.memory_soft * (initial.memory_per_run / initial.memory_soft);
}

void set_fuel(ScriptLimits& limits, double steps) {
    const ScriptLimits initial;
    const double more = std::max(1.0, steps / initial.fuel_per_run);
    limits.fuel_per_run = steps;
    limits.fuel_per_load = initial.fuel_per_load * more;
    limits.seconds_per_run = initial.seconds_per_run * more;
    limits.fuel_per_step = initial.fuel_per_step * more;
    limits.seconds_per_step = initial.seconds_per_step * more;
    limits.seconds_per_load = initial.seconds_per_load * more;
}

}  // namespace

LimitsOfAllMods limits_of_all(const PlayerSettings& player) {
    LimitsOfAllMods limits;
    const auto bytes = [](std::uint32_t megabytes) { return std::size_t{megabytes} << 20U; };
    for (const auto& [mod, allowed] : player.permissions)
        limits.lua_memory += bytes(allowed.memory_mb.value_or(0));
    if (const auto& allowed = player.permissions_of_all; allowed.memory_mb)
        limits.lua_memory = bytes(*allowed.memory_mb);
    for (const auto& [mod, allowed] : player.permissions) limits.entities += allowed.entities.value_or(0);
    limits.entities = player.permissions_of_all.entities.value_or(limits.entities);
    limits.load_seconds =
        player.permissions_of_all.load_seconds.value_or(static_cast<std::uint32_t>(limits.load_seconds));
    return limits;
}

GrantedLimits granted_limits(const ModManifest& manifest, const PlayerSettings& player) {
    GrantedLimits granted;
    const ScriptLimits initial;
    const ModPermissions& requested = manifest.permissions;
    const auto found = player.permissions.find(manifest.id);
    const ModPermissions allowed = found != player.permissions.end() ? found->second : ModPermissions{};

    Grant grant{manifest.id, granted.notes};
    set_memory(granted.limits,
               grant.amount("memory_mb", static_cast<double>(initial.memory_soft) / kBytesPerMegabyte,
                            requested.memory_mb, allowed.memory_mb));
    set_fuel(granted.limits, grant.amount("instructions", initial.fuel_per_run, requested.instructions,
                                          allowed.instructions));
    granted.limits.log_lines = static_cast<int>(
        grant.amount("log_lines", initial.log_lines, requested.log_lines, allowed.log_lines));
    granted.save_bytes = static_cast<std::uint64_t>(
        grant.amount("save_mb", static_cast<double>(kSaveBytesOfMod) / kBytesPerMegabyte, requested.save_mb,
                     allowed.save_mb) *
        kBytesPerMegabyte);
    granted.limits.entities = static_cast<std::size_t>(grant.amount(
        "entities", static_cast<double>(initial.entities), requested.entities, allowed.entities));
    granted.may_use_app = allowed.app.value_or(false);
    if (requested.app.value_or(false) && !allowed.app)
        granted.notes.push_back(fmt::format(engine_errors::kRequestsApp, manifest.id));
    granted.may_use_shaders = allowed.shaders.value_or(false);
    if (requested.shaders.value_or(false) && !allowed.shaders)
        granted.notes.push_back(fmt::format(engine_errors::kRequestsShaders, manifest.id));
    // More lines may have more bytes in total.
    granted.limits.log_bytes =
        std::max(initial.log_bytes, initial.log_bytes / static_cast<std::size_t>(initial.log_lines) *
                                        static_cast<std::size_t>(granted.limits.log_lines));
    if (allowed.instructions && *allowed.instructions != requested.instructions)
        granted.choices = fmt::format(" {}.instructions={}", manifest.id, *allowed.instructions);
    if (allowed.save_mb && *allowed.save_mb != requested.save_mb)
        granted.choices += fmt::format(" {}.save_mb={}", manifest.id, *allowed.save_mb);
    if (allowed.entities && *allowed.entities != requested.entities)
        granted.choices += fmt::format(" {}.entities={}", manifest.id, *allowed.entities);
    if (granted.may_use_app) granted.choices += fmt::format(" {}.app", manifest.id);
    if (granted.may_use_shaders) granted.choices += fmt::format(" {}.shaders", manifest.id);
    return granted;
}

}  // namespace perigee
