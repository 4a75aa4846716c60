// What ecs.prefab and files of data do in C++: a description that prefab.lua has checked becomes a prefab, a
// file of the mod prefabs and entities.
#pragma once

struct lua_State;

namespace perigee::internal {

/// add_prefab(name, description) -> number, or nil and a message. A Lua C function body; upvalue 1 is the
/// ScriptMod. `description` and each of its `children` are tables with the lists `ids`, `images`,
/// `field_ids`, `field_names`, `field_values`, `removed`, `reference_ids`, `reference_fields`,
/// `reference_parts`; `base` and a child's `prefab` are numbers of prefabs, or absent; a child may have a
/// `name`.
int add_prefab(lua_State* lua);

/// patch_prefab(name, description): the same description, as changes of the prefab of this name, which may be
/// another mod's; they happen when the mod has loaded. True, or nil and a message.
int patch_prefab(lua_State* lua);

/// find_prefab(name) -> number, or nil and the nearest name. Names of other mods are "mod:Name".
int find_prefab(lua_State* lua);

/// load_data(path, only_prefabs) -> prefabs, entities: a list of { name, number } and a list of entities; or
/// nil and a message, and nothing has changed. The same.
int load_data(lua_State* lua);

/// record_load(system, path) -> true, or nil and a message: reads the file of the mod now, and records that
/// it is loaded at playback. `system` is its address as a number: compiled code has no light userdata.
/// The same.
int record_load(lua_State* lua);

}  // namespace perigee::internal
