// Read while files load, so the lists are searched from the front.
#include "scripting/sandbox/internal/library_constants.h"

#include "ecs/archetype/chunk_layout.h"
#include "scripting/base/script_limits.h"
#include "scripting/lua/fuel_rewriter.h"
#include "scripting/lua/luajit_version.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/fuel_tank.h"

#include <lua.hpp>

#include <algorithm>

namespace perigee::internal {

namespace {

void push(lua_State* lua, double number) { lua_pushnumber(lua, number); }
void push(lua_State* lua, std::string_view text) { push_text(lua, text); }
void push(lua_State* lua, const ScriptConstant::Words& words) {
    lua_createtable(lua, static_cast<int>(words.size()), 0);
    int number = 0;
    for (const std::string_view word : words) {
        push_text(lua, word);
        lua_rawseti(lua, -2, ++number);
    }
}
void push(lua_State* lua, const ScriptConstant::Ranges& ranges) {
    lua_createtable(lua, 0, static_cast<int>(ranges.size()));
    for (const ScriptConstant::Range& range : ranges) {
        push_text(lua, range.name);
        lua_createtable(lua, 2, 0);
        lua_pushnumber(lua, range.low);
        lua_rawseti(lua, -2, 1);
        lua_pushnumber(lua, range.high);
        lua_rawseti(lua, -2, 2);
        lua_rawset(lua, -3);
    }
}

}  // namespace

std::span<const ScriptConstant> library_constants() {
    static const std::vector<ScriptConstant> constants{
        {"max_source_bytes", kMaxSourceBytes},
        {"max_name_bytes", kMaxNameBytes},
        {"max_table_depth", kMaxTableDepth},
        {"max_chunk_rows", kMaxChunkRows},
        {"unconnected_fuel", kUnconnectedFuel},
        {"runtime_files", std::string_view(kRuntimeFiles)},
        {"keeps_numbers_of_bits", keeps_numbers_of_bits() ? 1 : 0},
    };
    return constants;
}

bool push_constant(lua_State* lua, std::span<const ScriptConstant> constants, std::string_view name) {
    const auto found = std::ranges::find(constants, name, &ScriptConstant::name);
    if (found == constants.end()) return false;
    std::visit([lua](const auto& value) { push(lua, value); }, found->value);
    return true;
}

}  // namespace perigee::internal
