// The one place that raises Lua errors from C++.
//
// Invariant: lua_error never unwinds a C++ object of ours: a bound function returns its error as data, all
// its objects are gone by then, and only the trampoline below, which owns nothing, raises it. C++ exceptions
// become Lua errors with their text; there is no catch (...), because a Lua error on its way through is not
// ours to stop. For calls that are rare. Hot calls go through native_module.h.
#pragma once

#include "scripting/error_codes.h"
#include "scripting/internal/native_scope.h"

#include <lua.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// What a bound function returns: how many results it pushed, or kRaise when it pushed a message instead.
inline constexpr int kRaise = -1;

inline int raise(lua_State* state, std::string_view message) {
    lua_pushlstring(state, message.data(), message.size());
    return kRaise;
}

/// Texts among the arguments cost fuel by their length, before anything looks at them; short ones nothing.
/// Errors: a Lua error, when there is not so much left. Expects: the state of a ScriptState, for long ones.
void charge_texts(lua_State* state);

/// Pushes "game/main.lua:12: " of the innermost line of mod code, "" when none is below: what a message
/// begins with.
void push_place_of_mod(lua_State* state);

/// Function is int(lua_State*). It may own C++ objects, as long as no Lua call that can fail happens while
/// one with an important destructor lives (destructors do run, LuaJIT unwinds externally here, but nothing
/// else of C++ does).
template <int (*Function)(lua_State*)> int bound(lua_State* state) {
    const internal::NativeScope scope;
    charge_texts(state);
    int pushed = 0;
    try {
        pushed = Function(state);
    } catch (const std::bad_alloc&) {
        lua_pushlstring(state, messages::kNoMemory.data(), messages::kNoMemory.size());
        pushed = kRaise;
    } catch (const std::exception& exception) {
        lua_pushstring(state, exception.what());
        pushed = kRaise;
    }
    if (pushed != kRaise) return pushed;
    push_place_of_mod(state);
    lua_insert(state, -2);
    lua_concat(state, 2);
    return lua_error(state);
}

inline std::string_view text_at(lua_State* state, int index) {
    std::size_t size = 0;
    const char* text = lua_tolstring(state, index, &size);
    return text != nullptr ? std::string_view(text, size) : std::string_view();
}

/// The texts of the table on top, from this index to the first entry that is none; nothing when it is no
/// table.
inline std::vector<std::string> texts_on_top(lua_State* state, int first = 1) {
    std::vector<std::string> texts;
    for (int i = first; lua_istable(state, -1); ++i) {
        lua_rawgeti(state, -1, i);
        const bool is_text = lua_type(state, -1) == LUA_TSTRING;
        if (is_text) texts.emplace_back(text_at(state, -1));
        lua_pop(state, 1);
        if (!is_text) break;
    }
    return texts;
}

}  // namespace perigee
