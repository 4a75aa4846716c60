// The only entry for mod source: it is compiled unchanged, then rewritten to charge fuel, then connected to
// the state's counter.
//
// Invariant: every function of a mod is loaded here, so no loop is uncounted. The rewritten text has passed
// LuaJIT's own parser first, and the mod sees the parser's messages. Not here: the engine's own files.
#pragma once

#include <string_view>

struct lua_State;
struct lua_Debug;

namespace perigee::internal {

/// Pushes the program as a function of `...`, or a message. Text only. Errors: raises when memory or fuel
/// runs out.
bool load_charged(lua_State* lua, std::string_view text, const char* chunk_name);

/// True if loaded text names a variable `state`, possibly its own.
bool mentions_state(lua_State* lua);

/// True if the function of this frame is a whole program made by load_charged.
bool is_whole_file(lua_State* lua, lua_Debug& frame);

/// Prefix of the names of the engine's own chunks, after '='. No file of a mod has such a path, so a message
/// with this prefix was raised by the library itself.
inline constexpr char kRuntimeFiles[] = "perigee//";

/// True for mod code. Expects: filled by lua_getinfo with "S". Chunks of mods are named "@mod/file", those of
/// the engine "=perigee//file".
bool is_mod_code(const lua_Debug& frame) noexcept;

/// Pushes "mod/file:12: " for the innermost frame of mod code, "" when there is none.
void push_mod_position(lua_State* lua);

}  // namespace perigee::internal
