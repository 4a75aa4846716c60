// LuaCATS annotations (https://luals.github.io/wiki/annotations/) of what a world declares: for completion
// and type checks in editors.
//
// Invariant: what comes out is Lua that defines nothing at run time, the same for the same declarations, in
// order of names. Each component, resource and event is a class for its handle, one for its fields as a value
// takes them, and one for its columns in a chunk. The calls of the engine are not here: scripts/stubs.
#pragma once

#include <span>
#include <string>

namespace perigee {

class World;

/// `mods`: what ecs.import may be asked for, the game first; its names stand without prefix.
std::string lua_stubs(const World& world, std::span<const std::string> mods = {});

}  // namespace perigee
