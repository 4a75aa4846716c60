// The arguments of functions that Lua calls through the FFI: what a void* or a number stands for.
#pragma once

#include "ecs/schema/component.h"
#include "scripting/mods/script_system.h"

#include <cstdint>

namespace perigee {

class World;

namespace internal {

inline World& world_at(void* world) noexcept { return *static_cast<World*>(world); }
inline ScriptSystem& system_at(void* system) noexcept { return *static_cast<ScriptSystem*>(system); }
inline ComponentId component_at(std::uint32_t number) noexcept {
    return ComponentId{static_cast<std::uint16_t>(number)};
}

}  // namespace internal

}  // namespace perigee
