// The shares of the game and each of its mods in the pools of a world (ecs/base/divided_pool.h).
//
// Invariant: each pool has its own unit (ecs/inspect/world_memory.h). Code of the host is not limited by
// shares. Not here: bytes of all pools together (world_share.h).
#pragma once

#include "ecs/base/divided_pool.h"
#include "ecs/base/memory_quota.h"

#include <cstddef>

namespace perigee {
class World;
}

namespace perigee::internal {

/// A part of a world.
class PoolReserves {
public:
    /// A new member; the first one is the game.
    DividedPool::Member join(const World& world);

    void set_used(DividedPool::Member member, const PerMemoryKind<std::size_t>& units) noexcept {
        for (const MemoryKind kind : kAllMemoryKinds) pools_[kind].set_used(member, units[kind]);
    }
    /// How much a member may take of each kind; SIZE_MAX where only the pool's own limit applies.
    PerMemoryKind<std::size_t> room(DividedPool::Member member, bool is_beside_others) const noexcept;

private:
    std::size_t members_ = 0;
    PerMemoryKind<DividedPool> pools_;
};

}  // namespace perigee::internal
