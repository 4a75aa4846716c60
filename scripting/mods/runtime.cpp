// Access to loaded mods, and stored errors. Not here: loading (runtime_load.cpp), reloading
// (runtime_reload.cpp), and code that runs per frame (script_system.cpp).
#include "scripting/mods/runtime.h"

#include "ecs/schedule/schedule.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/run_scope.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/loaded_mods.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/object_api.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/side_world.h"
#include "scripting/sandbox/state.h"
#include "scripting/views/blob_views.h"

#include <fmt/format.h>

#include <ranges>
#include <utility>

namespace perigee {

namespace {

// Of state.lua.
constexpr std::string_view kStateResource = "(state)";

}  // namespace

ScriptRuntime::ScriptRuntime(World& world, Schedule& schedule, ScriptRuntimeConfig config)
    : world_(world),
      schedule_(schedule),
      config_(std::move(config)),
      mods_(std::make_unique<internal::LoadedMods>(config_.limits_of_all, config_.lua_memory)),
      side_worlds_(std::make_unique<SideWorlds>(*this)) {
    BlobViews::of(world);  // before systems run beside each other
    schedule_.set_host_streams([this](const auto& add) {
        for (const auto& mod : mods_->all())
            if (mod->state != nullptr) add(mod->name, mod->state->random());
    });
}

ScriptRuntime::~ScriptRuntime() {
    internal::remove_object_copies(*this);
    schedule_.set_host_streams(nullptr);
    for (const auto& mod : std::views::reverse(mods_->all()))
        for (const SystemId system : std::views::reverse(mod->system_ids)) schedule_.remove(system);
}

std::vector<ScriptError> ScriptRuntime::run(std::string_view mod, std::string_view code,
                                            std::string_view name) {
    internal::ScriptMod* const found = find_mod(mod);
    if (found == nullptr || found->state == nullptr)
        return {internal::plain_error(mod, fmt::format(messages::kNoSuchMod, mod))};
    found->collect_objects();
    const internal::ShareChange change(found->share);
    std::vector<ScriptError> errors;
    if (auto error = found->state->run_text(code, name)) errors.push_back(std::move(*error));
    internal::take_mistakes(*found->state, errors);
    return errors;
}

// Later mods replace systems of earlier ones.
std::optional<SystemPlace> ScriptRuntime::place_of(std::string_view system) const {
    for (const auto& mod : std::views::reverse(mods_->all())) {
        if (mod->state == nullptr) continue;
        for (const auto& one : mod->systems) {
            if (one->name() != system || !one->has(SystemCallback::run)) continue;
            ScriptError place;
            mod->state->place(place, one->function(SystemCallback::run));
            return SystemPlace{mod->name, place.file, place.line};
        }
    }
    return std::nullopt;
}

std::string ScriptRuntime::limit_reached() const {
    for (const auto& mod : mods_->all()) {
        const std::string limit = mod->state != nullptr ? mod->state->limit_reached() : std::string();
        if (!limit.empty()) return fmt::format(messages::kLimitOfMod, limit, mod->name);
    }
    for (SideWorld* side : side_worlds_->all())
        if (std::string limit = side->scripts().limit_reached(); !limit.empty()) return limit;
    return {};
}

bool ScriptRuntime::has_loaded(std::string_view name) const noexcept { return mods_->has_loaded(name); }

internal::SharedLimit& ScriptRuntime::lua_memory() const noexcept { return mods_->lua_memory(); }

ScriptState* ScriptRuntime::state(std::string_view name) noexcept {
    const internal::ScriptMod* const mod = find_mod(name);
    return mod != nullptr ? mod->state.get() : nullptr;
}

void ScriptRuntime::forget_prefab_views(PrefabId prefab) noexcept {
    for (const auto& mod : mods_->all()) mod->forget_views(prefab);
}

internal::ScriptMod* ScriptRuntime::find_mod(std::string_view name) const noexcept {
    return mods_->find(name);
}

std::vector<internal::ScriptMod*> ScriptRuntime::mods() const {
    std::vector<internal::ScriptMod*> all;
    for (const auto& mod : mods_->all()) all.push_back(mod.get());
    return all;
}

void ScriptRuntime::world_replaced() {
    for (const auto& mod : mods_->all()) {
        if (mod->state == nullptr || mod->state->is_given_up() || mod->has_failed) continue;
        mod->collect_objects();
        if (!world_.registry().find(mod->own_name(kStateResource))) continue;
        mod->state->push_runtime("state", "restore");
        if (auto error = mod->state->call(0, 0)) report(std::move(*error));
    }
}

std::vector<std::string> ScriptRuntime::switch_off_failing() {
    std::vector<std::string> names;
    for (const auto& mod : mods_->all()) {
        if (mod->is_root() || mod->is_switched_off || mod->has_failed || mod->failures < kMaxFailures)
            continue;
        mod->is_switched_off = true;
        internal::unlink(*mod);
        for (const SystemId id : mod->system_ids) schedule_.leave_out(id, true);
        names.push_back(mod->name);
    }
    return names;
}

void ScriptRuntime::report(ScriptError error) {
    wait_for_turn();
    if (config_.log) {
        const std::string text = error.text();
        config_.log(LogEntry{LogLevel::error, error.mod, text});
    }
    if (config_.on_error) config_.on_error(error);
    recent_errors_.push_back(std::move(error));
    if (recent_errors_.size() > kKeptErrors) recent_errors_.pop_front();
}

}  // namespace perigee
