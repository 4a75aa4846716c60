// A system waits for others only if its pool is empty.
#include "ecs/world/internal/id_pool.h"

#include "ecs/archetype/entity_index.h"
#include "ecs/world/reserved.h"
#include "ecs/world/run_scope.h"

#include <algorithm>

namespace perigee::internal {

void StageTurns::begin(std::uint32_t count) {
    has_ended_.assign(count, false);
    first_busy_ = 0;
}

void StageTurns::end(std::uint32_t member) {
    {
        const std::lock_guard lock(mutex_);
        has_ended_[member] = true;
        while (first_busy_ < has_ended_.size() && has_ended_[first_busy_]) ++first_busy_;
    }
    member_ended_.notify_all();
}

void StageTurns::wait_for_turn(std::uint32_t member) {
    std::unique_lock lock(mutex_);
    member_ended_.wait(lock, [&] { return first_busy_ >= member; });
}

void IdPool::fill(World& world) {
    ids_.clear();
    taken_ = 0;
    ids_.reserve(wanted_);
    while (ids_.size() < wanted_) {
        const Entity entity = reserve_entity(world);
        if (!entity) break;
        ids_.push_back(entity);
    }
    std::reverse(ids_.begin(), ids_.end());
}

Entity IdPool::take(EntityIndex& index) {
    ++taken_;
    if (!ids_.empty()) {
        const Entity entity = ids_.back();
        ids_.pop_back();
        return entity;
    }
    wait_for_turn();
    return index.reserve();
}

void IdPool::drain(World& world) noexcept {
    wanted_ = std::min(taken_, kMaxIds);
    // After filling, the last reserved id is first.
    for (const Entity entity : ids_) release_reserved(world, entity);
    ids_.clear();
}

}  // namespace perigee::internal

namespace perigee {

void wait_for_turn() {
    const RunScope* const scope = internal::t_run_scope;
    if (scope != nullptr && scope->turns != nullptr) scope->turns->wait_for_turn(scope->place);
}

}  // namespace perigee
