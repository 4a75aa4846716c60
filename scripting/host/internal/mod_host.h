// Host functions about other mods: their systems and prefabs, and permission to use them.
//
//   host.import(mod)                whether it exists; nil and a message when this mod does not use it
//   host.system_info(name)          { name, group, every, before, after } of any system, or nil and a message
//   host.find_prefab(name)          see prefab_host.h, and patch_prefab
//   host.add_service(name, function)     true, or nil and a message
//   host.has_service(mod, name)          true, or nil and the existing names
//   host.call_service(mod, name, …)      true and the results, or nil and a message
//   host.settings                        by name
#pragma once

#include <string>
#include <vector>

struct lua_State;

namespace perigee {
struct SystemDesc;
}

namespace perigee::internal {

struct ScriptMod;

/// Adds to the host table on top of the stack.
void extend_host_with_mods(lua_State* lua, ScriptMod& mod);

/// Full names in the list `services` of the declaration at `index`.
std::vector<std::string> services_of(lua_State* lua, int index, const ScriptMod& mod);

/// Plans to replace the system with the name of `desc`; the new one stays in the same group and keeps its
/// neighbours. Returns like a Lua C function: true, or nil and a message.
int plan_replacement(lua_State* lua, ScriptMod& mod, SystemDesc desc);

}  // namespace perigee::internal
