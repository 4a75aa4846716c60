// The memory used by the pools of a world, by kind.
//
// Invariant: each number is one that its pool maintains anyway, so the cost does not depend on the size of
// the world. Memory that pools keep for later use (free blocks, spare capacity) is not included. Not here:
// accounting to mods (ecs/base/memory_quota.h).
#pragma once

#include "ecs/base/memory_quota.h"

#include <cstddef>

namespace perigee {

class World;

/// Bytes. Expects: no system is running.
PerMemoryKind<std::size_t> world_memory(const World& world) noexcept;

/// True if pools of this kind are limited in bytes; otherwise in number of archetypes or types.
constexpr bool counts_bytes(MemoryKind kind) noexcept {
    return kind != MemoryKind::archetypes && kind != MemoryKind::types;
}
/// The use of a pool that does not count bytes, in its own unit. Expects: !counts_bytes(kind).
std::size_t world_count(const World& world, MemoryKind kind) noexcept;
/// The limits of the pools, each in its own unit. SIZE_MAX: unlimited.
PerMemoryKind<std::size_t> max_world_units(const World& world) noexcept;

}  // namespace perigee
