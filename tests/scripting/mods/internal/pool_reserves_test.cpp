// The parts of a world's pools.
#include "scripting/mods/internal/pool_reserves.h"

#include "ecs/inspect/world_memory.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"

#include <catch2/catch.hpp>

#include <cstdint>

namespace perigee::internal {
namespace {

TEST_CASE("a game without mods is limited only by the pools themselves") {
    World world;
    PoolReserves reserves;
    CHECK(reserves.join(world) == 0);
    for (const std::size_t room : reserves.room(0, false)) CHECK(room == SIZE_MAX);
}

TEST_CASE("with mods, limited pools are divided, and archetypes and types by number") {
    World world;
    PoolReserves reserves;
    reserves.join(world);
    CHECK(reserves.join(world) == 1);
    const PerMemoryKind<std::size_t> room = reserves.room(1, false);
    CHECK(room[MemoryKind::texts] == TextPool::kMaxBytes / 2);
    CHECK(room[MemoryKind::archetypes] == kMaxArchetypes / 2);
    CHECK(room[MemoryKind::types] == kMaxComponents / 4 + kMaxComponents / 4);
    CHECK(room[MemoryKind::prefabs] == SIZE_MAX);
    PerMemoryKind<std::size_t> used;
    used[MemoryKind::archetypes] = kMaxArchetypes / 2;
    reserves.set_used(1, used);
    CHECK(reserves.room(1, false)[MemoryKind::archetypes] == 0);
    CHECK(reserves.room(0, false)[MemoryKind::archetypes] == kMaxArchetypes / 2);
}

}  // namespace
}  // namespace perigee::internal
