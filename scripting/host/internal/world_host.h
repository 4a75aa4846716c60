// The functions of the `host` table for scripts/runtime/ecs.lua and its parts: declaring types, systems and
// prefabs, looking up names. These are rare calls; the hot ones are in world_api.h.
//
//   host.world, host.cell                     addresses of shared memory
//   host.memory_types()                       its types in C, see scripting/views/lua_memory.h
//   host.secret()                             a name that cannot be guessed
//   host.component_id(name)                   number, or nil and a suggestion
//   host.describe(id)                         see schema_from_lua.h
//   host.declare(schema)                      number, or nil and what is wrong
//   host.build_blob(type, rows as bytes)      handle, or nil and what is wrong
//   host.schema_json(type)                    the schema as text
//   host.make_system(spec)                    addresses of its memory, its views, its chunk
//   host.finish_system(memory, spec, chunk, ctx)   true, or nil and what is wrong; finish_group: the same
//   host.add_query(description)               address, or nil and what is wrong
//   host.refusal(system, id, for_all)         why its commands about a component are refused
//   host.add_prefab, load_data, record_load   see prefab_host.h
//   host.keep(function)                       registry slot
//   host.stats(), host.shared_values(id)      figures of the world
//   host.color(text)                          number 0xRRGGBBAA, or nil and what is wrong
//   host.asset_handle(path)                   number, or nil and what is wrong
//   host.asset_path(handle)                   text, or nothing
#pragma once

struct lua_State;

namespace perigee::internal {

struct ScriptMod;

/// Expects the host table on top of the stack.
void extend_host(lua_State* lua, ScriptMod& mod);

}  // namespace perigee::internal
