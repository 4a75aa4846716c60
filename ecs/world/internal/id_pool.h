// Entity ids for systems that run in parallel, so that each gets the same ids for any number of threads.
//
// Invariant: a system takes ids from its own pool, filled before the stage began. When the pool is empty, the
// system waits until every earlier system in the order has ended, and then takes ids from the world. So ids
// depend on the order alone. Unused ids return to the world after the stage, last one first.
#pragma once

#include "ecs/base/entity.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace perigee {

class EntityIndex;
class World;

namespace internal {

/// Tracks which systems of a stage have ended. May be used from several threads at once.
class StageTurns {
public:
    /// Begins a stage of `count` systems.
    void begin(std::uint32_t count);
    void end(std::uint32_t member);
    /// Waits until all systems before `member` have ended. Expects: they were started first.
    void wait_for_turn(std::uint32_t member);

private:
    std::mutex mutex_;
    std::condition_variable member_ended_;
    std::vector<bool> has_ended_;
    std::uint32_t first_busy_ = 0;
};

class IdPool {
public:
    /// Reserves as many ids as the system took in its last run.
    void fill(World& world);
    /// A reserved id; null when the world is full. Expects: called by the system that owns the pool; it waits
    /// in wait_for_turn if the pool is empty.
    Entity take(EntityIndex& index);
    /// Returns a reserved id to the pool, for the next take. There is room, since the id came from here.
    void give_back(Entity entity) { ids_.push_back(entity); }

    /// Returns the remaining ids to the world.
    void drain(World& world) noexcept;

    /// How many ids the system took in its last run.
    std::uint32_t wanted() const noexcept { return wanted_; }
    void want(std::uint32_t ids) noexcept { wanted_ = ids; }
    void forget_last_run() noexcept { wanted_ = 0; }

private:
    static constexpr std::uint32_t kMaxIds = 1u << 16;

    std::vector<Entity> ids_;  ///< the next one last
    std::uint32_t wanted_ = 0;
    std::uint32_t taken_ = 0;
};

}  // namespace internal
}  // namespace perigee
