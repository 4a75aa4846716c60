// The list of unfinished work. Each entry counts as one lock.
#include "ecs/world/internal/structure_guard.h"

namespace perigee::internal {

void StructureGuard::add_work(Work work) {
    work_.push_back(work);
    lock();
}

void StructureGuard::remove_work(void* owner) noexcept {
    std::erase_if(work_, [owner](const Work& work) { return work.owner == owner; });
    unlock();
}

void StructureGuard::wait_for_work() noexcept {
    const RunScope* const scope = run_scope(world_);
    if (scope != nullptr && !scope->is_exclusive) return;
    while (!work_.empty()) work_.back().wait(work_.back().owner);
}

}  // namespace perigee::internal
