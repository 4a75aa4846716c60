// Parameter and result types of the world's functions for components whose type is known only at run time: an
// id and a pointer to the bytes. None of them owns bytes.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace perigee {

class ChunkView;

/// A component and the bytes of its value; null for the schema's defaults. The value of a chunk component is
/// used only if the row starts a new chunk; an existing chunk keeps its value.
struct ComponentValue {
    ComponentId component;
    const std::byte* value = nullptr;
};

/// A component to add to or remove from one entity, among many.
struct ComponentChange {
    Entity entity;
    const std::byte* value = nullptr;  ///< the row's bytes; null for the schema's defaults, and to remove
};

/// Fills the new rows of one chunk when entities are spawned in bulk: rows first .. last - 1 of `chunk` are
/// new and have their prefab's values. Term i of the view is the i-th component of the archetype. Returns
/// false on failure; then the whole batch is destroyed before it becomes visible.
using SpawnInitializer = std::function<bool(ChunkView& chunk, std::uint32_t first, std::uint32_t last)>;

}  // namespace perigee
