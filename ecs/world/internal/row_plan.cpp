// Taking rows ahead, filling them, and then giving up the old ones from the last of each chunk on.
#include "ecs/world/internal/row_plan.h"

#include "ecs/base/internal/reserve_more.h"
#include "ecs/world/world.h"

#include <algorithm>

namespace perigee::internal {

// In reverse order each of them is the last row of its chunk.
RowPlan::~RowPlan() {
    if (is_finished_) return;
    for (std::size_t i = moves_.size(); i-- > 0;) {
        const Location row = moves_[i].to;
        moves_[i].way->target->remove(world_.units_.chunk_index[row.unit()], row.row(),
                                      world_.change_version_);
    }
}

bool RowPlan::move(Entity entity, const ArchetypeTransition* way, std::span<const ComponentValue> given,
                   bool is_held) {
    if (way == nullptr) return false;
    if (!try_reserve(moves_, moves_.size() + 1) || !try_reserve(left_, moves_.size() + 1)) return false;
    Location from;
    static_cast<void>(world_.locate(entity, from));
    Archetype& source = world_.graph_.at(world_.units_.archetype[from.unit()]);
    const std::uint32_t old = source.chunks()[world_.units_.chunk_index[from.unit()]].partition;
    const std::uint32_t partition = world_.target_partition(*way, source, old, given);
    if (partition == kNoPartition) return false;
    Archetype& target = *way->target;
    if (&target == &source && partition == old) return true;
    const Archetype::Run run = target.append(1, world_.change_version_, partition);
    if (run.count == 0) {
        target.drop_partition(partition);
        return false;
    }
    moves_.push_back({entity, from, Location(target.chunks()[run.chunk].unit, run.row), way, given, is_held});
    return true;
}

bool RowPlan::change(Entity entity, std::span<const ComponentValue> add,
                     std::span<const ComponentId> remove) {
    Archetype& source = world_.graph_.at(world_.archetype_of(entity)->index());
    Archetype* target = world_.changed(source, add, remove);
    return target != nullptr && move(entity, world_.graph_.between(source, *target), add);
}

bool RowPlan::set_shared(Entity entity, const ComponentValue& value) {
    Archetype& archetype = world_.graph_.at(world_.archetype_of(entity)->index());
    if (!move(entity, world_.graph_.between(archetype, archetype), {&value, 1})) return false;
    if (!moves_.empty() && moves_.back().entity == entity) moves_.back().given = {};  // it has done its work
    return true;
}

bool RowPlan::end(Entity entity) noexcept {
    if (!try_reserve(ends_, ends_.size() + 1)) return false;
    ends_.push_back(entity);
    return true;
}

bool RowPlan::destroy(Entity entity) {
    Archetype& archetype = world_.graph_.at(world_.archetype_of(entity)->index());
    if (!archetype.has_cleanup()) return end(entity);
    return move(entity, world_.graph_.destroying(archetype), {}, true);
}

bool RowPlan::tell_handlers(World& world, Entity entity) {
    return !world.is_alive(entity) || world.tell_of_death(entity);
}

void RowPlan::finish() noexcept {
    is_finished_ = true;
    for (const Move& move : moves_) world_.tell_keepers(move.entity, move.way->hooked);
    for (const Entity entity : ends_) {
        world_.tell_keepers(entity, world_.archetype_of(entity)->components());
    }
    for (const Move& move : moves_) {
        world_.fill_moved(move.entity, move.from, move.to, *move.way, move.given, move.is_held);
        left_.push_back(move.from);
        if (move.is_held) --world_.entity_count_;
    }
    // From the end of each chunk on, so that no row that was left moves into another.
    std::sort(left_.begin(), left_.end(), [](Location a, Location b) { return a.bits() > b.bits(); });
    for (const Location row : left_) {
        world_.take_row(row, world_.graph_.at(world_.units_.archetype[row.unit()]));
    }
    for (const Entity entity : ends_) {
        const Location row = world_.index_.location(entity);
        static_cast<void>(
            world_.free_row(entity, row, world_.graph_.at(world_.units_.archetype[row.unit()])));
        --world_.entity_count_;
    }
}

}  // namespace perigee::internal
