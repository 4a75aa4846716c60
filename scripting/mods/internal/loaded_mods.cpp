// A member of a shared limit stores its own amount: the state its memory, the mod its time.
#include "scripting/mods/internal/loaded_mods.h"

#include "scripting/sandbox/state.h"

#include <algorithm>
#include <utility>

namespace perigee::internal {

LoadedMods::LoadedMods(const LimitsOfAllMods& limits, SharedLimit* lua_memory)
    : shared_(lua_memory),
      lua_memory_(limits.lua_memory),
      load_time_(static_cast<std::size_t>(limits.load_seconds * kMicrosecondsPerSecond)) {}

ScriptMod* LoadedMods::find(std::string_view name) const noexcept {
    for (const auto& candidate : mods_)
        if (candidate->name == name) return candidate.get();
    return nullptr;
}

bool LoadedMods::has_loaded(std::string_view name) const noexcept {
    const ScriptMod* const mod = find(name);
    return mod != nullptr && !mod->has_failed;
}

ScriptMod& LoadedMods::add(ScriptRuntime& runtime, const std::string& name, const std::string& root_given) {
    const std::string own_root = mods_.empty() ? name : root().name;
    const std::string& root_name = root_given.empty() ? own_root : root_given;
    return *mods_.emplace_back(std::make_unique<ScriptMod>(runtime, name, root_name));
}

// The root is not among the members.
void LoadedMods::expect_more(std::size_t new_mods) {
    const std::size_t count = mods_.size() + new_mods;
    const std::size_t members = count - std::min<std::size_t>(count, 1);
    lua_memory_.divide(members);
    load_time_.divide(members);
    for (const std::unique_ptr<ScriptMod>& mod : mods_) {
        if (mod->is_root()) continue;
        if (mod->state != nullptr) mod->state->share_memory();
        load_time_.move(0, mod->load_microseconds);
    }
}

double LoadedMods::load_seconds_left(const ScriptMod& mod) const noexcept {
    if (mod.is_root()) return mod.limits.seconds_per_load;
    return static_cast<double>(load_time_.room(mod.load_microseconds)) / kMicrosecondsPerSecond;
}

void LoadedMods::charge_load(ScriptMod& mod, double seconds) noexcept {
    if (mod.is_root()) return;
    const std::size_t now =
        mod.load_microseconds + static_cast<std::size_t>(seconds * kMicrosecondsPerSecond);
    load_time_.move(std::exchange(mod.load_microseconds, now), now);
}

}  // namespace perigee::internal
