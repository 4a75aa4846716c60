// Reserves the new rows first, fills them at the end, and then removes the old rows from the end of each
// chunk.
#include "ecs/world/internal/row_plan.h"

#include "ecs/base/internal/reserve_more.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/world.h"

#include <algorithm>

namespace perigee::internal {

RowPlan::RowPlan(World& world) noexcept : world_(world), store_(world.store()) {}

// In reverse order each row is the last one of its chunk.
RowPlan::~RowPlan() {
    if (is_finished_) return;
    for (std::size_t i = moves_.size(); i-- > 0;) {
        const Location row = moves_[i].to;
        moves_[i].edge->target->remove(store_.chunk_at(row), row.row(), store_.version());
    }
}

bool RowPlan::move(Entity entity, const ArchetypeEdge* edge, std::span<const ComponentValue> given,
                   bool is_destroyed) {
    if (edge == nullptr) return false;
    if (!try_reserve(moves_, moves_.size() + 1) || !try_reserve(left_, moves_.size() + 1)) return false;
    Location from;
    static_cast<void>(store_.locate(entity, from));
    Archetype& source = store_.archetype_at(from);
    const std::uint32_t old = source.chunks()[store_.chunk_at(from)].partition;
    const std::uint32_t partition = store_.target_partition(*edge, source, old, given);
    if (partition == kNoPartition) return false;
    Archetype& target = *edge->target;
    if (&target == &source && partition == old) return true;
    const Archetype::Run run = target.append(1, store_.version(), partition);
    if (run.count == 0) {
        target.drop_partition(partition);
        return false;
    }
    moves_.push_back(
        {entity, from, Location(target.chunks()[run.chunk].unit, run.row), edge, given, is_destroyed});
    return true;
}

bool RowPlan::change(Entity entity, std::span<const ComponentValue> add,
                     std::span<const ComponentId> remove) {
    Archetype& source = store_.graph().at(world_.archetype_of(entity)->index());
    Archetype* target = store_.changed(source, add, remove);
    return target != nullptr && move(entity, store_.graph().between(source, *target), add);
}

bool RowPlan::set_shared(Entity entity, const ComponentValue& value) {
    Archetype& archetype = store_.graph().at(world_.archetype_of(entity)->index());
    if (!move(entity, store_.graph().between(archetype, archetype), {&value, 1})) return false;
    if (!moves_.empty() && moves_.back().entity == entity)
        moves_.back().given = {};  // the value was used for the partition
    return true;
}

bool RowPlan::erase(Entity entity) noexcept {
    if (!try_reserve(ends_, ends_.size() + 1)) return false;
    ends_.push_back(entity);
    return true;
}

bool RowPlan::destroy(Entity entity) {
    Archetype& archetype = store_.graph().at(world_.archetype_of(entity)->index());
    if (!archetype.has_cleanup()) return erase(entity);
    return move(entity, store_.graph().destroying(archetype), {}, true);
}

bool RowPlan::call_handlers(World& world, Entity entity) {
    return !world.is_alive(entity) || world.store().hooks().call_for_death(entity);
}

void RowPlan::finish() noexcept {
    is_finished_ = true;
    for (const Move& move : moves_) store_.hooks().run_component_hooks(move.entity, move.edge->hooked);
    for (const Entity entity : ends_) {
        store_.hooks().run_component_hooks(entity, world_.archetype_of(entity)->components());
    }
    for (const Move& move : moves_) {
        store_.fill_moved(move.entity, move.from, move.to, *move.edge, move.given, move.is_destroyed);
        left_.push_back(move.from);
        if (move.is_destroyed) store_.count_destroyed(1);
    }
    // From the end of each chunk, so that no old row is moved into the hole of another one.
    std::sort(left_.begin(), left_.end(), [](Location a, Location b) { return a.bits() > b.bits(); });
    for (const Location row : left_) {
        store_.remove_row(row, store_.archetype_at(row));
    }
    for (const Entity entity : ends_) {
        const Location row = store_.index().location(entity);
        static_cast<void>(store_.free_row(entity, row, store_.archetype_at(row)));
        store_.count_destroyed(1);
    }
}

}  // namespace perigee::internal
