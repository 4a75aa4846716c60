// Fuel for text arguments of bound functions, and the position of their errors.
#include "scripting/sandbox/bind.h"

#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/state.h"

namespace perigee {

namespace {

// As the library functions of scripts/runtime/sandbox/charged.lua.
constexpr std::size_t kFreeBytes = 4096;
constexpr std::size_t kBytesPerStep = 256;

}  // namespace

void charge_texts(lua_State* state) {
    std::size_t bytes = 0;
    for (int index = lua_gettop(state); index > 0; --index)
        if (lua_type(state, index) == LUA_TSTRING) bytes += lua_objlen(state, index);
    if (bytes > kFreeBytes) {
        const std::size_t steps = bytes / kBytesPerStep;
        ScriptState::of(state).fuel().spend(state, static_cast<double>(steps));
    }
}

void push_place_of_mod(lua_State* state) { internal::push_mod_position(state); }

}  // namespace perigee
