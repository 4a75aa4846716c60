// The FFI of a mod's state sees each type of the header with the size and the offsets that the compiler gave
// it.
#include "scripting/views/lua_memory.h"

#include "scripting/views/internal/embedded_memory.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace perigee {
namespace {

struct Place {
    const char* type;
    const char* field;
    std::size_t bytes;
};

#define FIELD(type, field) \
    Place { #type, #field, offsetof(type, field) }

const Place kPlaces[] = {
    FIELD(perigee_view, address),
    FIELD(perigee_view, count),
    FIELD(perigee_view, first_row),
    FIELD(perigee_view, epoch),
    FIELD(perigee_view, self),
    FIELD(perigee_view, mask),
    FIELD(perigee_lent, start),
    FIELD(perigee_lent, count),
    FIELD(perigee_lent, first_row),
    FIELD(perigee_lent, epoch),
    FIELD(perigee_lent, self),
    FIELD(perigee_lent, mask),
    FIELD(perigee_lent_short, start),
    FIELD(perigee_lent_short, count),
    FIELD(perigee_lent_short, high),
    FIELD(perigee_lent_short, first_row),
    FIELD(perigee_lent_short, epoch),
    FIELD(perigee_chunk, count),
    FIELD(perigee_chunk, index),
    FIELD(perigee_chunk, first_row),
    FIELD(perigee_chunk, runs),
    FIELD(perigee_chunk, rows),
    FIELD(perigee_chunk, views),
    FIELD(perigee_chunk, run_limit),
    FIELD(perigee_chunk, reserved),
    FIELD(perigee_system, dt),
    FIELD(perigee_system, tick),
    FIELD(perigee_system, time),
    FIELD(perigee_system, alpha),
    FIELD(perigee_system, epoch),
    FIELD(perigee_system, open_jobs),
    FIELD(perigee_system, may_command),
    FIELD(perigee_system, random),
    FIELD(perigee_system, system),
    FIELD(perigee_state, outside_epoch),
    FIELD(perigee_state, phase),
    FIELD(perigee_state, error_row),
    FIELD(perigee_state, is_presentation),
    FIELD(perigee_state, error_length),
    FIELD(perigee_state, lent_rows),
    FIELD(perigee_state, sorted_keys),
    FIELD(perigee_state, lent_rows_of),
    FIELD(perigee_buffer, heap),
    FIELD(perigee_buffer, length),
    FIELD(perigee_buffer, heap_capacity),
    FIELD(perigee_object, number),
    FIELD(perigee_object, text),
    FIELD(perigee_object, length),
    FIELD(perigee_object, kind),
    FIELD(perigee_object, reference),
    FIELD(perigee_object, reserved),
    FIELD(perigee_change, component),
    FIELD(perigee_change, value),
};

#undef FIELD

const Place kSizes[] = {
    {"perigee_view", "", sizeof(perigee_view)},     {"perigee_lent", "", sizeof(perigee_lent)},
    {"perigee_chunk", "", sizeof(perigee_chunk)},   {"perigee_lent_short", "", sizeof(perigee_lent_short)},
    {"perigee_system", "", sizeof(perigee_system)}, {"perigee_state", "", sizeof(perigee_state)},
    {"perigee_buffer", "", sizeof(perigee_buffer)}, {"perigee_object", "", sizeof(perigee_object)},
    {"perigee_change", "", sizeof(perigee_change)},
};

// ffi.sizeof(type), or ffi.offsetof(type, field); -1 for what the FFI does not know.
double bytes_in_lua(lua_State* lua, const Place& place) {
    lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(lua, -1, "ffi");
    const bool is_size = *place.field == '\0';
    lua_getfield(lua, -1, is_size ? "sizeof" : "offsetof");
    lua_pushstring(lua, place.type);
    if (!is_size) lua_pushstring(lua, place.field);
    const bool is_known = lua_pcall(lua, is_size ? 1 : 2, 1, 0) == 0;
    const double bytes = is_known && lua_isnumber(lua, -1) != 0 ? lua_tonumber(lua, -1) : -1;
    lua_pop(lua, 3);
    return bytes;
}

TEST_CASE("C++ and Lua agree about each field of the memory that they share") {
    ScriptWorld game;
    REQUIRE(game.load("", "local ecs = require 'ecs'") == "");
    lua_State* const lua = game.runtime->state("game")->lua();
    for (const Place& place : kPlaces) {
        INFO(place.type << "." << place.field);
        CHECK(bytes_in_lua(lua, place) == static_cast<double>(place.bytes));
    }
    for (const Place& place : kSizes) {
        INFO(place.type);
        CHECK(bytes_in_lua(lua, place) == static_cast<double>(place.bytes));
    }
    CHECK(bytes_in_lua(lua, {"perigee_view", "nothing", 0}) == -1);
}

TEST_CASE("every type of the embedded header is compared") {
    REQUIRE(embedded_memory().size() == 1);
    const std::string_view text = embedded_memory().front().text;
    std::size_t types = 0;
    for (std::size_t at = text.find("\n} perigee_"); at != text.npos;
         at = text.find("\n} perigee_", at + 1)) {
        const std::string_view rest = text.substr(at + 3);
        const std::string_view name = rest.substr(0, rest.find(';'));
        INFO(name);
        ++types;
        bool is_compared = false;
        for (const Place& place : kSizes) is_compared = is_compared || place.type == name;
        CHECK(is_compared);
    }
    CHECK(types == std::size(kSizes));
}

}  // namespace
}  // namespace perigee
