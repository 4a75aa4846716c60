// Reads jit/vmdef.lua in the state that reported the reason, and fills in its texts.
#include "scripting/sandbox/internal/jit_words.h"

#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/embedded_luajit.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <vector>

namespace perigee::internal {

namespace {

constexpr std::size_t kNameBytes = 6;  // of each bytecode in one long text

struct Words {
    bool is_read = false;
    std::vector<std::string> reasons;  ///< with %s or %d for its subject
    std::vector<std::string> functions;
    std::string bytecodes;
};

// Its lists begin with 0.
std::vector<std::string> list_at(lua_State* lua, const char* field) {
    lua_getfield(lua, -1, field);
    std::vector<std::string> list = texts_on_top(lua, 0);
    lua_pop(lua, 1);
    return list;
}

// The locations of LuaJIT's own files. Absolute paths only: a relative one might be a mod's file.
std::vector<std::string> places_of_words(std::string_view search_path) {
    std::vector<std::string> places;
    while (!search_path.empty()) {
        const std::size_t end = std::min(search_path.find(';'), search_path.size());
        std::string place(search_path.substr(0, end));
        search_path.remove_prefix(std::min(end + 1, search_path.size()));
        const std::size_t name = place.find('?');
        if (!place.starts_with('/') || name == place.npos) continue;
        places.push_back(place.replace(name, 1, "jit/vmdef"));
    }
    return places;
}

int loaded_module(lua_State* lua) {
    lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
    lua_pushvalue(lua, 1);
    lua_rawget(lua, -2);
    return 1;
}

int expect_true(lua_State* lua) {
    luaL_argcheck(lua, lua_toboolean(lua, 1) != 0, 1, "another LuaJIT");
    return 1;
}

// For the loaded file on top. It asserts that require("jit").version matches its own, but under these names
// it would find the mod's.
void take_words(lua_State* lua, Words& words) {
    lua_createtable(lua, 0, 2);
    lua_pushcfunction(lua, loaded_module);
    lua_setfield(lua, -2, "require");
    lua_pushcfunction(lua, expect_true);
    lua_setfield(lua, -2, "assert");
    lua_setfenv(lua, -2);
    lua_call(lua, 0, 1);
    words.reasons = list_at(lua, "traceerr");
    words.functions = list_at(lua, "ffnames");
    lua_getfield(lua, -1, "bcnames");
    words.bytecodes = text_at(lua, -1);
}

int read_words(lua_State* lua) {
    auto& words = *static_cast<Words*>(lua_touserdata(lua, 1));
    for (const EmbeddedFile& file : embedded_luajit()) {
        if (luaL_loadbuffer(lua, file.text.data(), file.text.size(), "=vmdef") == 0) {
            take_words(lua, words);
            return 0;
        }
        lua_pop(lua, 1);
    }
    lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(lua, -1, "package");
    lua_getfield(lua, -1, "path");
    for (const std::string& place : places_of_words(text_at(lua, -1))) {
        if (luaL_loadfile(lua, place.c_str()) == 0) {
            take_words(lua, words);
            return 0;
        }
        lua_pop(lua, 1);
    }
    return 0;
}

const Words& words_of(lua_State* lua) {
    static std::mutex mutex;
    static Words words;
    const std::lock_guard lock(mutex);
    if (!words.is_read) {
        words.is_read = true;
        if (lua_cpcall(lua, read_words, &words) != 0) lua_pop(lua, 1);
    }
    return words;
}

std::string about_text(lua_State* lua, const Words& words, int about) {
    if (lua_type(lua, about) == LUA_TNUMBER) {
        const auto at = static_cast<std::size_t>(lua_tointeger(lua, about)) * kNameBytes;
        if (at + kNameBytes > words.bytecodes.size()) return std::string(text_at(lua, about));
        std::string name = words.bytecodes.substr(at, kNameBytes);
        name.resize(name.find_last_not_of(' ') + 1);
        return name;
    }
    if (lua_type(lua, about) != LUA_TFUNCTION) return "?";
    lua_pushvalue(lua, lua_upvalueindex(2));  // jit.util.funcinfo, see JitWatch::attach
    lua_pushvalue(lua, about);
    lua_call(lua, 1, 1);
    lua_getfield(lua, -1, "ffid");
    const auto number = static_cast<std::size_t>(lua_tointeger(lua, -1));
    lua_pop(lua, 2);
    return number < words.functions.size() ? words.functions[number] : "?";
}

}  // namespace

std::string jit_reason(lua_State* lua, int reason, int about) {
    if (lua_type(lua, reason) != LUA_TNUMBER) return std::string(text_at(lua, reason));
    const Words& words = words_of(lua);
    const auto number = static_cast<std::size_t>(lua_tointeger(lua, reason));
    if (number >= words.reasons.size()) return fmt::format("reason {} of LuaJIT", number);
    std::string text = words.reasons[number];
    if (const std::size_t hole = text.find('%'); hole != text.npos)
        text.replace(hole, 2, about_text(lua, words, about));
    return text;
}

}  // namespace perigee::internal
