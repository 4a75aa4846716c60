// Figures of a world: its use of chunk memory, and the values of shared components. It never changes the
// world. Not here: memory outside chunks (world_memory.h).
#pragma once

#include "ecs/schema/component.h"
#include "ecs/storage/shared_store.h"

#include <cstddef>
#include <vector>

namespace perigee {

class World;

struct WorldStats {
    std::size_t entities = 0;
    std::size_t archetypes = 0;
    std::size_t chunks = 0;
    std::size_t chunk_bytes = 0;   ///< memory of all chunks in use, and of spare chunks of empty archetypes
    std::size_t unused_bytes = 0;  ///< part of it: rows without an entity, padding, and ends of chunks
};
WorldStats stats_of(const World& world) noexcept;

/// One of the distinct values of a shared component.
struct SharedValue {
    SharedIndex index;
    const std::byte* value;  ///< lifetime: until the next structural change
    std::size_t entities;
    std::size_t chunks;
};
/// The distinct values of a shared component at present, by number.
std::vector<SharedValue> shared_values(const World& world, ComponentId component);

}  // namespace perigee
