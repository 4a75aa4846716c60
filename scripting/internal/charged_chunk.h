// The one way in for source text of mods: compiled as it stands, then charged with fuel, then joined to the
// state's counter.
//
// Invariant: no function of a mod comes from anywhere else, so none has loops that are not counted; and the
// text that is charged has passed LuaJIT's own parser, whose messages the mod sees. Not here: the engine's
// own files.
#pragma once

#include <string_view>

struct lua_State;
struct lua_Debug;

namespace perigee::internal {

/// Pushes the program as a function of `...`, or a message. Text only. Errors: raises for lack of memory or
/// fuel.
bool load_charged(lua_State* lua, std::string_view text, const char* chunk_name);

/// Has text been loaded into this state that names a variable `state`? It may be one of its own.
bool mentions_state(lua_State* lua);

/// Is the function of this frame a program as load_charged made it?
bool is_whole_file(lua_State* lua, lua_Debug& frame);

/// What the names of the engine's own chunks begin with, behind '=': no file of a mod has such a path, so a
/// message that begins with it was raised by the library itself.
inline constexpr char kRuntimeFiles[] = "perigee//";

/// Is it of a mod? The "S" of lua_getinfo is filled in. Chunks of mods are named "@mod/file", those of the
/// engine "=perigee//file".
bool is_mod_code(const lua_Debug& frame) noexcept;

/// Pushes "mod/file:12: " of the innermost frame of mod code, "" when there is none.
void push_mod_position(lua_State* lua);

}  // namespace perigee::internal
