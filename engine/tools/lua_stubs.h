// LuaCATS annotations (https://luals.github.io/wiki/annotations/) for the declarations of a world: for
// completion and type checks in editors.
//
// Invariant: the result is Lua that defines nothing at run time, the same for the same declarations, in order
// of names. Each component, resource and event gets a class for its handle, one for the fields of its values,
// and one for its columns in a chunk. Not here: the engine's functions (scripts/stubs).
#pragma once

#include <span>
#include <string>

namespace perigee {

class World;

/// `mods`: the mods available to ecs.import, the game first; its names have no prefix.
std::string lua_stubs(const World& world, std::span<const std::string> mods = {});

}  // namespace perigee
