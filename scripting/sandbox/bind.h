// The one place that raises Lua errors from C++.
//
// Invariant: lua_error never unwinds our C++ objects: a bound function returns its error as data, all its
// objects are destroyed by then, and only the trampoline below, which owns nothing, raises it. C++ exceptions
// become Lua errors with their text; there is no catch (...), because a Lua error in flight must not be
// stopped. For rare calls; hot calls go through native_module.h.
#pragma once

#include "scripting/base/error_codes.h"
#include "scripting/base/internal/native_scope.h"

#include <lua.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// A bound function returns the number of results that it pushed, or kRaise after pushing a message.
inline constexpr int kRaise = -1;

inline void push_text(lua_State* state, std::string_view text) {
    lua_pushlstring(state, text.data(), text.size());
}

inline int raise(lua_State* state, std::string_view message) {
    push_text(state, message);
    return kRaise;
}

/// Charges fuel for text arguments by their length, before they are read; short texts are free. Errors: a Lua
/// error when there is not enough fuel. Expects: for long texts, the state of a ScriptState.
void charge_texts(lua_State* state);

/// Pushes the prefix of a message: "game/main.lua:12: " for the innermost line of mod code, "" when there is
/// none.
void push_place_of_mod(lua_State* state);

/// Function is int(lua_State*). It may own C++ objects, as long as no Lua call that can fail happens while an
/// object with an important destructor exists (destructors do run, since LuaJIT unwinds externally here, but
/// no other C++ code does).
template <int (*Function)(lua_State*)> int bound(lua_State* state) {
    const internal::NativeScope scope;
    charge_texts(state);
    int pushed = 0;
    try {
        pushed = Function(state);
    } catch (const std::bad_alloc&) {
        push_text(state, messages::kNoMemory);
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

/// The texts of the table on top, from this index up to the first entry that is not a text; nothing if it is
/// not a table.
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
