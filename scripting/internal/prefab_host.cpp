// Reading the lists of one description.
#include "scripting/internal/prefab_host.h"

#include "ecs/contract.h"
#include "ecs/prefab_family.h"
#include "ecs/world.h"
#include "scripting/bind.h"
#include "scripting/error_codes.h"
#include "scripting/internal/host_call.h"
#include "scripting/internal/mod_link.h"
#include "scripting/internal/script_mod.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace perigee::internal {

namespace {

// Calls fn(index) with the i-th element of each named list of the table on top at -1, -2, … from the last
// name on.
template <typename Function>
void each_entry(lua_State* lua, std::initializer_list<const char*> lists, Function&& fn) {
    const int table = lua_gettop(lua);
    lua_getfield(lua, table, *lists.begin());
    const int count = static_cast<int>(lua_objlen(lua, -1));
    lua_settop(lua, table);
    for (int i = 1; i <= count; ++i) {
        for (const char* list : lists) {
            lua_getfield(lua, table, list);
            lua_rawgeti(lua, -1, i);
            lua_remove(lua, -2);
        }
        fn();
        lua_settop(lua, table);
    }
}

ComponentId component_at(lua_State* lua, int index) {
    return ComponentId{static_cast<std::uint16_t>(lua_tointeger(lua, index))};
}

FieldValue value_at(lua_State* lua, int index) {
    FieldValue value;
    if (lua_type(lua, index) == LUA_TBOOLEAN) {
        value.data = lua_toboolean(lua, index) != 0;
    } else if (lua_type(lua, index) == LUA_TNUMBER) {
        value.data = lua_tonumber(lua, index);
    } else {
        value.data = std::string(text_at(lua, index));
    }
    return value;
}

PrefabValues values_on_top(lua_State* lua) {
    PrefabValues values;
    each_entry(lua, {"ids", "images", "off"}, [&] {
        PrefabComponent component{component_at(lua, -3), {}};
        component.is_enabled = lua_toboolean(lua, -1) == 0;
        if (lua_type(lua, -2) == LUA_TSTRING) {
            const auto image = std::as_bytes(std::span(text_at(lua, -2)));
            component.value.assign(image.begin(), image.end());
        }
        values.components.push_back(std::move(component));
    });
    each_entry(lua, {"field_ids", "field_names", "field_values"}, [&] {
        values.fields.push_back({component_at(lua, -3), std::string(text_at(lua, -2)), value_at(lua, -1)});
    });
    each_entry(lua, {"removed"}, [&] { values.removed.push_back(component_at(lua, -1)); });
    each_entry(lua, {"reference_ids", "reference_fields", "reference_parts"}, [&] {
        values.references.push_back(
            {component_at(lua, -3), std::string(text_at(lua, -2)), std::string(text_at(lua, -1))});
    });
    return values;
}

// The name under which the world knows the prefab whose number stands in a field; empty without one.
std::string prefab_name(lua_State* lua, const World& world, const char* key) {
    lua_getfield(lua, -1, key);
    std::string name;
    if (lua_type(lua, -1) == LUA_TNUMBER) {
        name = world.prefabs().get(PrefabId{static_cast<std::uint32_t>(lua_tointeger(lua, -1))}).name;
    }
    lua_pop(lua, 1);
    return name;
}

}  // namespace

int find_prefab(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    if (const auto found = mod.runtime.world().prefabs().find(mod.system_name(text_at(lua, 1)))) {
        lua_pushinteger(lua, found->index);
        return 1;
    }
    return nil_and_message(lua, fmt::format(messages::kNoPrefabToChange, text_at(lua, 1)));
}

// The description at index 2, whose name and base are known.
static PrefabDesc desc_from_lua(lua_State* lua, const World& world, std::string name, std::string base) {
    PrefabDesc desc;
    desc.name = std::move(name);
    desc.base = std::move(base);
    lua_settop(lua, 2);
    desc.values = values_on_top(lua);
    each_entry(lua, {"children"}, [&] {
        PrefabChild child;
        child.prefab = prefab_name(lua, world, "prefab");
        lua_getfield(lua, -1, "name");
        if (lua_type(lua, -1) == LUA_TSTRING) child.name = text_at(lua, -1);
        lua_pop(lua, 1);
        child.values = values_on_top(lua);
        desc.children.push_back(std::move(child));
    });
    return desc;
}

int patch_prefab(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    World& world = mod.runtime.world();
    const std::string name = mod.system_name(text_at(lua, 1));
    const std::optional<PrefabId> target = world.prefabs().find(name);
    if (!target) return nil_and_message(lua, fmt::format(messages::kNoPrefabToChange, text_at(lua, 1)));
    const std::string_view owner = owner_of(mod, name);
    if (!mod.may_use(owner))
        return nil_and_message(lua, fmt::format(messages::kNotUsed, text_at(lua, 1), owner));
    // A prefab of its own until the mod has loaded.
    const std::string changed = fmt::format("{} of {} #{}", mod.name, name, mod.prefab_changes.size() + 1);
    const PrefabDesc desc = desc_from_lua(lua, world, changed, name);
    const Result<std::vector<PrefabId>> ids = add_prefabs(world, {&desc, 1});
    if (!ids) return nil_and_message(lua, ids.error().message);
    mod.prefab_changes.push_back({*target, ids.value().front()});
    lua_pushboolean(lua, 1);
    return 1;
}

int add_prefab(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    World& world = mod.runtime.world();
    lua_settop(lua, 2);
    const std::string base = prefab_name(lua, world, "base");
    const PrefabDesc desc = desc_from_lua(lua, world, mod.own_name(text_at(lua, 1)), base);
    const Result<std::vector<PrefabId>> ids = add_prefabs(world, {&desc, 1});
    if (!ids) return nil_and_message(lua, ids.error().message);
    lua_pushinteger(lua, ids.value().front().index);
    return 1;
}

int load_data(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    const std::string path(text_at(lua, 1));
    const DataLoader& load = mod.runtime.config().load_data;
    if (!load) return nil_and_message(lua, messages::kNoDataFiles);
    const Result<std::string> text = mod.files->read(path);
    if (!text) return nil_and_message(lua, path + " " + text.error().message);
    const Result<LoadedData> loaded =
        load(mod.is_root() ? "" : mod.name, path, text.value(), lua_toboolean(lua, 2) != 0);
    if (!loaded) return nil_and_message(lua, loaded.error().message);
    lua_newtable(lua);
    int number = 0;
    for (const PrefabId id : loaded.value().prefabs) {
        const std::string& name = mod.runtime.world().prefabs().get(id).name;
        const std::size_t prefix = mod.is_root() ? 0 : mod.name.size() + 1;
        lua_createtable(lua, 2, 0);
        push_text(lua, std::string_view(name).substr(prefix));
        lua_rawseti(lua, -2, 1);
        lua_pushinteger(lua, id.index);
        lua_rawseti(lua, -2, 2);
        lua_rawseti(lua, -2, ++number);
    }
    lua_newtable(lua);
    number = 0;
    for (const Entity entity : loaded.value().entities) {
        lua_pushnumber(lua, number_from_entity(entity));
        lua_rawseti(lua, -2, ++number);
    }
    return 2;
}

int record_load(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const std::string path(text_at(lua, 2));
    if (!mod.runtime.config().load_data) return nil_and_message(lua, messages::kNoDataFiles);
    Result<std::string> text = mod.files->read(path);
    if (!text) return nil_and_message(lua, path + " " + text.error().message);
    const auto address = static_cast<std::uintptr_t>(lua_tonumber(lua, 1));
    const auto system = std::ranges::find_if(
        mod.systems, [&](const auto& s) { return reinterpret_cast<std::uintptr_t>(s.get()) == address; });
    ECS_EXPECTS(system != mod.systems.end());
    (*system)->load_data(path, std::move(text).value());
    lua_pushboolean(lua, 1);
    return 1;
}

}  // namespace perigee::internal
