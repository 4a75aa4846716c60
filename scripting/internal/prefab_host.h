// What ecs.prefab does in C++: a description that prefab.lua has checked becomes a prefab.
#pragma once

struct lua_State;

namespace perigee::internal {

/// add_prefab(name, description) -> number, or nil and a message. A Lua C function body; upvalue 1 is the
/// ScriptMod. `description` and each of its `children` are tables with the lists `ids`, `images`,
/// `field_ids`, `field_names`, `field_values`, `removed`, `reference_ids`, `reference_fields`,
/// `reference_parts`; `base` and a child's `prefab` are numbers of prefabs, or absent; a child may have a
/// `name`.
int add_prefab(lua_State* lua);

}  // namespace perigee::internal
