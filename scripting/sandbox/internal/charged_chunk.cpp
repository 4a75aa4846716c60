// Lua calls that may raise are made only where no C++ object with an important destructor exists.
#include "scripting/sandbox/internal/charged_chunk.h"

#include "scripting/base/error_codes.h"
#include "scripting/lua/fuel_rewriter.h"
#include "scripting/lua/internal/lua_lexer.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/state.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace perigee::internal {

namespace {

constexpr double kStepsPerByte = 4;
const char kStateKey = 0;     // its address is the registry key of whether `state` was named
const char kProgramsKey = 0;  // its address is the registry key of the set of programs, weak in its keys

void push_programs(lua_State* lua) {
    lua_pushlightuserdata(lua, const_cast<char*>(&kProgramsKey));
    lua_rawget(lua, LUA_REGISTRYINDEX);
    if (lua_istable(lua, -1)) return;
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_createtable(lua, 0, 1);
    lua_pushliteral(lua, "k");
    lua_setfield(lua, -2, "__mode");
    lua_setmetatable(lua, -2);
    lua_pushlightuserdata(lua, const_cast<char*>(&kProgramsKey));
    lua_pushvalue(lua, -2);
    lua_rawset(lua, LUA_REGISTRYINDEX);
}

void push_message(lua_State* lua, const char* chunk_name, std::ptrdiff_t line, std::string_view message) {
    const std::string whole = fmt::format("{}:{}: {}", chunk_name + 1, line, message);
    push_text(lua, whole);
}

// The line of a loop over nil, 0 when there is none. LuaJIT's parser guesses the iterated value from an
// instruction that does not exist, and can crash (its issues 1033 and 1054).
std::ptrdiff_t loop_over_nil(std::string_view text) {
    LuaLexer lexer(text);
    bool is_after_in = false;
    for (LuaToken token = lexer.next(); token.kind != LuaTokenKind::end && token.kind != LuaTokenKind::broken;
         token = lexer.next()) {
        if (is_after_in && token.is("nil"))
            return 1 +
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(token.begin), '\n');
        is_after_in = token.is("in") || (is_after_in && token.is("("));
    }
    return 0;
}

// True if there is a name `state` that is not a field. It may be the mod's own variable.
bool may_mean_state(std::string_view text) {
    constexpr std::string_view kName = "state";
    if (text.find(kName) == text.npos) return false;
    LuaLexer lexer(text);
    bool is_field = false;
    for (LuaToken token = lexer.next(); token.kind != LuaTokenKind::end && token.kind != LuaTokenKind::broken;
         token = lexer.next()) {
        if (!is_field && token.kind == LuaTokenKind::name && token.text == kName) return true;
        is_field = token.is(".") || token.is(":");
    }
    return false;
}

bool compile(lua_State* lua, std::string_view text, const char* chunk_name) {
    if (const std::ptrdiff_t line = loop_over_nil(text); line != 0) {
        push_message(lua, chunk_name, line, messages::kLoopOverNil);
        return false;
    }
    return luaL_loadbufferx(lua, text.data(), text.size(), chunk_name, "t") == 0;
}

}  // namespace

bool mentions_state(lua_State* lua) {
    lua_pushlightuserdata(lua, const_cast<char*>(&kStateKey));
    lua_rawget(lua, LUA_REGISTRYINDEX);
    const bool mentions = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return mentions;
}

bool load_charged(lua_State* lua, std::string_view text, const char* chunk_name) {
    if (may_mean_state(text)) {
        lua_pushlightuserdata(lua, const_cast<char*>(&kStateKey));
        lua_pushboolean(lua, 1);
        lua_rawset(lua, LUA_REGISTRYINDEX);
    }
    FuelTank& fuel = ScriptState::of(lua).fuel();
    if (!fuel.limits().counts_fuel) return compile(lua, text, chunk_name);
    const FuelNames& names = FuelNames::of_process();
    Result<ChargedSource> charged = charge_source(text, names);
    const double steps = charged ? charged.value().compile_steps : 0;
    fuel.spend(lua, static_cast<double>(text.size()) * kStepsPerByte + steps);
    if (text.size() > kMaxSourceBytes) {
        push_message(lua, chunk_name, 1, charged.error().message);
        return false;
    }
    if (!compile(lua, text, chunk_name)) return false;
    lua_pop(lua, 1);
    if (!charged) {
        push_message(lua, chunk_name, 1, charged.error().message);
        return false;
    }
    if (!compile(lua, charged.value().text, chunk_name)) {
        const std::string message = fmt::format(messages::kNotCompiledCharged, lua_tostring(lua, -1));
        lua_pop(lua, 1);
        push_text(lua, message);
        return false;
    }
    lua_pushinteger(lua, 0);
    fuel.push_charge(lua);
    lua_call(lua, 2, 1);
    fuel.join(lua, names.counter.c_str());

    push_programs(lua);
    lua_pushvalue(lua, -2);
    lua_pushboolean(lua, 1);
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
    return true;
}

bool is_whole_file(lua_State* lua, lua_Debug& frame) {
    if (*frame.what == 'm') return true;
    push_programs(lua);
    lua_getinfo(lua, "f", &frame);
    lua_rawget(lua, -2);
    const bool is_program = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 2);
    return is_program;
}

bool is_mod_code(const lua_Debug& frame) noexcept { return frame.source[0] == '@'; }

void push_mod_position(lua_State* lua) {
    lua_Debug frame;
    int level = 0;
    for (; lua_getstack(lua, level, &frame) != 0; ++level) {
        lua_getinfo(lua, "S", &frame);
        if (is_mod_code(frame)) break;
    }
    luaL_where(lua, level);
}

}  // namespace perigee::internal
