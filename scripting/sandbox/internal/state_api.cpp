// Rare calls only, so plain Lua C functions with the trampoline of bind.h.
#include "scripting/sandbox/internal/state_api.h"

#include "ecs/base/suggest.h"
#include "ecs/schema/registry.h"
#include "scripting/base/error_codes.h"
#include "scripting/lua/internal/lua_lexer.h"
#include "scripting/lua/internal/number_sort.h"
#include "scripting/lua/internal/random_api.h"
#include "scripting/lua/love_names.h"
#include "scripting/lua/reserved_names.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/embedded_runtime.h"
#include "scripting/sandbox/internal/library_constants.h"
#include "scripting/sandbox/internal/pattern_api.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace perigee::internal {

namespace {

// Pushes the function of a file. Raises on failure: no memory, or a LuaJIT that does not know the bytecode.
void push_compiled(lua_State* lua, const EmbeddedFile& file, const char* name) {
    const char* chunk_name = lua_pushfstring(lua, "=%s%s.lua", kRuntimeFiles, name);
    if (luaL_loadbufferx(lua, file.text.data(), file.text.size(), chunk_name, "b") != 0) lua_error(lua);
    lua_remove(lua, -2);
}

// The file of this name, in any folder: names are unique. nullptr if there is none.
const EmbeddedFile* find_runtime_file(std::string_view name) {
    for (const EmbeddedFile& file : embedded_runtime()) {
        const std::string_view own_name = file.name.substr(file.name.rfind('/') + 1);
        if (own_name.size() == name.size() + 4 && own_name.starts_with(name)) return &file;
    }
    return nullptr;
}

// Raises a Lua error when the engine has no such file.
const EmbeddedFile& runtime_file_named(lua_State* lua, std::string_view name) {
    if (const EmbeddedFile* const found = find_runtime_file(name)) return *found;
    luaL_error(lua, "the engine has no Lua file '%s'", std::string(name).c_str());
    std::abort();  // not reached
}

int runtime_file(lua_State* lua) {
    const char* const name = luaL_checkstring(lua, 1);
    if (find_runtime_file(name) == nullptr) return 0;
    push_runtime_file(lua, name);
    return 1;
}

int compile(lua_State* lua) {
    if (!load_charged(lua, text_at(lua, 1), lua_tostring(lua, 2))) {
        lua_pushnil(lua);
        lua_insert(lua, -2);
        return 2;
    }
    lua_pushvalue(lua, 3);
    lua_setfenv(lua, -2);
    return 1;
}

int says_state(lua_State* lua) {
    lua_pushboolean(lua, mentions_state(lua) ? 1 : 0);
    return 1;
}

int read_file(lua_State* lua) {
    const ScriptState& state = ScriptState::of(lua);
    const Result<std::string> text = state.read(text_at(lua, 1));
    lua_settop(lua, 0);
    if (text) {
        push_text(lua, text.value());
        return 1;
    }
    lua_pushnil(lua);
    lua_pushstring(lua, text.error().message.c_str());
    return 2;
}

// The error for a mod's own file of this name, which require would never return; nil if there is none.
int reserved_file(lua_State* lua) {
    const ScriptState& state = ScriptState::of(lua);
    const std::string path = std::string(text_at(lua, 1)) + ".lua";
    const std::string why = why_reserved(path, state.reserved_names());
    lua_settop(lua, 0);
    if (why.empty() || !state.read(path)) return 0;
    lua_pushstring(lua, why.c_str());
    return 1;
}

// The replacement for a LÖVE callback, or for a function of LÖVE where one of a module here is expected; or
// nil.
int instead_of(lua_State* lua) {
    const std::string_view name = text_at(lua, 1);
    const bool is_of_module = lua_type(lua, 2) == LUA_TSTRING;
    if (!is_of_module && !is_love_callback(name)) return 0;
    const std::string_view instead =
        is_of_module ? instead_of_love(text_at(lua, 2), name) : instead_of_love(name);
    if (instead.empty()) return 0;
    push_text(lua, instead);
    return 1;
}

// How often a name occurs in a file of the mod.
int count_word(lua_State* lua) {
    const Result<std::string> text = ScriptState::of(lua).read(text_at(lua, 1));
    int count = 0;
    if (text) {
        LuaLexer lexer{text.value()};
        for (LuaToken token = lexer.next();
             token.kind != LuaTokenKind::end && token.kind != LuaTokenKind::broken; token = lexer.next())
            if (token.kind == LuaTokenKind::name && token.text == text_at(lua, 2)) ++count;
    }
    lua_pushinteger(lua, count);
    return 1;
}

// The texts of a list, which keeps them alive.
std::vector<std::string_view> texts_at(lua_State* lua, int index) {
    std::vector<std::string_view> texts;
    for (int i = 1;; ++i) {
        lua_rawgeti(lua, index, i);
        if (lua_type(lua, -1) != LUA_TSTRING) break;
        texts.push_back(text_at(lua, -1));
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return texts;
}

int nearest(lua_State* lua) {
    push_text(lua, nearest_name(text_at(lua, 1), texts_at(lua, 2)));
    return 1;
}

int suggestion(lua_State* lua) {
    push_text(lua, did_you_mean_or_all(text_at(lua, 1), texts_at(lua, 2)));
    return 1;
}

// The first string key of a table, in alphabetical order, that is no key of another one; nil if there is
// none.
int unknown_key(lua_State* lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 2);
    bool is_found = false;
    std::string_view first;
    for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1)) {
        if (lua_type(lua, 3) != LUA_TSTRING) continue;
        const std::string_view key = text_at(lua, 3);
        if (is_found && !(key < first)) continue;
        lua_pushvalue(lua, 3);
        lua_rawget(lua, 2);
        const bool is_known = lua_toboolean(lua, -1) != 0;
        lua_pop(lua, 1);
        if (is_known) continue;
        is_found = true;
        first = key;
    }
    if (is_found) push_text(lua, first);
    return is_found ? 1 : 0;
}

int log_line(lua_State* lua) {
    const std::string_view level = text_at(lua, 1);
    const LogLevel parsed = level == "error"     ? LogLevel::error
                            : level == "warning" ? LogLevel::warning
                                                 : LogLevel::info;
    ScriptState::of(lua).log_from_mod(parsed, text_at(lua, 2));
    return 0;
}

std::span<const NativeFunction> functions_of(const ScriptStateConfig& config, std::string_view module) {
    for (const NativeModule& candidate : config.modules)
        if (candidate.name == module) return candidate.functions;
    return {};
}

// Bound one by one: binding all of them would take most of a small mod's memory.
int native(lua_State* lua) {
    static const std::vector<NativeFunction> random = random_functions();
    static const std::vector<NativeFunction> sorting = number_sort_functions();
    const auto& config = *static_cast<const ScriptStateConfig*>(lua_touserdata(lua, lua_upvalueindex(1)));
    const std::string_view name = text_at(lua, 1);
    const auto push = [&](std::span<const NativeFunction> functions) {
        const auto found = std::ranges::find(functions, name, &NativeFunction::name);
        if (found == functions.end()) return false;
        push_text(lua, found->type);
        lua_pushlightuserdata(lua, found->address);
        return true;
    };
    if (lua_isstring(lua, 2) != 0) return push(functions_of(config, text_at(lua, 2))) ? 2 : 0;
    return push(config.library) || push(random) || push(sorting) ? 2 : 0;
}

int constant(lua_State* lua) {
    const auto& config = *static_cast<const ScriptStateConfig*>(lua_touserdata(lua, lua_upvalueindex(1)));
    const std::string_view name = text_at(lua, 1);
    if (lua_isstring(lua, 2) != 0) {
        const auto of =
            std::ranges::find(config.modules, text_at(lua, 2), [](const NativeModule& m) { return m.name; });
        if (of != config.modules.end() && push_constant(lua, of->constants, name)) return 1;
    } else if (push_constant(lua, library_constants(), name) || push_constant(lua, config.constants, name)) {
        return 1;
    }
    return raise(lua, fmt::format(messages::kNoConstant, name));
}

void push_modules(lua_State* lua, std::span<const NativeModule> modules) {
    lua_newtable(lua);
    for (const NativeModule& module : modules) {
        lua_pushlightuserdata(lua, module.context);
        lua_setfield(lua, -2, module.name.c_str());
    }
}

template <int (*Function)(lua_State*)> void set_function(lua_State* lua, const char* name) {
    lua_pushcfunction(lua, bound<Function>);
    lua_setfield(lua, -2, name);
}

}  // namespace

void push_runtime_file(lua_State* lua, const char* name) {
    push_compiled(lua, runtime_file_named(lua, name), name);
    // A file included later runs when the thread already has the mod's environment.
    lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(lua, -1, "_G");
    lua_setfenv(lua, -3);
    lua_pop(lua, 1);
}

void push_host(lua_State* lua, const ScriptStateConfig& config, Random* random) {
    lua_newtable(lua);
    push_text(lua, config.mod);
    lua_setfield(lua, -2, "mod");
    lua_pushboolean(lua, config.is_trusted ? 1 : 0);
    lua_setfield(lua, -2, "is_trusted");
    lua_pushlightuserdata(lua, random);
    lua_setfield(lua, -2, "random");
    lua_pushthread(lua);
    lua_setfield(lua, -2, "main_thread");  // stock Lua 5.1 has no name for it
    lua_pushlightuserdata(lua, const_cast<ScriptStateConfig*>(&config));
    lua_pushcclosure(lua, bound<native>, 1);
    lua_setfield(lua, -2, "native");
    lua_pushlightuserdata(lua, const_cast<ScriptStateConfig*>(&config));
    lua_pushcclosure(lua, bound<constant>, 1);
    lua_setfield(lua, -2, "constant");
    push_modules(lua, config.modules);
    lua_setfield(lua, -2, "modules");
    lua_createtable(lua, static_cast<int>(config.modules.size()), 0);
    for (std::size_t i = 0; i < config.modules.size(); ++i) {
        static_cast<void>(runtime_file_named(lua, config.modules[i].name));
        lua_pushstring(lua, config.modules[i].name.c_str());
        lua_rawseti(lua, -2, static_cast<int>(i) + 1);
    }
    lua_setfield(lua, -2, "module_names");
    if (config.extend_host) config.extend_host(lua);
    set_function<runtime_file>(lua, "runtime_file");
    set_function<compile>(lua, "compile");
    set_function<read_file>(lua, "read_file");
    set_function<says_state>(lua, "mentions_state");
    set_function<reserved_file>(lua, "reserved_file");
    set_function<instead_of>(lua, "instead_of_love");
    set_function<count_word>(lua, "count_word");
    set_function<nearest>(lua, "nearest");
    set_function<suggestion>(lua, "suggestion");
    set_function<unknown_key>(lua, "unknown_key");
    set_function<log_line>(lua, "log");
    lua_pushcfunction(lua, scan);
    lua_setfield(lua, -2, "scan");
    lua_pushcfunction(lua, find_plain);
    lua_setfield(lua, -2, "find_plain");
    lua_pushcfunction(lua, raise_text);
    lua_setfield(lua, -2, "raise");
}

}  // namespace perigee::internal
