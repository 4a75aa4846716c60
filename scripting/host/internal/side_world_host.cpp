// Lua C functions with the trampoline of bind.h; upvalue 1 is the ScriptMod.
#include "scripting/host/internal/side_world_host.h"

#include "scripting/base/error_codes.h"
#include "scripting/host/internal/service_call.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/side_world.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/fuel_tank.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perigee::internal {

namespace {

// Steps of fuel. What its systems use is charged to the mod's step (SideWorlds::step).
constexpr double kStepsPerSide = 100'000;
constexpr double kStepsPerSideStep = 1000;
constexpr double kStepsPerMessage = 50;
constexpr double kStepsPerMessageByte = 1.0 / 64;
constexpr double kStepsPerMoved = 100;

void spend(lua_State* lua, double steps) { ScriptState::of(lua).fuel().spend(lua, steps); }

SideWorlds& worlds_of(const ScriptMod& mod) { return mod.runtime.side_worlds(); }

// side_world.lua has asked whether it exists.
SideWorld& side_at(lua_State* lua, const ScriptMod& mod) {
    SideWorld* const side = worlds_of(mod).find(static_cast<std::uint32_t>(lua_tointeger(lua, 1)));
    ECS_EXPECTS(side != nullptr && &side->maker() == &mod);
    return *side;
}

// The worlds of the state that made argument 1, and whether it is the maker of this one.
struct Way {
    SideWorlds& worlds;
    SideWorld& side;
    bool is_outward;
};
Way way_at(lua_State* lua, const ScriptMod& mod) {
    SideWorld* const own = mod.runtime.config().side;
    if (own == nullptr) return {worlds_of(mod), side_at(lua, mod), false};
    return {worlds_of(own->maker()), *own, true};
}

// name, file, seed or nil -> number.
int make_side(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    spend(lua, kStepsPerSide);
    const std::optional<double> seed =
        lua_isnil(lua, 3) ? std::nullopt : std::optional<double>(lua_tonumber(lua, 3));
    const Result<std::uint32_t> made =
        worlds_of(mod).find_or_make(mod, text_at(lua, 1), text_at(lua, 2), seed);
    if (!made) return nil_and_message(lua, made.error().message);
    lua_pushnumber(lua, made.value());
    return 1;
}

// name -> number; nothing when there is none.
int find_side(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const SideWorld* const side = worlds_of(mod).find(mod, text_at(lua, 1));
    if (side == nullptr) return 0;
    lua_pushnumber(lua, side->number());
    return 1;
}

int side_exists(lua_State* lua) {
    const auto number = static_cast<std::uint32_t>(lua_tointeger(lua, 1));
    lua_pushboolean(lua, worlds_of(mod_of(lua)).find(number) != nullptr ? 1 : 0);
    return 1;
}

int destroy_side(lua_State* lua) {
    worlds_of(mod_of(lua)).destroy(static_cast<std::uint32_t>(lua_tointeger(lua, 1)));
    return 0;
}

// number, steps -> whether no system failed.
int step_side(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const auto steps = static_cast<std::uint32_t>(lua_tointeger(lua, 2));
    spend(lua, kStepsPerSideStep * steps);
    const Result<bool> stepped = worlds_of(mod).step(side_at(lua, mod), steps);
    if (!stepped) return nil_and_message(lua, stepped.error().message);
    lua_pushboolean(lua, stepped.value() ? 1 : 0);
    return 1;
}

// number, message, list of entities -> true.
int send_to_side(lua_State* lua) {
    const Way way = way_at(lua, mod_of(lua));
    Result<std::string> bytes = bytes_from_values(lua, 2, 2);
    if (!bytes) return nil_and_message(lua, fmt::format(messages::kInMessage, bytes.error().message));
    std::vector<Entity> entities;
    const auto count = static_cast<int>(lua_objlen(lua, 3));
    spend(lua, kStepsPerMessage + kStepsPerMessageByte * static_cast<double>(bytes.value().size()) +
                   kStepsPerMoved * count);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(lua, 3, i);
        entities.push_back(entity_from_number(lua_tonumber(lua, -1)));
        lua_pop(lua, 1);
    }
    const Result<void> sent = way.worlds.send(way.side, way.is_outward, std::move(bytes).value(), entities);
    if (!sent) return nil_and_message(lua, sent.error().message);
    lua_pushboolean(lua, 1);
    return 1;
}

// number -> message, list of entities; nothing when none waits.
int receive_from_side(lua_State* lua) {
    const Way way = way_at(lua, mod_of(lua));
    const std::optional<WorldMessage> message = SideWorlds::receive(way.side, way.is_outward);
    if (!message) return 0;
    spend(lua, kStepsPerMessage + kStepsPerMessageByte * static_cast<double>(message->bytes.size()));
    push_values(lua, message->bytes);
    lua_createtable(lua, static_cast<int>(message->entities.size()), 0);
    int number = 0;
    for (const Entity entity : message->entities) {
        lua_pushnumber(lua, number_from_entity(entity));
        lua_rawseti(lua, -2, ++number);
    }
    return 2;
}

// number, x, y, scale -> true.
int draw_side(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const PicturePlace place{static_cast<float>(lua_tonumber(lua, 2)),
                             static_cast<float>(lua_tonumber(lua, 3)),
                             static_cast<float>(lua_tonumber(lua, 4))};
    const double alpha = mod.running != nullptr ? mod.running->alpha() : 1;
    const Result<void> drawn = worlds_of(mod).draw(side_at(lua, mod), place, alpha);
    if (!drawn) return nil_and_message(lua, drawn.error().message);
    lua_pushboolean(lua, 1);
    return 1;
}

// number -> its own steps so far, number of entities.
int side_stats(lua_State* lua) {
    SideWorld& side = side_at(lua, mod_of(lua));
    lua_pushnumber(lua, static_cast<double>(side.tick()));
    lua_pushnumber(lua, static_cast<double>(side.world().entity_count()));
    return 2;
}

}  // namespace

void extend_host_with_side_worlds(lua_State* lua, ScriptMod& mod) {
    set_function<make_side>(lua, "make_side", &mod);
    set_function<find_side>(lua, "find_side", &mod);
    set_function<side_exists>(lua, "side_exists", &mod);
    set_function<destroy_side>(lua, "destroy_side", &mod);
    set_function<step_side>(lua, "step_side", &mod);
    set_function<send_to_side>(lua, "send_to_side", &mod);
    set_function<receive_from_side>(lua, "receive_from_side", &mod);
    set_function<draw_side>(lua, "draw_side", &mod);
    set_function<side_stats>(lua, "side_stats", &mod);
    lua_pushboolean(lua, mod.runtime.config().side != nullptr ? 1 : 0);
    lua_setfield(lua, -2, "is_side");
}

}  // namespace perigee::internal
