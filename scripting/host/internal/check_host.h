// The host functions with which scripts/runtime/tools/check.lua records a mod's declarations.
//
//   host.note_system(spec, { file =, line =,
//                            functions = { { word =, file =, first =, last =, captured = { … } } } })
//   host.note_patch(prefab, { file =, line =, given = { { id =, field = } }, taken = { id } })
//
// Not here: the use of these records (scripting/check/source_check.h).
#pragma once

struct lua_State;

namespace perigee::internal {

struct ScriptMod;

/// Adds to the host table on top of the stack. Expects: the runtime keeps declarations.
void extend_host_with_checks(lua_State* lua, ScriptMod& mod);

}  // namespace perigee::internal
