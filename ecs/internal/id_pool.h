// Ids of entities for systems that run side by side, so that each gets the same ones however many threads
// there are.
//
// Invariant: a system takes ids from its own pool, filled before the stage began; when that is empty, it
// waits until every system before it in the order has ended, and then takes them from the world. So ids
// depend on the order alone. What is left over goes back to the world after the stage, the last one first.
#pragma once

#include "ecs/entity.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace perigee {

class EntityIndex;
class World;

namespace internal {

/// Who of a stage has ended. From several threads at once.
class StageTurns {
public:
    /// A stage of `count` systems begins.
    void begin(std::uint32_t count);
    void end(std::uint32_t member);
    /// Returns when all before `member` have ended. Expects: they were begun before it was.
    void wait_for_turn(std::uint32_t member);

private:
    std::mutex mutex_;
    std::condition_variable somebody_ended_;
    std::vector<bool> has_ended_;
    std::uint32_t first_busy_ = 0;
};

class IdPool {
public:
    /// Reserves as many ids as the system took the last time.
    void fill(World& world);
    /// A reserved id; null when the world is full. Expects: called by the system that it belongs to, which
    /// wait_for_turn makes wait where the pool is empty.
    Entity take(EntityIndex& index);
    /// Takes a reserved id back, for the next take. Expects: room was there, since it came from here.
    void give_back(Entity entity) { ids_.push_back(entity); }

    /// Gives what is left to the world.
    void drain(World& world) noexcept;

    void forget_last_run() noexcept { wanted_ = 0; }

private:
    static constexpr std::uint32_t kMostIds = 1u << 16;

    std::vector<Entity> ids_;  ///< the next one last
    std::uint32_t wanted_ = 0;
    std::uint32_t taken_ = 0;
};

}  // namespace internal
}  // namespace perigee
