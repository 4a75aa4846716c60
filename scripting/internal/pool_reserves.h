// The parts that the game and each of its mods have in the pools of a world (ecs/divided_pool.h).
//
// Invariant: units are what each pool counts (ecs/world_memory.h). Code of the host is not asked: it may take what is
// there.
// Not here: bytes of all pools together (world_share.h).
#pragma once

#include "ecs/divided_pool.h"
#include "ecs/memory_quota.h"

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
    /// What one may take of each kind; SIZE_MAX where only the pool itself says where it ends.
    PerMemoryKind<std::size_t> room(DividedPool::Member member, bool is_beside_others) const noexcept;

private:
    std::size_t members_ = 0;
    PerMemoryKind<DividedPool> pools_;
};

}  // namespace perigee::internal
