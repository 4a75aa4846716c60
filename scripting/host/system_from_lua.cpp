// Plain reading of a table.
#include "scripting/host/system_from_lua.h"

#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/sandbox/bind.h"

#include <lua.hpp>

#include <cstddef>
#include <string>

namespace perigee {

namespace {

using internal::each_entry;

ComponentId id_on_top(lua_State* lua) {
    return ComponentId{static_cast<std::uint16_t>(lua_tointeger(lua, -1))};
}

// The `id` of the table on top.
ComponentId id_of_table(lua_State* lua) {
    lua_getfield(lua, -1, "id");
    const ComponentId id = id_on_top(lua);
    lua_pop(lua, 1);
    return id;
}

bool flag_of_table(lua_State* lua, const char* key) {
    lua_getfield(lua, -1, key);
    const bool flag = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return flag;
}

std::string text_of(lua_State* lua, int table, const char* key) {
    lua_getfield(lua, table, key);
    std::string text(text_at(lua, -1));
    lua_pop(lua, 1);
    return text;
}

// reaction.lua passes no other values.
Trigger::Kind trigger_kind(std::string_view word) {
    for (const Trigger::Kind kind :
         {Trigger::Kind::added, Trigger::Kind::removed, Trigger::Kind::changed, Trigger::Kind::destroyed}) {
        if (word == trigger_name(kind)) return kind;
    }
    return Trigger::Kind::event;
}

}  // namespace

QueryDesc query_from_lua(lua_State* lua, int index) {
    QueryDesc desc;
    each_entry(lua, index, "terms", [&] {
        desc.terms.push_back({id_of_table(lua), flag_of_table(lua, "write") ? Access::write : Access::read,
                              flag_of_table(lua, "optional")});
    });
    each_entry(lua, index, "any", [&] { desc.any.push_back(id_on_top(lua)); });
    each_entry(lua, index, "without", [&] { desc.without.push_back(id_on_top(lua)); });
    each_entry(lua, index, "changed", [&] { desc.changed.push_back(id_on_top(lua)); });
    each_entry(lua, index, "shared", [&] {
        const std::string bytes = text_of(lua, lua_gettop(lua), "bytes");
        const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
        desc.shared.push_back({id_of_table(lua), {first, first + bytes.size()}});
    });
    each_entry(lua, index, "related", [&] {
        const ComponentId relation = id_of_table(lua);
        lua_getfield(lua, -1, "target");
        desc.related.push_back({relation, entity_from_number(lua_tonumber(lua, -1))});
    });
    lua_getfield(lua, index, "order_by");
    if (lua_istable(lua, -1)) {
        desc.order_by = OrderBy{id_of_table(lua), text_of(lua, lua_gettop(lua), "field"),
                                flag_of_table(lua, "descending")};
    }
    lua_pop(lua, 1);
    lua_getfield(lua, index, "include_disabled");
    desc.include_disabled = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return desc;
}

SystemDesc system_from_lua(lua_State* lua, int index, internal::ScriptMod& mod) {
    SystemDesc desc;
    desc.is_native = false;
    desc.ignores_unknown_names = desc.is_optional = !mod.is_root();  // see mod_link.h
    desc.serial_key = mod.name;                                      // its systems share one Lua state
    const std::string name = text_of(lua, index, "name");
    lua_getfield(lua, index, "replaces");
    desc.name = lua_toboolean(lua, -1) != 0 ? mod.system_name(name) : mod.own_name(name);
    lua_pop(lua, 1);
    desc.group = mod.group_name(text_of(lua, index, "group"));
    lua_getfield(lua, index, "every");
    desc.every = lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    if (const std::string point = text_of(lua, index, "commands"); !point.empty()) {
        const std::string_view group = playback_group(point);
        desc.commands = group.empty() ? point : "end of " + mod.group_name(group);
    }
    lua_getfield(lua, index, "exclusive");
    desc.is_exclusive = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    lua_getfield(lua, index, "enabled");
    desc.is_enabled = lua_isnil(lua, -1) || lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    each_entry(lua, index, "after", [&] { desc.after.push_back(mod.order_name(text_at(lua, -1))); });
    each_entry(lua, index, "before", [&] { desc.before.push_back(mod.order_name(text_at(lua, -1))); });
    desc.query = query_from_lua(lua, index);
    desc.needs_rows = !desc.query.terms.empty();
    each_entry(lua, index, "read", [&] { desc.access.read.push_back(id_of_table(lua)); });
    each_entry(lua, index, "write", [&] { desc.access.write.push_back(id_of_table(lua)); });
    // The serving mod must not run at the same time.
    each_entry(lua, index, "services", [&] { desc.is_alone = true; });
    lua_getfield(lua, index, "alone");
    // A sketch declares nothing and may access everything, like native systems without declarations.
    if (lua_toboolean(lua, -1) != 0) desc.is_alone = desc.is_native = true;
    lua_pop(lua, 1);
    lua_getfield(lua, index, "trigger");
    if (lua_istable(lua, -1)) {
        desc.payer = &mod.observation;
        desc.reacts_to = Trigger{trigger_kind(text_of(lua, lua_gettop(lua), "kind")), id_of_table(lua)};
    }
    lua_pop(lua, 1);
    return desc;
}

}  // namespace perigee
