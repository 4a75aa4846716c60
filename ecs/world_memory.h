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

/// Do pools of this kind end at so many bytes? Else at so many archetypes, or types.
constexpr bool counts_bytes(MemoryKind kind) noexcept {
    return kind != MemoryKind::archetypes && kind != MemoryKind::types;
}
/// What the pool of a kind holds in what it counts, where that is not bytes. Expects: !counts_bytes(kind).
std::size_t world_count(const World& world, MemoryKind kind) noexcept;
/// Where the pools end, in what each counts. SIZE_MAX: no end of its own.
PerMemoryKind<std::size_t> most_world_units(const World& world) noexcept;

}  // namespace perigee
