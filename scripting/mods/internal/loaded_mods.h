// The mods of one runtime in load order, and the limits that they share.
//
// Invariant: the first mod is the root mod, unless it names another; the limits are divided among all others.
// A mod stays here when it fails. Not here: loading (scripting/mods/runtime_load.cpp) and reloading
// (scripting/mods/runtime_reload.cpp).
#pragma once

#include "scripting/base/internal/shared_limit.h"
#include "scripting/mods/internal/script_mod.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace perigee::internal {

class LoadedMods {
public:
    /// `lua_memory`: a limit to share with the mods of another runtime; null: a limit of their own.
    explicit LoadedMods(const LimitsOfAllMods& limits, SharedLimit* lua_memory = nullptr);

    /// In load order.
    std::span<const std::unique_ptr<ScriptMod>> all() const noexcept { return mods_; }
    bool is_empty() const noexcept { return mods_.empty(); }
    /// Expects: there are mods.
    ScriptMod& root() const noexcept { return *mods_.front(); }
    /// The mod of this name, even if it failed; null when there is none.
    ScriptMod* find(std::string_view name) const noexcept;
    /// True if a mod of this name exists and loaded without an error.
    bool has_loaded(std::string_view name) const noexcept;

    /// Adds a mod without a state. The first one becomes the root mod. Expects: no mod has this name.
    /// `root`: see ModConfig.
    ScriptMod& add(ScriptRuntime& runtime, const std::string& name, const std::string& root = {});
    /// Divides the limits again, to include this many new mods.
    void expect_more(std::size_t new_mods);

    SharedLimit& lua_memory() noexcept { return shared_ != nullptr ? *shared_ : lua_memory_; }
    const SharedLimit& lua_memory() const noexcept { return shared_ != nullptr ? *shared_ : lua_memory_; }
    const SharedLimit& load_time() const noexcept { return load_time_; }

    /// The processor time that a mod may still use to load its files. Units: seconds.
    double load_seconds_left(const ScriptMod& mod) const noexcept;
    /// Adds to the time that a mod used.
    void charge_load(ScriptMod& mod, double seconds) noexcept;

    static constexpr double kMicrosecondsPerSecond = 1e6;

private:
    SharedLimit* shared_;     ///< replaces the next one; null: it does not
    SharedLimit lua_memory_;  ///< of all mods, not of the root
    SharedLimit load_time_;   ///< the same, in microseconds
    std::vector<std::unique_ptr<ScriptMod>> mods_;
};

}  // namespace perigee::internal
