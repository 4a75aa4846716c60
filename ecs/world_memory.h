// What the pools of a world hold, by kind.
//
// Invariant: each number is one that its pool keeps up to date anyway, so that asking costs the same however
// large the world is. What pools keep for later use (free blocks, spare capacity) is not in it. Not here: who
// pays (ecs/memory_quota.h).
#pragma once

#include "ecs/memory_quota.h"

#include <cstddef>

namespace perigee {

class World;

/// Bytes. Expects: no system is running.
PerMemoryKind<std::size_t> world_memory(const World& world) noexcept;

/// What the pools count and where they end: bytes, but archetypes and types by number. SIZE_MAX: no end of
/// their own.
PerMemoryKind<std::size_t> world_units(const World& world) noexcept;
PerMemoryKind<std::size_t> most_world_units(const World& world) noexcept;

}  // namespace perigee
