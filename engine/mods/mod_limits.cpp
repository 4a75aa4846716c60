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
    double amount(const char* word, double initial, const std::optional<T>& wish,
                  const std::optional<T>& player) {
        if (player) return static_cast<double>(*player);
        if (!wish) return initial;
        const auto wished = static_cast<double>(*wish);
        const double max = initial * kMaxWish;
        if (wished > max)
            notes_.push_back(fmt::format(engine_errors::kWishTooLarge, mod_, word, wished, max));
        return std::min(wished, max);
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
    for (const auto& [mod, words] : player.permissions)
        limits.lua_memory += bytes(words.memory_mb.value_or(0));
    if (const auto& words = player.permissions_of_all; words.memory_mb)
        limits.lua_memory = bytes(*words.memory_mb);
    for (const auto& [mod, words] : player.permissions) limits.entities += words.entities.value_or(0);
    limits.entities = player.permissions_of_all.entities.value_or(limits.entities);
    limits.load_seconds =
        player.permissions_of_all.load_seconds.value_or(static_cast<std::uint32_t>(limits.load_seconds));
    return limits;
}

GrantedLimits granted_limits(const ModManifest& manifest, const PlayerSettings& player) {
    GrantedLimits granted;
    const ScriptLimits initial;
    const ModPermissions& wishes = manifest.permissions;
    const auto found = player.permissions.find(manifest.id);
    const ModPermissions words = found != player.permissions.end() ? found->second : ModPermissions{};

    Grant grant{manifest.id, granted.notes};
    set_memory(granted.limits,
               grant.amount("memory_mb", static_cast<double>(initial.memory_soft) / kBytesPerMegabyte,
                            wishes.memory_mb, words.memory_mb));
    set_fuel(granted.limits,
             grant.amount("instructions", initial.fuel_per_run, wishes.instructions, words.instructions));
    granted.limits.log_lines =
        static_cast<int>(grant.amount("log_lines", initial.log_lines, wishes.log_lines, words.log_lines));
    granted.save_bytes = static_cast<std::uint64_t>(
        grant.amount("save_mb", static_cast<double>(kSaveBytesOfMod) / kBytesPerMegabyte, wishes.save_mb,
                     words.save_mb) *
        kBytesPerMegabyte);
    granted.limits.entities = static_cast<std::size_t>(
        grant.amount("entities", static_cast<double>(initial.entities), wishes.entities, words.entities));
    granted.may_use_app = words.app.value_or(false);
    if (wishes.app.value_or(false) && !words.app)
        granted.notes.push_back(fmt::format(engine_errors::kWishesApp, manifest.id));
    // More lines may have more bytes in total.
    granted.limits.log_bytes =
        std::max(initial.log_bytes, initial.log_bytes / static_cast<std::size_t>(initial.log_lines) *
                                        static_cast<std::size_t>(granted.limits.log_lines));
    if (words.instructions && *words.instructions != wishes.instructions)
        granted.choices = fmt::format(" {}.instructions={}", manifest.id, *words.instructions);
    if (words.save_mb && *words.save_mb != wishes.save_mb)
        granted.choices += fmt::format(" {}.save_mb={}", manifest.id, *words.save_mb);
    if (words.entities && *words.entities != wishes.entities)
        granted.choices += fmt::format(" {}.entities={}", manifest.id, *words.entities);
    if (granted.may_use_app) granted.choices += fmt::format(" {}.app", manifest.id);
    return granted;
}

}  // namespace perigee
