// Lua C functions with the trampoline of bind.h; upvalue 1 is the ScriptMod.
#include "scripting/host/internal/world_host.h"

#include "ecs/base/color_text.h"
#include "ecs/base/error_codes.h"
#include "ecs/inspect/composition.h"
#include "ecs/inspect/schema_json.h"
#include "ecs/inspect/world_stats.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/relations/tree_clone.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_schema.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/observers.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/script_limits.h"
#include "scripting/host/internal/mod_host.h"
#include "scripting/host/internal/prefab_host.h"
#include "scripting/host/system_from_lua.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/object_api.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/internal/script_reload.h"
#include "scripting/sandbox/bind.h"
#include "scripting/views/internal/embedded_memory.h"
#include "scripting/views/schema_from_lua.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <type_traits>

namespace perigee::internal {

namespace {

int secret(lua_State* lua) {
    std::random_device device;
    std::string text;
    for (int i = 0; i < 4; ++i) text += fmt::format("{:08x}", device());
    push_text(lua, text);
    return 1;
}

int component_id(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const std::string_view name = text_at(lua, 1);
    if (const std::optional<ComponentId> id = mod.component(name)) {
        lua_pushinteger(lua, id->index);
        return 1;
    }
    return nil_and_message(lua, mod.nearest_component(name));
}

int describe(lua_State* lua) {
    const ComponentId id{static_cast<std::uint16_t>(lua_tointeger(lua, 1))};
    const ComponentRegistry& registry = mod_of(lua).runtime.world().registry();
    push_component(lua, registry.info(id), registry);
    return 1;
}

// Names of blob types work like names of components. `declared`: the name being declared, as the mod wrote
// it.
void name_blob_types(const ScriptMod& mod, std::string_view declared, std::vector<Field>& fields) {
    for (Field& field : fields) {
        name_blob_types(mod, declared, field.nested);
        if (field.type != FieldType::blob || field.labels.empty()) continue;
        if (field.labels[0] == declared) {
            field.labels[0] = mod.own_name(declared);
            continue;
        }
        if (const std::optional<ComponentId> id = mod.component(field.labels[0])) {
            field.labels[0] = mod.runtime.world().registry().info(*id).schema.name;
        }
    }
}

// One type; returns its number, or nil and a message.
int declare_one(lua_State* lua, ScriptMod& mod, Schema schema) {
    const std::optional<ComponentId> known = mod.runtime.world().registry().find(schema.name);
    if (mod.before != nullptr) {
        if (known && std::ranges::find(mod.before->types, *known) != mod.before->types.end())
            return declare_again(lua, mod, *known, std::move(schema));
    }
    const bool is_own = known && std::ranges::find(mod.types, *known) != mod.types.end();
    if (!is_own && mod.types.size() >= kMaxTypes) {
        return nil_and_message(
            lua, fmt::format(messages::kTooManyOfMod, kMaxTypes, "components, resources and events"));
    }
    const Result<ComponentId> id = mod.runtime.world().declare(std::move(schema));
    if (!id) return nil_and_message(lua, id.error().message);
    if (!is_own) mod.types.push_back(id.value());
    ObjectStore& objects = mod.runtime.world().objects();
    const bool is_object = mod.runtime.world().registry().info(id.value()).kind() == ComponentKind::object;
    if (is_object && objects.copies(id.value()) == nullptr)
        objects.set_copies(id.value(), object_copies(mod.runtime));
    if (mod.before != nullptr) mod.before->types.push_back(id.value());  // stays, even after an error
    lua_pushinteger(lua, id.value().index);
    return 1;
}

int declare(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    Schema schema = schema_from_lua(lua, 1);
    name_blob_types(mod, schema.name, schema.fields);
    schema.name = mod.own_name(schema.name);
    if (!schema.owner.empty() && schema.owner != "engine") schema.owner = mod.system_name(schema.owner);
    int answers = 0;
    for (Schema& part : with_element_types(std::move(schema))) {
        lua_settop(lua, 1);
        answers = declare_one(lua, mod, std::move(part));
        if (answers != 1) break;
    }
    return answers;
}

// Name -> whether it is presentation, or in it.
int groups(lua_State* lua) {
    const Schedule& schedule = mod_of(lua).runtime.schedule();
    lua_newtable(lua);
    for (const SystemId id : schedule.all()) {
        const SystemStatus status = schedule.status(id);
        if (!status.is_group) continue;
        lua_pushboolean(lua, schedule.is_presentation(status.name) ? 1 : 0);
        lua_setfield(lua, -2, status.name.c_str());
    }
    return 1;
}

int own_name(lua_State* lua) {
    push_text(lua, mod_of(lua).own_name(text_at(lua, 1)));
    return 1;
}

// Prepares a declaration so that its functions can be created; finish_system adds it to the schedule.
int make_system(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    const SystemDesc desc = system_from_lua(lua, 1, mod);
    std::vector<ComponentId> terms;
    terms.reserve(desc.query.terms.size() + 1);
    for (const QueryTerm& term : desc.query.terms) terms.push_back(term.component);
    // A reaction to components sees a list of values as if it were a column.
    if (desc.reacts_to && desc.reacts_to->kind != Trigger::Kind::event) {
        terms.push_back(desc.reacts_to->component);
    }
    mod.order_names += desc.after.size() + desc.before.size();
    if (mod.order_names > kMaxOrderNames)
        return raise(lua, fmt::format(messages::kTooManyOrders, kMaxOrderNames));
    std::size_t term_count = terms.size(), query_count = 0;
    each_entry(lua, 1, "queries", [&] {
        ++query_count;
        term_count += query_from_lua(lua, lua_gettop(lua)).terms.size();
    });
    if (!mod.share.hold(OwnMemory::systems, ScriptSystem::bytes(term_count, query_count)))
        return raise(lua, mod.refusal_of_world());
    lua_getfield(lua, 1, "runs");
    const bool is_top_level = desc.group == kStep && !mod.runtime.schedule().find(kStep);
    const ScriptSystem::Traits traits{!is_top_level && mod.runtime.schedule().is_presentation(desc.group),
                                      lua_toboolean(lua, -1) != 0, desc.is_exclusive};
    lua_pop(lua, 1);
    auto system = std::make_unique<ScriptSystem>(mod, desc.name, traits, terms);
    lua_pushlightuserdata(lua, system->memory());
    lua_pushlightuserdata(lua, system->views().data());
    lua_pushlightuserdata(lua, system->views().memory());
    mod.systems.push_back(std::move(system));
    return 3;
}

// The system whose memory make_system returned.
ScriptSystem& system_at(lua_State* lua, int index, const ScriptMod& mod) {
    const void* memory = lua_touserdata(lua, index);
    const auto found =
        std::ranges::find_if(mod.systems, [&](const auto& s) { return s->memory() == memory; });
    ECS_EXPECTS(found != mod.systems.end());
    return **found;
}

// memory of a system, a named query, takes_runs -> its visit, views, chunk memory, query; nil and a message.
// Called in the order of their names.
int add_visit(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    ScriptSystem& system = system_at(lua, 1, mod);
    const Result<Query*> query = mod.runtime.world().query(query_from_lua(lua, 2));
    if (!query) return nil_and_message(lua, query.error().message);
    ScriptVisit& visit = system.add_visit(*query.value(), lua_toboolean(lua, 3) != 0);
    lua_pushlightuserdata(lua, &visit);
    lua_pushlightuserdata(lua, visit.views().data());
    lua_pushlightuserdata(lua, visit.views().memory());
    lua_pushlightuserdata(lua, query.value());
    return 4;
}

int add_query(lua_State* lua) {
    const Result<Query*> query = mod_of(lua).runtime.world().query(query_from_lua(lua, 1));
    if (!query) return nil_and_message(lua, query.error().message);
    lua_pushlightuserdata(lua, query.value());
    return 1;
}

// Why commands of a system on a component are refused, or nothing. Compiled code has no light userdata, so
// the system is passed as a number; 0: the running one.
int refusal(lua_State* lua) {
    const auto address = static_cast<std::uintptr_t>(lua_tonumber(lua, 1));
    const ComponentId id{static_cast<std::uint16_t>(lua_tointeger(lua, 2))};
    const ScriptMod& mod = mod_of(lua);
    const auto found = std::ranges::find_if(mod.systems, [&](const auto& s) {
        return address == 0 ? s.get() == mod.running : reinterpret_cast<std::uintptr_t>(s.get()) == address;
    });
    ECS_EXPECTS(found != mod.systems.end());
    const std::optional<std::string> reason = (*found)->commands().refusal(id, lua_toboolean(lua, 3) != 0);
    if (!reason) return 0;
    push_text(lua, *reason);
    return 1;
}

int world_stats(lua_State* lua) {
    const WorldStats stats = stats_of(mod_of(lua).runtime.world());
    lua_newtable(lua);
    const auto set = [&](const char* key, std::size_t number) {
        lua_pushnumber(lua, static_cast<double>(number));
        lua_setfield(lua, -2, key);
    };
    set("entities", stats.entities);
    set("archetypes", stats.archetypes);
    set("chunks", stats.chunks);
    set("chunk_bytes", stats.chunk_bytes);
    set("unused_bytes", stats.unused_bytes);
    return 1;
}

// An entity, or the text of a hash -> hash, names of components in bytewise order, entities, chunks; nothing
// when the world has no such archetype.
int archetype(lua_State* lua) {
    const World& world = mod_of(lua).runtime.world();
    const Archetype* found = nullptr;
    if (lua_type(lua, 1) == LUA_TNUMBER) {
        found = world.archetype_of(entity_from_number(lua_tonumber(lua, 1)));
    } else if (const std::optional<std::uint64_t> hash = composition_from_text(text_at(lua, 1))) {
        found = find_archetype(world, *hash);
    }
    if (found == nullptr) return 0;
    push_text(lua, composition_text(composition_hash(world, *found)));
    std::vector<std::string_view> names;
    for (const ComponentId id : found->components()) names.push_back(world.registry().info(id).schema.name);
    std::ranges::sort(names);
    lua_createtable(lua, static_cast<int>(names.size()), 0);
    for (std::size_t i = 0; i < names.size(); ++i) {
        push_text(lua, names[i]);
        lua_rawseti(lua, -2, static_cast<int>(i + 1));
    }
    lua_pushnumber(lua, static_cast<double>(found->entity_count()));
    lua_pushnumber(lua, static_cast<double>(found->chunk_count()));
    return 4;
}

// Lists { value's bytes, entities, chunks } of a shared component's values.
int shared_values(lua_State* lua) {
    const World& world = mod_of(lua).runtime.world();
    const ComponentId id{static_cast<std::uint16_t>(lua_tointeger(lua, 1))};
    const std::uint32_t bytes = world.registry().value_bytes(id);
    lua_newtable(lua);
    int count = 0;
    for (const SharedValue& value : shared_values(world, id)) {
        lua_createtable(lua, 3, 0);
        push_text(lua, {reinterpret_cast<const char*>(value.value), bytes});
        lua_rawseti(lua, -2, 1);
        lua_pushnumber(lua, static_cast<double>(value.entities));
        lua_rawseti(lua, -2, 2);
        lua_pushnumber(lua, static_cast<double>(value.chunks));
        lua_rawseti(lua, -2, 3);
        lua_rawseti(lua, -2, ++count);
    }
    return 1;
}

// The functions of the spec at `index`, by SystemCallback.
std::array<int, kSystemCallbackCount> take_functions(lua_State* lua, int index) {
    std::array<int, kSystemCallbackCount> functions{};
    for (std::size_t callback = 0; callback < kSystemCallbackCount; ++callback) {
        lua_getfield(lua, index, kSystemCallbackNames[callback].data());
        if (lua_isnil(lua, -1)) {
            lua_pop(lua, 1);
            functions[callback] = LUA_NOREF;
        } else {
            functions[callback] = luaL_ref(lua, LUA_REGISTRYINDEX);
        }
    }
    return functions;
}

// The functions of a system description that are written in Lua.
template <typename Description> void set_calls(Description& desc, ScriptSystem& system) {
    if (system.has(SystemCallback::run_if)) {
        desc.run_if = [&system](const SystemContext& context) { return system.meets_condition(context); };
    }
    if constexpr (std::is_same_v<Description, SystemDesc>) {
        const auto set = [&](SystemFunction& function, SystemCallback call) {
            if (!system.has(call)) return;
            function = [&system, call](SystemContext& context) { return system.run_callback(call, context); };
        };
        desc.run = [&system](SystemContext& context) { return system.run(context); };
        if (!desc.reacts_to)
            desc.must_wait = [&system](const SystemContext& context) { return system.must_wait(context); };
        set(desc.on_create, SystemCallback::on_create);
        set(desc.on_start, SystemCallback::on_start);
        set(desc.on_stop, SystemCallback::on_stop);
        set(desc.on_destroy, SystemCallback::on_destroy);
    }
}

int true_or_message(lua_State* lua, const Result<void>& result) {
    if (!result) return nil_and_message(lua, result.error().message);
    lua_pushboolean(lua, 1);
    return 1;
}

// memory, spec, the argument of run (or a function(run, ctx) that creates it and calls run), ctx -> true; nil
// and a message.
int finish_system(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    ScriptSystem& system = system_at(lua, 1, mod);
    SystemDesc desc = system_from_lua(lua, 2, mod);
    const std::array<int, kSystemCallbackCount> functions = take_functions(lua, 2);
    lua_settop(lua, 4);
    const int context = luaL_ref(lua, LUA_REGISTRYINDEX);
    const bool is_made = lua_isfunction(lua, -1);
    const int chunk = luaL_ref(lua, LUA_REGISTRYINDEX);
    system.set_functions(functions, {chunk, is_made}, context);
    set_calls(desc, system);
    system.set_services(services_of(lua, 2, mod));
    lua_getfield(lua, 2, "replaces");
    if (lua_toboolean(lua, -1) != 0) return plan_replacement(lua, mod, std::move(desc));
    if (mod.before != nullptr) return true_or_message(lua, declare_again(mod, std::move(desc)));
    const std::optional<SystemId> future = future_system(mod.runtime.schedule(), mod.system_ids, desc.name);
    const Result<SystemId> id = mod.runtime.schedule().add(std::move(desc));
    if (!id) return nil_and_message(lua, id.error().message);
    if (future) std::erase(mod.system_ids, *future);
    mod.system_ids.push_back(id.value());
    lua_pushboolean(lua, 1);
    return 1;
}

// The same for a group.
int finish_group(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    ScriptSystem& system = system_at(lua, 1, mod);
    SystemDesc like = system_from_lua(lua, 2, mod);
    lua_settop(lua, 4);
    system.set_functions(take_functions(lua, 2), ScriptChunk{LUA_NOREF}, luaL_ref(lua, LUA_REGISTRYINDEX));
    GroupDesc desc{
        like.name,      like.group, like.before, like.after, like.every, {}, like.ignores_unknown_names,
        like.is_enabled};
    set_calls(desc, system);
    if (mod.before != nullptr && declare_again(mod, desc)) return true_or_message(lua, {});
    const Result<SystemId> id = mod.runtime.schedule().add_group(std::move(desc));
    if (!id) return nil_and_message(lua, id.error().message);
    mod.group_ids.push_back(id.value());
    if (mod.before != nullptr) mod.before->group_ids.push_back(id.value());
    lua_pushboolean(lua, 1);
    return 1;
}

// ---- the hierarchy and names; hierarchy.lua has checked the arguments ----

Entity entity_at(lua_State* lua, int index) { return entity_from_number(lua_tonumber(lua, index)); }

int set_parent(lua_State* lua) {
    World& world = mod_of(lua).runtime.world();
    return true_or_message(lua, perigee::set_parent(world, entity_at(lua, 1), entity_at(lua, 2)));
}

int set_name(lua_State* lua) {
    World& world = mod_of(lua).runtime.world();
    return true_or_message(lua, perigee::set_name(world, entity_at(lua, 1), text_at(lua, 2)));
}

// Checks whether a name is valid. Called before a command with it is recorded.
int check_name(lua_State* lua) {
    const std::string_view name = text_at(lua, 1);
    if (const Result<void> checked = perigee::check_name(name); !checked)
        return nil_and_message(lua, checked.error().message);
    const Result<TextHandle> text = mod_of(lua).runtime.world().texts().intern(name);
    return true_or_message(lua, text ? Result<void>{} : Result<void>{text.error()});
}

int push_entity(lua_State* lua, Entity entity) {
    if (entity) {
        lua_pushnumber(lua, number_from_entity(entity));
    } else {
        lua_pushnil(lua);
    }
    return 1;
}

int clone_tree(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    World& world = mod.runtime.world();
    if (!mod.share.has_room_for_entities()) return nil_and_message(lua, mod.refusal_of_world());
    const std::size_t before = world.entity_count();
    const Entity made = perigee::clone_tree(world, entity_at(lua, 1));
    static_cast<void>(mod.share.ask_entities(world.entity_count() - before));
    return push_entity(lua, made);
}

int parent(lua_State* lua) {
    return push_entity(lua, parent_of(mod_of(lua).runtime.world(), entity_at(lua, 1)));
}

int list_children(lua_State* lua) {
    lua_newtable(lua);
    int count = 0;
    for (const Entity child : children(mod_of(lua).runtime.world(), entity_at(lua, 1))) {
        push_entity(lua, child);
        lua_rawseti(lua, -2, ++count);
    }
    return 1;
}

int find(lua_State* lua) {
    return push_entity(lua, find_named(mod_of(lua).runtime.world(), text_at(lua, 1)));
}

int name(lua_State* lua) {
    const std::string_view text = name_of(mod_of(lua).runtime.world(), entity_at(lua, 1));
    if (text.empty()) {
        lua_pushnil(lua);
    } else {
        push_text(lua, text);
    }
    return 1;
}

int build_blob(lua_State* lua) {
    const ComponentId type{static_cast<std::uint16_t>(lua_tointeger(lua, 1))};
    const std::string_view rows = text_at(lua, 2);
    ScriptMod& mod = mod_of(lua);
    BlobStore& blobs = mod.runtime.world().blobs();
    wait_for_turn();
    const std::size_t most = rows.size() + BlobStore::kOwnBytes;
    if (!mod.share.ask_at_once(MemoryKind::blobs, most)) return nil_and_message(lua, mod.refusal_of_world());
    std::size_t taken = 0;
    const Result<BlobHandle> blob =
        blobs.build(type, std::as_bytes(std::span(rows.data(), rows.size())), &taken);
    mod.share.unmake(MemoryKind::blobs, most - taken);
    if (!blob) return nil_and_message(lua, blob.error().message);
    // The mod's code may use what it built while it was loaded, for as long as it is loaded.
    if (mod.phase() == ScriptPhase::main) mod.constants.emplace_back(blobs, blob.value());
    lua_pushnumber(lua, blob.value().index);
    return 1;
}

/// Why the world refuses more from this mod.
int refusal_of_world(lua_State* lua) {
    push_text(lua, mod_of(lua).refusal_of_world());
    return 1;
}

/// The same, or nothing when that is not the reason.
int share_used_up(lua_State* lua) { return mod_of(lua).share.has_refused() ? refusal_of_world(lua) : 0; }

int events_full(lua_State* lua) {
    if (mod_of(lua).share.has_refused()) return refusal_of_world(lua);
    const World& world = mod_of(lua).runtime.world();
    const ComponentId id{static_cast<std::uint16_t>(lua_tointeger(lua, 1))};
    push_text(lua, errors::too_many_events("", world.registry().info(id).schema.name,
                                           world.events().max_count(id), world.events().max_bytes()));
    return 1;
}

int texts_full(lua_State* lua) {
    if (mod_of(lua).share.has_refused()) return refusal_of_world(lua);
    push_text(lua, errors::texts_full(mod_of(lua).runtime.world().texts().max_bytes()));
    return 1;
}

int type_as_json(lua_State* lua) {
    const ComponentId id{static_cast<std::uint16_t>(lua_tointeger(lua, 1))};
    push_text(lua, schema_json(mod_of(lua).runtime.world().registry(), id));
    return 1;
}

int object_hash(lua_State* lua) {
    mod_of(lua).hash_objects(ComponentId{static_cast<std::uint16_t>(lua_tointeger(lua, 1))});
    return 0;
}

int keep(lua_State* lua) {
    lua_settop(lua, 1);
    lua_pushinteger(lua, luaL_ref(lua, LUA_REGISTRYINDEX));
    return 1;
}

int color(lua_State* lua) {
    const std::string_view text = text_at(lua, 1);
    const std::optional<ColorBytes> found = parse_color(text);
    if (!found) return nil_and_message(lua, why_no_color(text));
    lua_pushnumber(lua, (((*found)[0] * 256.0 + (*found)[1]) * 256.0 + (*found)[2]) * 256.0 + (*found)[3]);
    return 1;
}

int asset_handle(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const AssetNames& assets = mod.runtime.config().assets;
    if (!assets.handle_of) return nil_and_message(lua, messages::kNoAssets);
    wait_for_turn();
    const Result<std::uint32_t> handle = assets.handle_of(mod.name, text_at(lua, 1));
    if (!handle) return nil_and_message(lua, handle.error().message);
    if (assets.note_place) {
        push_place_of_mod(lua);
        std::string_view place = text_at(lua, -1);
        if (place.ends_with(": ")) place.remove_suffix(2);
        assets.note_place(handle.value(), place);
    }
    lua_pushnumber(lua, handle.value());
    return 1;
}

int asset_path(lua_State* lua) {
    const AssetNames& assets = mod_of(lua).runtime.config().assets;
    wait_for_turn();
    const std::string path =
        assets.path_of ? assets.path_of(static_cast<std::uint32_t>(lua_tonumber(lua, 1))) : std::string();
    if (path.empty()) return 0;
    push_text(lua, path);
    return 1;
}

/// The declarations of the shared memory, in C.
int memory_types(lua_State* lua) {
    push_text(lua, embedded_memory().front().text);
    return 1;
}

}  // namespace

void extend_host(lua_State* lua, ScriptMod& mod) {
    lua_pushlightuserdata(lua, &mod.runtime.world());
    lua_setfield(lua, -2, "world");
#if PERIGEE_DEBUG_CHECKS
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, "notes_access");
#endif
    lua_pushlightuserdata(lua, &mod.memory);
    lua_setfield(lua, -2, "cell");
    lua_pushlightuserdata(lua, &mod.objects);
    lua_setfield(lua, -2, "objects");
    set_function<memory_types>(lua, "memory_types", &mod);
    set_function<secret>(lua, "secret", &mod);
    set_function<component_id>(lua, "component_id", &mod);
    set_function<describe>(lua, "describe", &mod);
    set_function<declare>(lua, "declare", &mod);
    set_function<groups>(lua, "groups", &mod);
    set_function<own_name>(lua, "own_name", &mod);
    set_function<make_system>(lua, "make_system", &mod);
    set_function<add_visit>(lua, "add_visit", &mod);
    set_function<finish_system>(lua, "finish_system", &mod);
    set_function<finish_group>(lua, "finish_group", &mod);
    set_function<add_query>(lua, "add_query", &mod);
    set_function<refusal>(lua, "refusal", &mod);
    set_function<world_stats>(lua, "stats", &mod);
    set_function<archetype>(lua, "archetype", &mod);
    set_function<shared_values>(lua, "shared_values", &mod);
    set_function<add_prefab>(lua, "add_prefab", &mod);
    set_function<load_data>(lua, "load_data", &mod);
    set_function<record_load>(lua, "record_load", &mod);
    set_function<set_parent>(lua, "set_parent", &mod);
    set_function<set_name>(lua, "set_name", &mod);
    set_function<check_name>(lua, "check_name", &mod);
    set_function<clone_tree>(lua, "clone_tree", &mod);
    set_function<parent>(lua, "parent", &mod);
    set_function<list_children>(lua, "list_children", &mod);
    set_function<find>(lua, "find", &mod);
    set_function<name>(lua, "name", &mod);
    set_function<build_blob>(lua, "build_blob", &mod);
    set_function<refusal_of_world>(lua, "refusal_of_world", &mod);
    set_function<share_used_up>(lua, "share_used_up", &mod);
    set_function<texts_full>(lua, "texts_full", &mod);
    set_function<events_full>(lua, "events_full", &mod);
    set_function<type_as_json>(lua, "schema_json", &mod);
    set_function<object_hash>(lua, "object_hash", &mod);
    set_function<keep>(lua, "keep", &mod);
    set_function<color>(lua, "color", &mod);
    set_function<asset_handle>(lua, "asset_handle", &mod);
    set_function<asset_path>(lua, "asset_path", &mod);
}

}  // namespace perigee::internal
