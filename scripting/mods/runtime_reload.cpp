// Decides which files run again, in which order, and handles changed schemas. Not here: replacing the code of
// one mod (internal/script_reload.h).
#include "ecs/base/contract.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/loaded_mods.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/mod_state.h"
#include "scripting/mods/internal/phase_scope.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/internal/script_reload.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/side_world.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/state.h"
#include "scripting/views/schema_from_lua.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <ranges>
#include <utility>

namespace perigee {

namespace {

// One value of a component whose schema has functions for older versions.
Result<void> migrate(internal::ScriptMod& mod, const ComponentInfo& from, const std::byte* before,
                     const ComponentInfo& to, std::byte* now, bool& is_first) {
    ScriptState& state = *mod.state;
    lua_State* const lua = state.lua();
    const internal::PhaseScope migrating(mod, ScriptPhase::migrate);
    state.push_runtime("schema", "migrate");
    lua_pushinteger(lua, from.id.index);
    lua_pushinteger(lua, static_cast<lua_Integer>(from.schema.version));
    lua_pushinteger(lua, static_cast<lua_Integer>(to.schema.version));
    lua_pushlightuserdata(lua, const_cast<std::byte*>(before));
    lua_pushlightuserdata(lua, now);
    if (std::exchange(is_first, false))
        push_component(lua, to, mod.runtime.world().registry());
    else
        lua_pushnil(lua);
    if (auto error = state.call(6, 0)) return Error{error->text()};
    return {};
}

// One call of ScriptRuntime::reload or restart, and its report.
class ModReloader {
public:
    ModReloader(ScriptRuntime& runtime, internal::LoadedMods& mods) : runtime_(runtime), mods_(mods) {}

    void reload_with_followers(internal::ScriptMod& mod);
    void reload_side_worlds();
    ReloadReport take_report() { return std::move(report_); }

private:
    void run_files_again(internal::ScriptMod& mod, std::vector<ScriptError>& errors);
    bool reload_code(internal::ScriptMod& mod, std::vector<SchemaEdit>& edits);
    bool change_layouts(internal::ScriptMod& mod, std::vector<SchemaEdit> edits);
    void reload_all(internal::ScriptMod& first);

    ScriptRuntime& runtime_;
    internal::LoadedMods& mods_;
    ReloadReport report_;
};

// The steps of the first load. If schemas changed, it ends after schema.lua.
void ModReloader::run_files_again(internal::ScriptMod& mod, std::vector<ScriptError>& errors) {
    const internal::ShareChange change(mod.share);
    const std::size_t count = errors.size();
    mod.set_phase(ScriptPhase::schema);
    if (mod.files->has(mod.schema_file)) {
        if (auto error = mod.state->run_file(mod.schema_file)) errors.push_back(std::move(*error));
        internal::take_mistakes(*mod.state, errors);
    }
    if (errors.size() != count) mod.edits.clear();
    if (errors.size() == count && mod.edits.empty()) {
        mod.set_phase(ScriptPhase::main);
        if (auto error = mod.state->run_file(mod.main_file)) errors.push_back(std::move(*error));
        internal::take_mistakes(*mod.state, errors);
        if (errors.size() == count) internal::declare_sketch(*mod.state, errors);
    }
    mod.memory.outside_epoch = runtime_.next_epoch();
    mod.set_phase(ScriptPhase::idle);
}

// False when errors or changed schemas kept the code from being replaced. Changed schemas go to `edits`.
bool ModReloader::reload_code(internal::ScriptMod& mod, std::vector<SchemaEdit>& edits) {
    mod.collect_objects();
    internal::CodeReload reload(mod);
    std::vector<ScriptError> errors;
    run_files_again(mod, errors);
    if (!mod.edits.empty()) {
        // Errors of main.lua with the old layouts do not matter.
        edits = std::move(mod.edits);
        return false;
    }
    if (errors.empty()) {
        if (Result<void> done = reload.commit(); !done)
            errors.push_back(internal::plain_error(mod.name, done.error().message));
    }
    if (errors.empty()) {
        report_.mods.push_back(mod.name);
        mod.simulation.forgive();
        mod.presentation.forgive();
        mod.share.forgive();  // fixing the code that filled the world should not reset it
    }
    std::ranges::move(errors, std::back_inserter(report_.errors));
    return errors.empty();
}

bool ModReloader::change_layouts(internal::ScriptMod& mod, std::vector<SchemaEdit> edits) {
    std::deque<bool> firsts(edits.size(), true);
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (!edits[i].migrate) continue;
        edits[i].migrate = [&mod, &first = firsts[i]](const ComponentInfo& from, const std::byte* before,
                                                      const ComponentInfo& to, std::byte* now) {
            return migrate(mod, from, before, to, now, first);
        };
    }
    // One budget for all values, not one for each.
    mod.state->open_run(mod.state->limits().fuel_per_load, mod.state->limits().seconds_per_load);
    const Result<SchemaChanges> changed = change_schemas(runtime_.world(), std::move(edits));
    mod.state->close_run();
    if (!changed) {
        ScriptError error = internal::plain_error(mod.name, changed.error().message);
        error.file = mod.schema_file;
        report_.errors.push_back(std::move(error));
        return false;
    }
    report_.changes = changed.value();
    for (const auto& each : mods_.all()) {
        if (each->state == nullptr) continue;
        each->state->push_runtime("reload", "forget_layouts");
        if (auto error = each->state->call(0, 0)) report_.errors.push_back(std::move(*error));
        each->forget_views();
        each->has_changed_layouts = true;
        each->memory.outside_epoch = runtime_.next_epoch();
    }
    return true;
}

// Code compiled for old layouts cannot continue. If another mod has changed its schema too, everything starts
// again.
void ModReloader::reload_all(internal::ScriptMod& first) {
    for (const auto& mod : std::views::reverse(mods_.all())) internal::unlink_prefabs(runtime_, *mod);
    report_.mods.clear();
    for (const auto& mod : mods_.all()) {
        if (mod->state == nullptr || (mod->has_failed && mod.get() != &first)) continue;
        std::vector<SchemaEdit> edits;
        if (reload_code(*mod, edits)) continue;
        if (!edits.empty() && change_layouts(*mod, std::move(edits))) return reload_all(first);
        internal::leave_out(*mod);
    }
}

// Mods that changed parts of this mod change the new parts.
void ModReloader::reload_with_followers(internal::ScriptMod& mod) {
    std::vector<internal::ScriptMod*> followers;
    for (const auto& other : mods_.all())
        if (other.get() != &mod && !other->has_failed && internal::changes_things_of(*other, mod))
            followers.push_back(other.get());
    for (auto other = followers.rbegin(); other != followers.rend(); ++other)
        internal::unlink_prefabs(runtime_, **other);
    std::vector<SchemaEdit> edits;
    const bool had_failed = mod.has_failed;
    const bool is_done = reload_code(mod, edits);
    // Mods that were left out because this one had failed.
    for (const auto& other : mods_.all()) {
        if (!is_done || !had_failed || !other->has_failed || other->state == nullptr) continue;
        const auto is_it = [&](const ModUse& use) { return use.mod == mod.name; };
        if (mod.is_root() || std::ranges::any_of(other->uses, is_it)) followers.push_back(other.get());
    }
    for (internal::ScriptMod* other : followers) {
        std::vector<SchemaEdit> ignored;  // they come when that mod itself is reloaded
        if (is_done && reload_code(*other, ignored)) continue;
        if (!other->has_failed) internal::relink_prefabs(runtime_, *other);
    }
    if (edits.empty() || !change_layouts(mod, std::move(edits))) return;
    reload_all(mod);
}

// They run the same files as their makers. A mod that still has its old code may have made them with it.
void ModReloader::reload_side_worlds() {
    const std::vector<std::string> reloaded = report_.mods;
    for (const std::string& name : reloaded)
        std::ranges::move(runtime_.side_worlds().reload_of(*mods_.find(name)),
                          std::back_inserter(report_.errors));
}

ReloadReport failed_report(std::string_view mod, std::string message) {
    ReloadReport report;
    report.errors.push_back(internal::plain_error(mod, std::move(message)));
    return report;
}

ReloadReport no_such_mod(std::string_view name) {
    return failed_report(name, fmt::format(messages::kNoSuchMod, name));
}

// The mod's declarations stay registered, so that its files can run again.
void forget_code(internal::ScriptMod& mod) {
    auto& code = static_cast<internal::ScriptCode&>(mod);
    internal::ScriptCode before = std::exchange(code, {});
    mod.types = before.types;
    mod.group_ids = before.group_ids;
    mod.prefab_texts = before.prefab_texts;
    mod.data = before.data;
    mod.system_ids = before.system_ids;
    mod.replacements = before.replacements;
    mod.prefab_changes = before.prefab_changes;
    if (mod.state == nullptr) return;
    for (std::unique_ptr<ScriptSystem>& system : before.systems) {
        system->release_functions(mod.state->lua());  // none of its functions is called any more
        mod.old_systems.push_back(std::move(system));
    }
}

}  // namespace

ReloadReport ScriptRuntime::reload(std::string_view name) {
    internal::ScriptMod* const mod = find_mod(name);
    if (mod == nullptr || mod->running != nullptr) return no_such_mod(name);
    if (mod->state == nullptr || !mod->state->limit_reached().empty()) return restart(name);
    ModReloader reloader(*this, *mods_);
    reloader.reload_with_followers(*mod);
    reloader.reload_side_worlds();
    return reloader.take_report();
}

ReloadReport ScriptRuntime::restart(std::string_view name) {
    internal::ScriptMod* const mod = find_mod(name);
    if (mod == nullptr || mod->running != nullptr) return no_such_mod(name);
    forget_code(*mod);
    internal::leave_out(*mod);
    mod->replacements.clear();
    mod->prefab_changes.clear();
    world_.objects().release_owner(mod->objects.owner);
    mod->objects.dead = std::make_shared<internal::DeadObjects>();
    mod->state.reset();
    mod->forget_views();
    if (Result<void> made = internal::make_state(*mod, mods_->lua_memory()); !made)
        return failed_report(name, made.error().message);
    ModReloader reloader(*this, *mods_);
    reloader.reload_with_followers(*mod);
    reloader.reload_side_worlds();
    return reloader.take_report();
}

}  // namespace perigee
