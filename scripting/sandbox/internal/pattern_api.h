// C++ functions for the engine's string library: searching by pattern and for plain text, with fuel charged
// by the work done. Errors are reported at the mod's own line. Not here: captures in replacements
// (scripts/runtime/sandbox/pattern.lua).
#pragma once

struct lua_State;

namespace perigee::internal {

/// scan(subject, pattern, from, kind): kind "find" gives first, last, captures; "match" the captures, or the
/// whole match when there are none; "each" first, last, and the results of "match"; "all" and "once" the
/// same, except that unclosed captures are false instead of an error. nil when nothing matches. Expects:
/// strings, and 1 <= from <= #subject + 1. A leading '^' anchors, except for "each" and "all".
int scan(lua_State* lua);

/// find_plain(subject, text, from): first and last, or nil. Cost: linear in both lengths.
int find_plain(lua_State* lua);

/// raise(message): an error at the mod's own line.
int raise_text(lua_State* lua);

}  // namespace perigee::internal
