// What the engine's string library calls in C++: searching by pattern and for plain text, with fuel charged
// by the work that it takes. Errors stand at the mod's own line. Not here: captures put into replacements
// (scripts/runtime/pattern.lua).
#pragma once

struct lua_State;

namespace perigee::internal {

/// scan(subject, pattern, from, kind): kind "find" gives first, last, captures; "match" the captures, or the
/// whole match when there are none; "each" first, last, and what "match" gives; "all" and "once" the same,
/// and captures that are not closed are false instead of an error. nil when nothing matches. Expects:
/// strings, and 1 <= from <= #subject + 1. A '^' in front anchors, but not for "each" and "all".
int scan(lua_State* lua);

/// find_plain(subject, text, from): first and last, or nil. Cost: linear in both lengths.
int find_plain(lua_State* lua);

/// raise(message): an error at the mod's own line.
int raise_text(lua_State* lua);

}  // namespace perigee::internal
