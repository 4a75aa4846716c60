// A ring of snapshots, each with the state of the schedule and the side worlds.
#include "engine/session/rewind.h"

#include "ecs/base/contract.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_state.h"
#include "engine/base/error_codes.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/side_world.h"

#include <algorithm>
#include <memory>
#include <new>

namespace perigee {

namespace {

constexpr std::size_t kReach = 1000;       // steps that the memory should be enough for
constexpr std::uint64_t kMaxInterval = 4;  // between kept steps

}  // namespace

// What is kept besides the world.
struct Rewind::Beside {
    ScheduleState schedule;
    std::shared_ptr<const SideWorldsState> side_worlds;
};

Result<void> Rewind::follow(GameSession& session) {
    session_ = &session;
    ring_.emplace(session.world(), max_bytes_,
                  [&session] { return session.scripts().side_worlds().state_bytes(); });
    return take();
}

Result<void> Rewind::keep() {
    if (!ring_ || is_due()) return take();
    ring_->forget_from(session_->tick());
    return {};
}

// Depends on the world alone, so that equal runs keep equal steps.
bool Rewind::is_due() const noexcept {
    const SnapshotRing::Kept* const last =
        session_->tick() == 0 ? nullptr : ring_->find(session_->tick() - 1);
    if (last == nullptr) return true;
    const std::uint64_t max = std::max<std::uint64_t>(max_bytes_, 1);
    const std::uint64_t wanted = (std::uint64_t{last->new_bytes} * kReach + max - 1) / max;
    return session_->tick() - last->step >= std::min(wanted, kMaxInterval);
}

Result<void> Rewind::keep_now() {
    const SnapshotRing::Kept* const known = ring_ ? ring_->find(session_->tick()) : nullptr;
    return known != nullptr && known->step == session_->tick() ? Result<void>{} : take();
}

Result<void> Rewind::take() {
    if (!ring_) return {};
    try {
        const SnapshotRing::Kept* const last =
            session_->tick() == 0 ? nullptr : ring_->find(session_->tick() - 1);
        const SideWorldsState* const previous =
            last != nullptr ? static_cast<const Beside*>(last->more.get())->side_worlds.get() : nullptr;
        auto sides = session_->scripts().side_worlds().state(previous);
        Result<void> kept = sides ? Result<void>{} : Result<void>{sides.error()};
        if (kept) {
            Beside beside{session_->schedule().state(), std::move(sides).value()};
            kept = ring_->keep(session_->tick(), std::make_shared<const Beside>(std::move(beside)));
        }
        if (!kept) ring_.reset();
        return kept;
    } catch (const std::bad_alloc&) {
        ring_.reset();  // first of all, since the message needs memory
        return Error{engine_errors::kNoMemoryForSteps};
    }
}

std::uint64_t Rewind::before(std::uint64_t step) const noexcept {
    const SnapshotRing::Kept* const found = step == 0 ? nullptr : ring_->find(step - 1);
    return found != nullptr ? found->step : oldest();
}

std::uint64_t Rewind::after(std::uint64_t step) const noexcept {
    const SnapshotRing::Kept* const found = ring_->find_after(step);
    return found != nullptr ? found->step : newest();
}

Result<void> Rewind::go_to(std::uint64_t step) {
    ECS_EXPECTS(!is_empty(), "no step is kept");
    if (session_->tick() > newest()) {
        if (Result<void> kept = take(); !kept) return kept;
    }
    const SnapshotRing::Kept& kept = *ring_->find(std::max(step, oldest()));
    const auto& beside = *static_cast<const Beside*>(kept.more.get());
    return session_->restore(kept.snapshot, beside.schedule, *beside.side_worlds, kept.step);
}

}  // namespace perigee
