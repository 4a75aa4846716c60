// Names of a mod, and the views for its initialisers.
#include "scripting/mods/internal/script_mod.h"

#include "ecs/archetype/archetype.h"
#include "ecs/base/suggest.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/internal/work_clock.h"
#include "scripting/mods/internal/phase_scope.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace perigee::internal {

ScriptMod::ScriptMod(ScriptRuntime& owner, std::string mod_name, std::string_view root_name)
    : runtime(owner),
      name(std::move(mod_name)),
      root(root_name),
      share(owner.world()),
      playback(share, simulation),
      observation(share) {}

ScriptMod::~ScriptMod() {
    ObjectStore& store = runtime.world().objects();
    for (const ComponentId component : hashed) store.set_hash(component, {});
    store.release_owner(objects.owner);
    runtime.world().observers().forget_payer(&observation);
    if (text_root) runtime.world().texts().remove_root(*text_root);
    if (blob_root) runtime.world().blobs().remove_root(*blob_root);
}

void ScriptMod::detach_values() {
    // False if the state has no memory for copies: then its values may use any text or blob.
    const auto detach = [this] {
        if (state->is_given_up()) return true;  // its values are gone too
        WorkClock clock;
        clock.start();
        state->push_runtime("value", "detach");
        const bool is_done = !state->call(0, 0);
        if (!is_done) state->note_limit(messages::kMemoryLimit);
        simulation.add(0, clock.seconds());
        return is_done;
    };
    text_root = runtime.world().texts().add_root([detach](TextPool& texts) {
        if (!detach()) texts.mark_all();
    });
    blob_root = runtime.world().blobs().add_root([detach](BlobStore& blobs) {
        if (!detach()) blobs.mark_all();
    });
}

void ScriptMod::forget_views(PrefabId prefab) {
    const auto found = prefab_views.find(prefab);
    if (found == prefab_views.end()) return;
    old_views.push_back(std::move(found->second));
    prefab_views.erase(found);
}

void ScriptMod::forget_views() {
    for (auto& [prefab, views] : prefab_views) old_views.push_back(std::move(views));
    prefab_views.clear();
}

void ScriptMod::collect_objects() {
    share.release(OwnMemory::objects, std::exchange(objects.dead->bytes, 0));
    if (objects.dead->references.empty()) return;
    state->push_runtime("object", "collect");
    static_cast<void>(state->call(0, 0));
}

// All hash functions of a mod share the fuel of one run in each world hash; a failing one ends it. The
// remaining values count as 0, in every run.
bool ScriptMod::may_hash() {
    if (std::exchange(hash_number, hashes_begun()) != hashes_begun()) hash_fuel = 0;
    return hash_fuel < limits.fuel_per_run;
}

void ScriptMod::hash_objects(ComponentId component) {
    if (std::ranges::find(hashed, component) == hashed.end()) hashed.push_back(component);
    runtime.world().objects().set_hash(component, [this, component](const std::shared_ptr<void>& object) {
        const std::uint32_t reference = object_reference(objects, object);
        if (reference == 0 || !may_hash()) return std::uint64_t{0};
        const PhaseScope hashing(*this, ScriptPhase::hash);
        state->push_runtime("object", "hash_of");
        lua_pushinteger(state->lua(), component.index);
        lua_pushinteger(state->lua(), static_cast<lua_Integer>(reference));
        if (auto error = state->call(2, 1)) {
            // Not counted as a failure: failures can switch the mod off, and not every run takes a hash.
            hash_fuel = limits.fuel_per_run;
            error->system = "world hash";
            memory.error_row = 0;
            runtime.report(std::move(*error));
            return std::uint64_t{0};
        }
        hash_fuel += state->fuel_used();
        const double number = lua_tonumber(state->lua(), -1);
        lua_pop(state->lua(), 1);
        return std::bit_cast<std::uint64_t>(number);
    });
}

std::string ScriptMod::own_name(std::string_view word) const {
    return is_root() ? std::string(word) : name + ":" + std::string(word);
}

std::string ScriptMod::system_name(std::string_view word) const {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) return own_name(word);
    return std::string(word.substr(0, colon) == root ? word.substr(colon + 1) : word);
}

std::string ScriptMod::order_name(std::string_view word) const {
    return std::ranges::find(kFrameGroups, word) != kFrameGroups.end() ? std::string(word)
                                                                       : system_name(word);
}

std::string ScriptMod::group_name(std::string_view word) const {
    if (word.find(':') == std::string_view::npos && !runtime.schedule().find(own_name(word))) {
        return std::string(word);
    }
    return system_name(word);
}

bool ScriptMod::may_use(std::string_view other) const noexcept {
    return other == name || other == root ||
           std::ranges::any_of(uses, [&](const ModUse& use) { return use.mod == other; });
}

std::optional<ComponentId> ScriptMod::component(std::string_view word) const {
    const ComponentRegistry& registry = runtime.world().registry();
    const std::size_t colon = word.find(':');
    if (colon != std::string_view::npos) {
        if (word.substr(0, colon) == root) return registry.find(word.substr(colon + 1));
        return registry.find(word);
    }
    const std::optional<ComponentId> own = registry.find(own_name(word));
    return own ? own : registry.find(word);
}

std::string ScriptMod::nearest_component(std::string_view word) const {
    const ComponentRegistry& registry = runtime.world().registry();
    std::vector<std::string_view> known;
    for (const ComponentId id : registry.ids_by_name()) {
        std::string_view full = registry.info(id).schema.name;
        if (!is_root() && full.starts_with(name + ":")) full.remove_prefix(name.size() + 1);
        known.push_back(full);
    }
    return std::string(nearest_name(word, known));
}

void ScriptMod::begin_step(std::uint64_t tick) {
    state->begin_log_step(tick);
    share.begin_tick(tick);
    if (step == tick) return;
    seconds_in_step = 0;
    // The use of the previous step's commands is charged to the mod, like the fuel of its code.
    if (std::exchange(step, tick)) simulation.add(limits.fuel_per_run - playback.work, 0);
    playback.work = limits.fuel_per_run;
    if (!is_root()) playback.record_bytes = ModPlayback::kRecordBytesPerStep;
}

Error ScriptMod::report(ScriptError error, std::string_view system, bool counts) {
    if (counts) ++failures;
    error.system = system;
    if (memory.error_row != 0 && error.message.size() == memory.error_length) error.row = memory.error_row;
    memory.error_row = 0;
    Error result{error.text()};
    runtime.report(std::move(error));
    return result;
}

ViewSet* ScriptMod::init_views(PrefabId prefab, std::optional<ScriptError>& error) {
    std::unique_ptr<ViewSet>& slot = prefab_views[prefab];
    if (slot) return slot.get();
    const std::span<const ComponentId> components =
        runtime.world().prefabs().get(prefab).archetype->components();
    slot = std::make_unique<ViewSet>(components, memory);

    lua_State* lua = state->lua();
    state->push_runtime("prefab", "make_init_chunk");
    lua_pushinteger(lua, prefab.index);
    lua_pushlightuserdata(lua, slot->memory());
    lua_pushlightuserdata(lua, slot->data());
    lua_createtable(lua, static_cast<int>(components.size()), 0);
    for (std::size_t i = 0; i < components.size(); ++i) {
        lua_createtable(lua, 0, 2);
        lua_pushinteger(lua, components[i].index);
        lua_setfield(lua, -2, "id");
        lua_pushboolean(lua, 1);
        lua_setfield(lua, -2, "write");
        lua_rawseti(lua, -2, static_cast<int>(i) + 1);
    }
    error = state->call(4, 0);
    if (error) slot.reset();
    return slot.get();
}

}  // namespace perigee::internal
