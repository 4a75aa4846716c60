// One pool after the other.
#include "scripting/mods/internal/pool_reserves.h"

#include "ecs/inspect/world_memory.h"

namespace perigee::internal {

DividedPool::Member PoolReserves::join(const World& world) {
    const PerMemoryKind<std::size_t> most = max_world_units(world);
    for (const MemoryKind kind : kAllMemoryKinds) {
        if (members_ == 0) pools_[kind] = DividedPool(most[kind]);
        pools_[kind].set_members(members_ + 1);
    }
    return members_++;
}

PerMemoryKind<std::size_t> PoolReserves::room(DividedPool::Member member,
                                              bool is_beside_others) const noexcept {
    PerMemoryKind<std::size_t> room;
    for (const MemoryKind kind : kAllMemoryKinds) {
        room[kind] = members_ < 2 ? SIZE_MAX : pools_[kind].room(member, is_beside_others);
    }
    return room;
}

}  // namespace perigee::internal
