// Whether the rows of a world may move, and a number that grows each time they do.
//
// Invariant: while something holds the rows in place (a visited query, jobs of the host), structural change
// is a contract violation; holders that can end, such as jobs, are waited for first.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/world/run_scope.h"

#include <cstdint>
#include <vector>

namespace perigee::internal {

class StructureGuard {
public:
    explicit StructureGuard(const World& world) noexcept : world_(world) {}

    void lock() noexcept { ++lock_depth_; }
    void unlock() noexcept { --lock_depth_; }
    bool is_locked() const noexcept { return lock_depth_ != 0; }
    const World& world() const noexcept { return world_; }

    /// Work that locks the world until it is waited for. `wait` calls remove_work.
    struct Work {
        void* owner;
        void (*wait)(void* owner) noexcept;
    };
    void add_work(Work work);
    void remove_work(void* owner) noexcept;
    /// Waits for all of it. Does nothing in a system or a job, which would wait for itself.
    void wait_for_work() noexcept;

    /// Checks that the world is not locked and counts no change, for operations that may change nothing.
    void expect_unlocked() {
        if (is_locked()) [[unlikely]]
            wait_for_work();
        ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    }
    /// Makes all lent views stale.
    void count_change() noexcept { ++version_; }
    void begin_change() {
        expect_unlocked();
        count_change();
    }
    /// Grows with each structural change. Lifetime of the reference: the world's.
    const std::uint64_t& version() const noexcept { return version_; }

private:
    const World& world_;
    std::uint32_t lock_depth_ = 0;
    std::uint64_t version_ = 0;
    std::vector<Work> work_;
};

/// Locks while it exists. Systems run under the schedule's lock and take none themselves, since other systems
/// may run at the same time; exclusive ones run without it.
class StructureLock {
public:
    explicit StructureLock(StructureGuard& guard) noexcept : guard_(is_needed(guard) ? &guard : nullptr) {
        if (guard_ != nullptr) guard_->lock();
    }
    ~StructureLock() {
        if (guard_ != nullptr) guard_->unlock();
    }
    StructureLock(const StructureLock&) = delete;
    StructureLock& operator=(const StructureLock&) = delete;

private:
    static bool is_needed(const StructureGuard& guard) noexcept {
        const RunScope* const scope = run_scope(guard.world());
        return scope == nullptr || scope->is_exclusive;
    }

    StructureGuard* guard_;
};

}  // namespace perigee::internal
