// Plain Lua C functions without the trampoline of bind.h: they own nothing that a Lua error could leak.
#include "scripting/sandbox/internal/pattern_api.h"

#include "scripting/base/internal/native_scope.h"
#include "scripting/lua/internal/pattern_matcher.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/state.h"

#include <lua.hpp>

#include <cstring>
#include <string_view>

namespace perigee::internal {

namespace {

constexpr double kMatchStepsPerStep = 16;  // 2 ns against about 30 for an iteration of an interpreted loop
constexpr double kPlainBytesPerStep = 256;

int raise_at_mod(lua_State* lua, const char* message) {
    push_mod_position(lua);
    lua_pushstring(lua, message);
    lua_concat(lua, 2);
    return lua_error(lua);
}

void push_capture(lua_State* lua, const PatternMatcher& matcher, std::size_t i, std::string_view subject,
                  bool is_lenient) {
    const PatternMatcher::Capture& capture = matcher.capture(i);
    if (capture.length == PatternMatcher::kPosition) {
        lua_pushinteger(lua, capture.begin - subject.data() + 1);
    } else if (capture.length == PatternMatcher::kOpen) {
        if (!is_lenient) raise_at_mod(lua, "unfinished capture");
        lua_pushboolean(lua, 0);
    } else {
        lua_pushlstring(lua, capture.begin, static_cast<std::size_t>(capture.length));
    }
}

}  // namespace

int scan(lua_State* lua) {
    const NativeScope scope;
    const std::string_view subject = text_at(lua, 1);
    const char* pattern = lua_tostring(lua, 2);
    const auto from = static_cast<std::size_t>(lua_tonumber(lua, 3)) - 1;
    const char kind = *lua_tostring(lua, 4);
    const bool is_lenient = kind == 'a' || kind == 'o';  // unclosed captures cannot be read
    const bool is_anchored = kind != 'e' && kind != 'a' && *pattern == '^';
    FuelTank& fuel = ScriptState::of(lua).fuel();

    const double most = fuel.left(lua) * kMatchStepsPerStep + kMatchStepsPerStep;
    PatternMatcher matcher(subject, is_anchored ? pattern + 1 : pattern, most, &fuel.stop_flag());
    const auto found = matcher.search(from, is_anchored);
    fuel.spend(lua, (most - matcher.steps_left()) / kMatchStepsPerStep + 1);
    if (matcher.mistake() != nullptr) return raise_at_mod(lua, matcher.mistake());
    if (!found) {
        lua_pushnil(lua);
        return 1;
    }

    int count = 0;
    if (kind != 'm') {
        lua_pushinteger(lua, static_cast<lua_Integer>(found->begin) + 1);
        lua_pushinteger(lua, static_cast<lua_Integer>(found->end));
        count = 2;
    }
    luaL_checkstack(lua, 40, "too many captures");
    const std::size_t captures = matcher.capture_count();
    for (std::size_t i = 0; i < captures; ++i) push_capture(lua, matcher, i, subject, is_lenient);
    if (captures == 0 && kind != 'f') {
        lua_pushlstring(lua, subject.data() + found->begin, found->end - found->begin);
        return count + 1;
    }
    return count + static_cast<int>(captures);
}

int find_plain(lua_State* lua) {
    const NativeScope scope;
    const std::string_view subject = text_at(lua, 1);
    const std::string_view text = text_at(lua, 2);
    const auto from = static_cast<std::size_t>(lua_tonumber(lua, 3)) - 1;
    ScriptState::of(lua).fuel().spend(lua,
                                      static_cast<double>(subject.size() + text.size()) / kPlainBytesPerStep);
    const void* const found = memmem(subject.data() + from, subject.size() - from, text.data(), text.size());
    if (found == nullptr) {
        lua_pushnil(lua);
        return 1;
    }
    const auto first = static_cast<const char*>(found) - subject.data() + 1;
    lua_pushinteger(lua, first);
    lua_pushinteger(lua, first + static_cast<std::ptrdiff_t>(text.size()) - 1);
    return 2;
}

int raise_text(lua_State* lua) { return raise_at_mod(lua, lua_tostring(lua, 1)); }

}  // namespace perigee::internal
