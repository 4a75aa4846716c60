// The C++ side of ecs.prefab and data files: a description checked by prefab.lua becomes a prefab, and a
// data file of the mod becomes prefabs and entities.
#pragma once

struct lua_State;

namespace perigee::internal {

/// add_prefab(name, description) -> number, or nil and a message. A Lua C function body; upvalue 1 is the
/// ScriptMod. `description` and each of its `children` are tables with the lists `ids`, `images`,
/// `field_ids`, `field_names`, `field_values`, `removed`, `reference_ids`, `reference_fields`,
/// `reference_parts`; `base` and a child's `prefab` are prefab numbers, or absent; a child may have a `name`.
int add_prefab(lua_State* lua);

/// patch_prefab(name, description): the same description, as changes to the prefab of this name, which may
/// belong to another mod. They are applied when the mod has loaded. Returns true, or nil and a message.
int patch_prefab(lua_State* lua);

/// find_prefab(name) -> number, or nil and the nearest name. Names of other mods are "mod:Name".
int find_prefab(lua_State* lua);

/// load_data(path, only_prefabs) -> prefabs, entities: a list of { name, number } and a list of entities; or
/// nil and a message, and then nothing has changed. Upvalue 1 is the ScriptMod.
int load_data(lua_State* lua);

/// record_load(system, path) -> true, or nil and a message: reads the mod's file now and records that it is
/// loaded at playback. `system` is an address as a number, because compiled code has no light userdata.
/// Upvalue 1 is the ScriptMod.
int record_load(lua_State* lua);

}  // namespace perigee::internal
