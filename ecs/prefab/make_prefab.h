// Adds prefabs to a world, one by one. See prefab_desc.h for descriptions that inherit and have children.
//
// Invariant: a prefab is complete once added; entities spawned from it are independent of it.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/registry.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <span>

namespace perigee {

/// Adds a prefab. Errors: a name in use; a component named twice; an id of another kind; a value of the wrong
/// size; a row that is too wide.
Result<PrefabId> add_prefab(World& world, Prefab prefab);
/// Removes the prefabs added after the first `count`. Expects: no entity was spawned from them.
void remove_prefabs_after(World& world, std::size_t count) noexcept;

/// For Prefab::components, by C++ type: this value; the schema's defaults; these elements of a buffer.
template <typename T> PrefabComponent prefab_value(const World& world, const T& value) {
    const ComponentId component = world.types().id<T>(TypedUse::give);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    return {component, {bytes, bytes + world.registry().value_bytes(component)}};
}
template <typename T> PrefabComponent prefab_default(const World& world) {
    return {world.types().id<T>(TypedUse::presence), {}};
}
template <typename T> PrefabComponent prefab_elements(const World& world, std::span<const T> elements) {
    const auto bytes = std::as_bytes(elements);
    return {world.types().id<T>(TypedUse::buffer), {bytes.begin(), bytes.end()}};
}

namespace internal {
/// Writes the image of the prefab's row: the archetype's defaults with the prefab's values over them. Its
/// references to shared values are recorded in the prefab, even if it throws.
void resolve_prefab(World& world, Prefab& prefab, Archetype& archetype);
}  // namespace internal

}  // namespace perigee
