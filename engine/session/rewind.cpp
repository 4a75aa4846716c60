// A ring of snapshots, each with the state of the schedule.
#include "engine/session/rewind.h"

#include "ecs/base/contract.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_state.h"
#include "engine/base/error_codes.h"
#include "engine/session/game_session.h"

#include <algorithm>
#include <memory>
#include <new>

namespace perigee {

Result<void> Rewind::follow(GameSession& session) {
    session_ = &session;
    ring_.emplace(session.world(), max_bytes_);
    return keep();
}

Result<void> Rewind::keep() {
    if (!ring_) return {};
    try {
        auto state = std::make_shared<const ScheduleState>(session_->schedule().state());
        Result<void> kept = ring_->keep(session_->tick(), std::move(state));
        if (!kept) ring_.reset();
        return kept;
    } catch (const std::bad_alloc&) {
        ring_.reset();  // first of all, since the message needs memory
        return Error{engine_errors::kNoMemoryForSteps};
    }
}

Result<void> Rewind::go_to(std::uint64_t step) {
    ECS_EXPECTS(!is_empty(), "no step is kept");
    const SnapshotRing::Kept& kept = *ring_->find(std::max(step, oldest()));
    const auto& state = *static_cast<const ScheduleState*>(kept.more.get());
    return session_->restore(kept.snapshot, state, kept.step);
}

}  // namespace perigee
