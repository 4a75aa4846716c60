// Each step records how to undo it.
#include "scripting/mods/internal/script_reload.h"

#include "ecs/base/error_codes.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/mod_link.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace perigee::internal {

namespace {

bool is_same(const Field& a, const Field& b) {
    return a.name == b.name && a.type == b.type && a.array_length == b.array_length &&
           a.string_capacity == b.string_capacity && a.labels == b.labels && a.minimum == b.minimum &&
           a.maximum == b.maximum && a.range_policy == b.range_policy && a.unit == b.unit && a.doc == b.doc &&
           std::ranges::equal(a.nested, b.nested, is_same);
}

// A schema's complete content, except its position.
bool is_same(const ComponentInfo& a, const ComponentInfo& b) {
    const Schema& one = a.schema;
    const Schema& other = b.schema;
    return a.hash == b.hash && one.version == other.version && one.doc == other.doc &&
           one.required == other.required && one.owner == other.owner &&
           one.buffer_capacity == other.buffer_capacity && one.index == other.index &&
           one.on_target_destroyed == other.on_target_destroyed && one.presentation == other.presentation &&
           std::ranges::equal(one.fields, other.fields,
                              [](const Field& x, const Field& y) { return is_same(x, y); });
}

GroupDesc group_from(const SystemDesc& desc) {
    return {desc.name,
            desc.group,
            desc.before,
            desc.after,
            desc.every,
            desc.run_if,
            desc.ignores_unknown_names,
            desc.is_enabled};
}

// Placeholder for a function of the script.
Result<void> nothing_to_migrate(const ComponentInfo&, const std::byte*, const ComponentInfo&, std::byte*) {
    return {};
}

bool contains(const std::vector<SystemId>& list, SystemId id) {
    return std::ranges::find(list, id) != list.end();
}

}  // namespace

// ---- beginning and end ------------------------------------------------------------------------------------

CodeReload::CodeReload(ScriptMod& mod)
    : mod_(mod), schedule_(mod.runtime.schedule()), old_(std::move(static_cast<ScriptCode&>(mod))) {
    static_cast<ScriptCode&>(mod_) = {};
    mod_.before = &old_;
    end_in_lua("begin");
}

CodeReload::~CodeReload() {
    if (is_committed_) return;
    retire(mod_);
    static_cast<ScriptCode&>(mod_) = std::move(old_);
    mod_.before = nullptr;
    end_in_lua("abort");
}

// The library's own code: it fails only for lack of memory, and then the state is of no use anyway.
void CodeReload::end_in_lua(const char* how) {
    mod_.state->push_runtime("reload", how);
    if (auto error = mod_.state->call(0, 0)) mod_.runtime.report(std::move(*error));
    mod_.state->use_environment();
}

Result<void> CodeReload::commit() {
    if (Result<void> taken = take_over(); !taken) {
        for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo) (*undo)();
        return taken;
    }
    drop_gone();
    if (std::exchange(mod_.has_failed, false) || std::exchange(mod_.is_switched_off, false))
        for (const SystemId id : mod_.system_ids) schedule_.leave_out(id, false);
    mod_.is_switched_off = false;
    mod_.failures = 0;
    retire(old_);
    mod_.state->jit().forget();
    mod_.forget_views();
    mod_.before = nullptr;
    mod_.has_changed_layouts = false;
    is_committed_ = true;
    end_in_lua("commit");
    return {};
}

// Its memory stays, since Lua may still refer to it; its functions are released.
void CodeReload::retire(ScriptCode& code) {
    lua_State* const lua = mod_.state->lua();
    for (const auto& [name, slot] : code.services) luaL_unref(lua, LUA_REGISTRYINDEX, slot);
    for (std::unique_ptr<ScriptSystem>& system : code.systems) {
        system->release_functions(lua);
        mod_.old_systems.push_back(std::move(system));
    }
    code = {};
}

// ---- taking over ------------------------------------------------------------------------------------------

Result<void> CodeReload::take_over() {
    unlink_prefabs(mod_.runtime, old_);
    undo_.push_back([this] { relink_prefabs(mod_.runtime, old_); });
    if (Result<void> done = renew_groups(); !done) return done;
    if (Result<void> done = renew_systems(); !done) return done;
    renew_prefabs();
    if (Result<void> done = carry_replacements(); !done) return done;
    if (Result<void> done = check_gone(); !done) return done;
    if (mod_.is_root()) return schedule_.resolve_order();
    Result<void> linked = link(mod_);
    if (!linked) unlink(mod_);
    return linked;
}

Result<void> CodeReload::renew_groups() {
    for (const GroupDesc& group : mod_.declared_groups) {
        const SystemId id = *schedule_.find(group.name);
        GroupDesc before = group_from(schedule_.description(id));
        if (Result<void> renewed = schedule_.renew_group(id, group); !renewed) return renewed;
        undo_.push_back(
            [this, id, before = std::move(before)] { static_cast<void>(schedule_.renew_group(id, before)); });
        mod_.group_ids.push_back(id);
    }
    return {};
}

Result<void> CodeReload::renew_systems() {
    for (const SystemDesc& desc : mod_.declared)
        if (Result<void> done = renew_system(desc); !done) return done;
    return {};
}

Result<void> CodeReload::renew_system(const SystemDesc& desc) {
    const std::optional<SystemId> known = schedule_.find(desc.name);
    if (!known || !contains(old_.system_ids, *known)) {
        const std::optional<SystemId> future = future_system(schedule_, old_.system_ids, desc.name);
        const Result<SystemId> added = schedule_.add(desc);
        if (!added) return added.error();
        if (future) std::erase(old_.system_ids, *future);
        undo_.push_back([this, id = added.value()] { schedule_.remove(id); });
        mod_.system_ids.push_back(added.value());
        if (const auto kept = mod_.switches.find(desc.name); kept != mod_.switches.end())
            schedule_.set_enabled(added.value(), kept->second);
        return {};
    }
    mod_.system_ids.push_back(*known);
    // If another mod has replaced the system, this one waits until the replacement is removed.
    if (SystemDesc* const waiting = replaced_description(*known)) {
        undo_.push_back([waiting, before = *waiting] { *waiting = before; });
        *waiting = desc;
        return {};
    }
    SystemDesc before = schedule_.description(*known);
    if (Result<void> renewed = schedule_.renew(*known, desc); !renewed) return renewed;
    undo_.push_back(
        [this, id = *known, before = std::move(before)] { static_cast<void>(schedule_.renew(id, before)); });
    return {};
}

// The system found by the first mod that replaced it.
SystemDesc* CodeReload::replaced_description(SystemId system) const noexcept {
    for (ScriptMod* other : mod_.runtime.mods()) {
        if (other == &mod_) continue;
        for (SystemReplacement& replacement : other->replacements)
            if (replacement.system == system && replacement.old) return &*replacement.old;
    }
    return nullptr;
}

// A system that the mod replaced before and still replaces gets the new declaration, like its own; one that
// it no longer replaces is restored.
Result<void> CodeReload::carry_replacements() {
    for (SystemReplacement& before : old_.replacements) {
        if (!before.old) continue;
        const SystemId id = before.system;
        const auto now = std::ranges::find(mod_.replacements, id, &SystemReplacement::system);
        SystemDesc current = schedule_.description(id);
        const bool stays = now != mod_.replacements.end();
        Result<void> done = stays ? schedule_.renew(id, now->desc) : schedule_.replace(id, *before.old);
        if (!done) return done;
        if (stays) now->old = before.old;
        undo_.push_back([this, id, stays, current = std::move(current)] {
            static_cast<void>(stays ? schedule_.renew(id, current) : schedule_.replace(id, current));
        });
    }
    // If link fails, it must not undo replacements that are carried over.
    undo_.push_back([this] {
        for (SystemReplacement& replacement : mod_.replacements) replacement.old.reset();
    });
    return {};
}

void CodeReload::renew_prefabs() {
    const auto swap = [this] {
        for (const PrefabRenewal& renewal : mod_.renewed_prefabs) {
            mod_.runtime.world().prefabs().swap_contents(renewal.target, renewal.changed);
            mod_.runtime.forget_prefab_views(renewal.target);
            mod_.runtime.forget_prefab_views(renewal.changed);
        }
    };
    swap();
    undo_.push_back(swap);
}

std::vector<SystemId> CodeReload::gone() const {
    std::vector<SystemId> gone;
    std::ranges::copy_if(old_.system_ids, std::back_inserter(gone),
                         [this](SystemId id) { return !contains(mod_.system_ids, id); });
    return gone;
}

// A system that others name in their order cannot simply be removed.
Result<void> CodeReload::check_gone() const {
    const std::vector<SystemId> leaving = gone();
    for (const SystemId system : schedule_.all()) {
        if (contains(leaving, system) || schedule_.description(system).ignores_unknown_names) continue;
        const SystemDesc& desc = schedule_.description(system);
        for (const SystemId id : leaving) {
            const std::string& name = schedule_.description(id).name;
            if (std::ranges::find(desc.before, name) != desc.before.end())
                return Error{errors::unknown_system(desc.name, "before", name, "")};
            if (std::ranges::find(desc.after, name) != desc.after.end())
                return Error{errors::unknown_system(desc.name, "after", name, "")};
        }
    }
    return {};
}

void CodeReload::drop_gone() {
    for (const SystemId id : gone()) {
        for (ScriptMod* other : mod_.runtime.mods())
            std::erase_if(other->replacements, [id](const SystemReplacement& r) { return r.system == id; });
        schedule_.remove(id);
    }
}

// ---- declarations of files during a reload ----------------------------------------------------------------

int declare_again(lua_State* lua, ScriptMod& mod, ComponentId type, Schema schema) {
    const ComponentRegistry& registry = mod.runtime.world().registry();
    const Result<ComponentInfo> prepared = registry.prepare(schema);
    if (!prepared) return nil_and_message(lua, prepared.error().message);
    mod.types.push_back(type);
    if (!is_same(prepared.value(), registry.info(type))) {
        lua_getfield(lua, 1, "migrates");
        const bool migrates =
            lua_toboolean(lua, -1) != 0 && schema.version > registry.info(type).schema.version;
        lua_pop(lua, 1);
        mod.edits.push_back({std::move(schema), {}});
        if (migrates) mod.edits.back().migrate = nothing_to_migrate;
    }
    lua_pushinteger(lua, type.index);
    return 1;
}

Result<void> declare_again(ScriptMod& mod, SystemDesc desc) {
    const Schedule& schedule = mod.runtime.schedule();
    if (std::ranges::find(mod.declared, desc.name, &SystemDesc::name) != mod.declared.end())
        return Error{errors::system_exists(desc.name, false)};
    const std::optional<SystemId> known = schedule.find(desc.name);
    const bool is_own = known && contains(mod.before->system_ids, *known);
    if (Result<void> checked = schedule.check_system(desc, is_own ? known : std::nullopt); !checked)
        return checked;
    mod.declared.push_back(std::move(desc));
    return {};
}

bool declare_again(ScriptMod& mod, const GroupDesc& desc) {
    const std::optional<SystemId> known = mod.runtime.schedule().find(desc.name);
    if (!known || !contains(mod.before->group_ids, *known)) return false;
    mod.declared_groups.push_back(desc);
    return true;
}

PrefabId renewed_prefab(const ScriptMod& mod, PrefabId prefab) noexcept {
    const auto found = std::ranges::find(mod.renewed_prefabs, prefab, &PrefabRenewal::target);
    return found == mod.renewed_prefabs.end() || mod.before == nullptr ? prefab : found->changed;
}

std::optional<SystemId> future_system(const Schedule& schedule, const std::vector<SystemId>& own,
                                      std::string_view name) {
    if (schedule.find(name)) return std::nullopt;
    const auto found =
        std::ranges::find_if(own, [&](SystemId id) { return schedule.description(id).name == name; });
    return found == own.end() ? std::nullopt : std::optional(*found);
}

bool changes_things_of(const ScriptMod& mod, const ScriptMod& other) {
    const auto is_theirs = [&](const std::string& name) { return owner_of(mod, name) == other.name; };
    return std::ranges::any_of(mod.replacements,
                               [&](const SystemReplacement& r) { return is_theirs(r.desc.name); }) ||
           std::ranges::any_of(mod.prefab_changes, [&](const PrefabChange& change) {
               return is_theirs(mod.runtime.world().prefabs().get(change.target).name);
           });
}

}  // namespace perigee::internal
