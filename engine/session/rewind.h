// Rewind: the recent steps of a session, to go back to any of them and forth again.
//
//     Rewind rewind(256 << 20);
//     rewind.follow(session);
//     session.step(input);
//     rewind.keep();                    // after each step
//     rewind.go_to(rewind.oldest());    // the session is as it was then
//
// Invariant: kept steps ascend. A session that goes on from an earlier step loses the later ones with the
// next keep(). When a step needs more than a thousandth of the memory, only each second, third or fourth step
// is kept, so that the ring reaches back further and costs less. Not here: what is not in the world, such as
// variables of scripts, sounds and save data; keys and the bar (game/loop/rewind_bar.h).
#pragma once

#include "ecs/base/result.h"
#include "ecs/save/snapshot_ring.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace perigee {

class GameSession;

class Rewind {
public:
    /// `max_bytes`: the limit for all kept steps. The newest is always kept.
    explicit Rewind(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    /// Forgets all steps, and begins with the current one of this session. Lifetime: the session's, until the
    /// next call. Errors: as keep().
    Result<void> follow(GameSession& session);

    /// Keeps the world, its side worlds and the state of its systems as they are now, unless the interval
    /// between kept steps is not over. To be called after each step. Expects: between steps.
    /// Errors: the world has an object that cannot be copied; no memory. Then all steps are forgotten, and
    /// none is kept until the next follow(). Cost: a copy of the columns that changed since the step before.
    Result<void> keep();
    /// The same without regard to the interval. Does nothing if the current step is kept.
    Result<void> keep_now();

    /// Makes the session what it was after this step, or after the nearest kept one before it. Keeps
    /// the current step first. Steps beyond stay until the next keep(). Errors: as keep(); a type whose
    /// schema has changed since; then nothing has changed. Expects: a step is kept; between steps.
    Result<void> go_to(std::uint64_t step);

    /// Whether no step is kept.
    bool is_empty() const noexcept { return !ring_ || ring_->count() == 0; }
    // These expect: a step is kept. Shape: GameSession::tick.
    std::uint64_t oldest() const noexcept { return ring_->oldest()->step; }
    std::uint64_t newest() const noexcept { return ring_->newest()->step; }
    /// The kept step before this one, or after it; the oldest, or the newest, if there is none.
    std::uint64_t before(std::uint64_t step) const noexcept;
    std::uint64_t after(std::uint64_t step) const noexcept;

private:
    struct Beside;
    bool is_due() const noexcept;
    Result<void> take();

    std::size_t max_bytes_;
    GameSession* session_ = nullptr;
    std::optional<SnapshotRing> ring_;  // none: nothing is followed, or a step could not be kept
};

}  // namespace perigee
