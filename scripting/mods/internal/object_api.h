// Lua objects: how the ObjectStore of a world refers to a value in the state of one mod.
//
// Invariant: the value itself never leaves its state. The world stores its number (a reference assigned by
// scripts/runtime/data/object.lua) and, for other mods, a copy if it is a number, boolean or text. When the
// last row that refers to the value is gone, its number is added to a list that object.lua empties the next
// time the state runs: a destructor may be called from compiled Lua, where no state may be touched.
#pragma once

#include "ecs/storage/object_store.h"
#include "scripting/base/native_module.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace perigee {

class ScriptRuntime;
class World;

namespace internal {

/// What a mod sees of a value: numbers, booleans and texts of any mod, and all else as `own` of itself alone.
enum class ObjectKind : std::uint32_t { none, number, boolean, text, own };
/// From ObjectKind::number on, as Lua calls the types.
inline constexpr std::array<std::string_view, 4> kObjectKindNames{"number", "boolean", "string", "own"};
static_assert(kObjectKindNames.size() == static_cast<std::size_t>(ObjectKind::own));

/// Numbers of values that are no longer referenced, and the bytes of destroyed objects. One per mod.
struct DeadObjects {
    std::vector<std::uint32_t> references;
    std::size_t bytes = 0;
};

/// Passed by object.lua as its own identity.
struct ObjectHome {
    World* world = nullptr;
    ObjectOwner owner = 0;
    std::shared_ptr<DeadObjects> dead = std::make_shared<DeadObjects>();
    std::vector<std::weak_ptr<void>> living;  ///< by number in the state
};

/// The number of an object of `home` in its state; 0 for objects of others.
std::uint32_t object_reference(const ObjectHome& home, const std::shared_ptr<void>& object);

/// How Lua objects of a component get into snapshots and saved worlds: as text, if they are plain data. A
/// copy refers to nothing but the name of its mod, so it may outlive the mod's state. Values that the text
/// cannot express are errors that name the place in the value. Objects of a mod that is gone are nil.
/// Lifetime: the runtime must outlive the use of the functions.
ObjectCopies object_copies(ScriptRuntime& runtime);

/// Removes them from all components of the runtime's world.
void remove_object_copies(ScriptRuntime& runtime);

std::vector<NativeFunction> object_functions();

}  // namespace internal

}  // namespace perigee
