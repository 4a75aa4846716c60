// Decides which files run again, in which order, and handles changed schemas. Not here: replacing the code of
// one mod (internal/script_reload.h).
#include "ecs/base/contract.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/phase_scope.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/internal/script_reload.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/bind.h"
#include "scripting/views/schema_from_lua.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
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
        push_component(lua, to);
    else
        lua_pushnil(lua);
    if (auto error = state.call(6, 0)) return Error{error->text()};
    return {};
}

}  // namespace

std::vector<internal::ScriptMod*> ScriptRuntime::mods() const {
    std::vector<internal::ScriptMod*> all;
    for (const auto& mod : mods_) all.push_back(mod.get());
    return all;
}

// As when it was loaded; schemas that changed end it after schema.lua.
void ScriptRuntime::run_files_again(internal::ScriptMod& mod, std::vector<ScriptError>& errors) {
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
    mod.memory.outside_epoch = next_epoch();
    mod.set_phase(ScriptPhase::idle);
}

// False when the code was not replaced: because of errors, or of schemas that changed; those go to `edits`.
bool ScriptRuntime::reload_code(internal::ScriptMod& mod, ReloadReport& report,
                                std::vector<SchemaEdit>& edits) {
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
        report.mods.push_back(mod.name);
        mod.simulation.forgive();
        mod.presentation.forgive();
        mod.share.forgive();  // fixing the code that filled the world should not reset it
    }
    std::ranges::move(errors, std::back_inserter(report.errors));
    return errors.empty();
}

bool ScriptRuntime::change_layouts(internal::ScriptMod& mod, std::vector<SchemaEdit> edits,
                                   ReloadReport& report) {
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
    const Result<SchemaChanges> changed = change_schemas(world_, std::move(edits));
    mod.state->close_run();
    if (!changed) {
        ScriptError error = internal::plain_error(mod.name, changed.error().message);
        error.file = mod.schema_file;
        report.errors.push_back(std::move(error));
        return false;
    }
    report.changes = changed.value();
    for (const auto& each : mods_) {
        if (each->state == nullptr) continue;
        each->state->push_runtime("reload", "forget_layouts");
        if (auto error = each->state->call(0, 0)) report.errors.push_back(std::move(*error));
        each->forget_views();
        each->has_changed_layouts = true;
        each->memory.outside_epoch = next_epoch();
    }
    return true;
}

// Code compiled for old layouts cannot continue. If another mod has changed its schema as well, everything
// starts again.
void ScriptRuntime::reload_all(internal::ScriptMod& first, ReloadReport& report) {
    for (auto mod = mods_.rbegin(); mod != mods_.rend(); ++mod) internal::unlink_prefabs(*this, **mod);
    report.mods.clear();
    for (const auto& mod : mods_) {
        if (mod->state == nullptr || (mod->has_failed && mod.get() != &first)) continue;
        std::vector<SchemaEdit> edits;
        if (reload_code(*mod, report, edits)) continue;
        if (!edits.empty() && change_layouts(*mod, std::move(edits), report))
            return reload_all(first, report);
        internal::leave_out(*mod);
    }
}

// Mods that changed parts of this mod change the new parts.
void ScriptRuntime::reload_with_followers(internal::ScriptMod& mod, ReloadReport& report) {
    std::vector<internal::ScriptMod*> followers;
    for (const auto& other : mods_)
        if (other.get() != &mod && !other->has_failed && internal::changes_things_of(*other, mod))
            followers.push_back(other.get());
    for (auto other = followers.rbegin(); other != followers.rend(); ++other)
        internal::unlink_prefabs(*this, **other);
    std::vector<SchemaEdit> edits;
    const bool had_failed = mod.has_failed;
    const bool is_done = reload_code(mod, report, edits);
    // Mods that were left out because of it.
    for (const auto& other : mods_) {
        if (!is_done || !had_failed || !other->has_failed || other->state == nullptr) continue;
        const auto is_it = [&](const ModUse& use) { return use.mod == mod.name; };
        if (mod.is_root() || std::ranges::any_of(other->uses, is_it)) followers.push_back(other.get());
    }
    for (internal::ScriptMod* other : followers) {
        std::vector<SchemaEdit> ignored;  // they come when that mod itself is reloaded
        if (is_done && reload_code(*other, report, ignored)) continue;
        if (!other->has_failed) internal::relink_prefabs(*this, *other);
    }
    if (edits.empty() || !change_layouts(mod, std::move(edits), report)) return;
    reload_all(mod, report);
}

ReloadReport ScriptRuntime::reload(std::string_view name) {
    ReloadReport report;
    internal::ScriptMod* const mod = find_mod(name);
    if (mod == nullptr || mod->running != nullptr) {
        report.errors.push_back(internal::plain_error(name, fmt::format(messages::kNoSuchMod, name)));
        return report;
    }
    if (mod->state == nullptr || !mod->state->limit_reached().empty()) return restart(name);
    reload_with_followers(*mod, report);
    return report;
}

ReloadReport ScriptRuntime::restart(std::string_view name) {
    ReloadReport report;
    internal::ScriptMod* const mod = find_mod(name);
    if (mod == nullptr || mod->running != nullptr) {
        report.errors.push_back(internal::plain_error(name, fmt::format(messages::kNoSuchMod, name)));
        return report;
    }
    // Its declarations stay known, so that its files can run again.
    internal::ScriptCode before = std::move(static_cast<internal::ScriptCode&>(*mod));
    static_cast<internal::ScriptCode&>(*mod) = {};
    mod->types = before.types;
    mod->group_ids = before.group_ids;
    mod->prefab_texts = before.prefab_texts;
    mod->data = before.data;
    mod->system_ids = before.system_ids;
    mod->replacements = before.replacements;
    mod->prefab_changes = before.prefab_changes;
    if (mod->state != nullptr) {
        for (std::unique_ptr<ScriptSystem>& system : before.systems) {
            system->release_functions(mod->state->lua());  // none of its functions is called any more
            mod->old_systems.push_back(std::move(system));
        }
    }
    internal::leave_out(*mod);
    mod->replacements.clear();
    mod->prefab_changes.clear();
    world_.objects().release_owner(mod->objects.owner);
    mod->objects.dead = std::make_shared<internal::DeadObjects>();
    mod->state.reset();
    mod->forget_views();
    if (Result<void> made = make_state(*mod); !made) {
        report.errors.push_back(internal::plain_error(name, made.error().message));
        return report;
    }
    reload_with_followers(*mod, report);
    return report;
}

std::vector<std::string> ScriptRuntime::switch_off_failing() {
    std::vector<std::string> names;
    for (const auto& mod : mods_) {
        if (mod->is_root() || mod->is_switched_off || mod->has_failed || mod->failures < kMostFailures)
            continue;
        mod->is_switched_off = true;
        internal::unlink(*mod);
        for (const SystemId id : mod->system_ids) schedule_.set_enabled(id, false);
        names.push_back(mod->name);
    }
    return names;
}

}  // namespace perigee
