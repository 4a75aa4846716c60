// Objects of Lua: what the ObjectStore of a world keeps of a value that lives in the state of one mod.
//
// Invariant: the value itself never leaves its state; the world holds its number there (a reference that
// scripts/runtime/object.lua gave out), and for other mods a copy when it is a number, boolean or text. When
// the last row that refers to the value is gone, its number goes to a list that object.lua empties the next
// time the state runs: a destructor may be called from compiled Lua, where no state may be touched.
#pragma once

#include "ecs/object_store.h"
#include "scripting/native_module.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

class World;

namespace internal {

/// Numbers of values that nothing refers to any more, and what the objects hold that are gone. One per mod.
struct DeadObjects {
    std::vector<std::uint32_t> references;
    std::size_t bytes = 0;
};

/// What object.lua passes as its own identity.
struct ObjectHome {
    World* world = nullptr;
    ObjectOwner owner = 0;
    std::shared_ptr<DeadObjects> dead = std::make_shared<DeadObjects>();
};

/// The number that an object of `home` has in its state; 0 for those of others.
std::uint32_t object_reference(const ObjectHome& home, const std::shared_ptr<void>& object);

std::vector<NativeFunction> object_functions();

}  // namespace internal

}  // namespace perigee
