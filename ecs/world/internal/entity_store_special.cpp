// Rows of archetypes that are not plain: shared values, enabled bits, values per chunk, cells that own
// memory, cleanup components, and components with an on_remove handler.
//
// Invariant: a change happens completely or not at all; steps that may run out of memory come first.
#include "ecs/archetype/internal/row_cells.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/internal/entity_store.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/internal/row_plan.h"
#include "ecs/world/internal/row_recorder.h"

#include <algorithm>
#include <new>
#include <utility>

namespace perigee::internal {

namespace {

const std::byte* given_value(std::span<const ComponentValue> given, ComponentId component) noexcept {
    const auto found = std::find_if(given.begin(), given.end(), [&](const ComponentValue& value) {
        return value.component == component;
    });
    return found == given.end() ? nullptr : found->value;
}

}  // namespace

// The value of a component that is not stored in a column, or of a destroyed entity; null if there is none.
std::byte* EntityStore::special_cell(Entity entity, ComponentId component) const noexcept {
    Location location;
    if (!locate(entity, location)) return nullptr;
    const Archetype& archetype = archetype_at(location);
    const ColumnPlace place = graph_.column_place(archetype.index(), component);
    const std::uint32_t chunk = chunk_at(location);
    const std::byte* value = nullptr;
    if (place.has_column()) {
        value = cell_at(location, place, place.size);
    } else if (place.is_shared()) {
        const std::uint32_t partition = archetype.chunks()[chunk].partition;
        value = shared_.value(component, archetype.shared_value(partition, place.column));
    } else if (place.is_chunk_value()) {
        value = archetype.chunk_value(chunk, place.column);
    }
    return const_cast<std::byte*>(value);
}

// ---- creating ----

Entity EntityStore::spawn_values(Archetype& archetype, std::span<const ComponentValue> values) {
    const ArchetypeEdge* edge = graph_.between(graph_.empty(), archetype);
    if (edge == nullptr || !index_.has_room()) return Entity{};
    const std::uint32_t partition = target_partition(*edge, graph_.empty(), 0, values);
    if (partition == kNoPartition) return Entity{};
    const Archetype::Run run = archetype.append(1, version_, partition);
    if (run.count == 0) {
        archetype.drop_partition(partition);
        return Entity{};
    }
    const ChunkSlot& slot = archetype.chunks()[run.chunk];
    const Entity entity = index_.create(Location(slot.unit, run.row));
    Archetype::entities(slot)[run.row] = entity;
    ++entity_count_;
    archetype.write_image(slot, run.row, archetype.default_image());
    write_given(slot, run.row, archetype, values);
    recorder_->added(archetype, &entity, 1);
    return entity;
}

void EntityStore::write_given(const ChunkSlot& slot, std::uint32_t row, Archetype& archetype,
                              std::span<const ComponentValue> given) {
    for (const ComponentValue& part : given) {
        const std::uint32_t bytes = registry_.value_bytes(part.component);
        if (part.value == nullptr || bytes == 0) continue;
        const ColumnPlace place = graph_.column_place(archetype.index(), part.component);
        const std::uint32_t chunk = units_.chunk_index[slot.unit];
        if (place.has_column()) {
            copy_value(slot.data + std::size_t{place.line} * kCacheLine + std::size_t{row} * bytes,
                       part.value, bytes);
        } else if (place.is_chunk_value() && row == 0) {
            copy_value(archetype.chunk_value(chunk, place.column), part.value, bytes);
            archetype.set_version(chunk, archetype.chunk_value_slot(place.column), version_);
        }
    }
}

// ---- moving ----

std::uint32_t EntityStore::target_partition(const ArchetypeEdge& edge, const Archetype& source,
                                            std::uint32_t source_partition,
                                            std::span<const ComponentValue> given) noexcept {
    Archetype& target = *edge.target;
    const std::span<const ComponentId> shared = target.shared_components();
    if (shared.empty()) return 0;
    std::vector<std::pair<ComponentId, SharedIndex>> interned;  // until the partition references them
    std::uint32_t partition = kNoPartition;
    try {
        std::vector<SharedIndex> values(shared.size());
        interned.reserve(shared.size());
        for (std::size_t i = 0; i < shared.size(); ++i) {
            const int from = edge.shared_sources[i];
            if (const std::byte* value = given_value(given, shared[i])) {
                values[i] = shared_.intern(registry_.info(shared[i]), value);
                interned.emplace_back(shared[i], values[i]);
            } else if (from >= 0) {
                values[i] = source.shared_value(source_partition, static_cast<std::size_t>(from));
            } else {
                values[i] = target.default_shared_values()[i];
            }
        }
        partition = target.require_partition(values);
    } catch (const std::bad_alloc&) {
        partition = kNoPartition;
    }
    for (const auto& [component, index] : interned) shared_.release(component, index);
    return partition;
}

// Moves a row along any edge. False when memory is exhausted; a null edge means that it was when the edge was
// looked up.
bool EntityStore::move_special(Entity entity, Location from, Archetype& source, const ArchetypeEdge* edge,
                               std::span<const ComponentValue> given, bool is_destroyed) {
    if (edge == nullptr) return false;
    Archetype& target = *edge->target;
    const ChunkSlot old = source.chunks()[units_.chunk_index[from.unit()]];
    const std::uint32_t partition = target_partition(*edge, source, old.partition, given);
    if (partition == kNoPartition) return false;
    if (&target == &source && partition == old.partition) return true;  // views that were lent stay valid
    guard_.count_change();
    const Archetype::Run run = target.append(1, version_, partition);
    if (run.count == 0) {
        target.drop_partition(partition);
        return false;
    }
    fill_moved(entity, from, Location(target.chunks()[run.chunk].unit, run.row), *edge, given, is_destroyed);
    remove_row(from, source);
    return true;
}

void EntityStore::fill_moved(Entity entity, Location from, Location to, const ArchetypeEdge& edge,
                             std::span<const ComponentValue> given, bool is_destroyed) noexcept {
    const Archetype& source = graph_.at(units_.archetype[from.unit()]);
    Archetype& target = *edge.target;
    const ChunkSlot old = source.chunks()[units_.chunk_index[from.unit()]];
    const ChunkSlot slot = target.chunks()[units_.chunk_index[to.unit()]];
    const std::uint32_t row = to.row();
    Archetype::entities(slot)[row] = entity;
    index_.place(entity, to, is_destroyed);
    edge.copies.copy_row(old.data, from.row(), slot.data, row);
    edge.also_added.copy_row(target.default_image(), 0, slot.data, row);
    if (const CopyPlan::Op& added = edge.added; added.size != 0) {
        copy_value(slot.data + added.target_offset + std::size_t{row} * added.size,
                   target.default_image() + added.source_offset, added.size);
    }
    for (const ArchetypeEdge::Mask& mask : edge.masks) {
        const auto* from_bits = reinterpret_cast<const std::uint64_t*>(old.data + mask.source_offset);
        set_row_bit(reinterpret_cast<std::uint64_t*>(slot.data + mask.target_offset), row,
                    row_bit(from_bits, from.row()));
    }
    write_given(slot, row, target, given);
    if (edge.is_reported) recorder_->moved(edge, {units_.chunk_index[from.unit()], from.row(), 1});
    cells_->release(source, edge.released, old, from.row(), 1);
}

Archetype* EntityStore::changed(Archetype& from, std::span<const ComponentValue> add,
                                std::span<const ComponentId> remove) noexcept {
    Archetype* target = &from;
    const auto follow = [&target](const ArchetypeEdge* step) {
        if (step != nullptr) target = step->target;
        return step != nullptr;
    };
    const auto take_away = [&] {
        return std::all_of(remove.begin(), remove.end(), [&](ComponentId component) {
            return follow(graph_.removing(*target, component));
        });
    };
    if (!take_away()) return nullptr;
    for (const ComponentValue& part : add) {
        if (part.component == graph_.destroyed_tag()) return nullptr;
        if (std::find(remove.begin(), remove.end(), part.component) != remove.end()) continue;
        if (!follow(graph_.adding(*target, part.component))) return nullptr;
    }
    return take_away() ? target : nullptr;  // also components added as requirements
}

bool EntityStore::set_shared(Entity entity, ComponentId component, const void* value) {
    Location location;
    if (!locate(entity, location)) return false;
    Archetype& archetype = archetype_at(location);
    if (!graph_.column_place(archetype.index(), component).is_shared()) return false;
    guard_.expect_unlocked();
    const ComponentValue given{component, static_cast<const std::byte*>(value)};
    return move_special(entity, location, archetype, graph_.between(archetype, archetype), {&given, 1},
                        archetype.is_destroyed());
}

bool EntityStore::change(Entity entity, std::span<const ComponentValue> add,
                         std::span<const ComponentId> remove) {
    guard_.expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) return false;
    Archetype* source = &archetype_at(location);
    Archetype* target = changed(*source, add, remove);
    if (target == nullptr) return false;
    std::vector<ComponentValue> given;
    if (!try_reserve(given, add.size())) return false;
    const ArchetypeEdge* edge = graph_.between(*source, *target);
    if (edge == nullptr) return false;
    if (target != source) guard_.count_change();
    if (!edge->hooked.empty()) {
        // A handler may change the entity itself, so the edge is looked up again.
        if (!hooks_->call(entity, edge->hooked)) return false;
        if (!index_.find(entity, location)) return false;
        source = &archetype_at(location);
        target = changed(*source, add, remove);
        if (target == nullptr) return false;
        edge = graph_.between(*source, *target);
        if (edge == nullptr) return false;
    }
    for (const ComponentValue& part : add) {
        const bool is_there = target->has(part.component);
        if (is_there && part.value != nullptr && registry_.value_bytes(part.component) != 0) {
            given.push_back(part);
        }
    }
    if (!edge->hooked.empty()) {
        RowPlan plan(world_);
        const bool is_possible =
            hooks_->plan_leaving(entity, edge->hooked, plan) && plan.move(entity, edge, given);
        if (is_possible) plan.finish();
        settle_relations();  // children of a dropped list are gone
        return is_possible;
    }
    if (!move_special(entity, location, *source, edge, given)) return false;
    if (target == source) {
        // The row stayed, or moved only to other shared values: write it at its current location.
        for (const ComponentValue& part : given) {
            const ComponentKind kind = registry_.info(part.component).kind();
            if (!is_shared_kind(kind) && kind != ComponentKind::chunk) {
                static_cast<void>(set(entity, part.component, part.value));
            }
        }
    }
    return true;
}

// ---- destroying and removing ----

void EntityStore::on_remove(ComponentId component, std::function<void(World&, Entity)> handler) {
    hooks_->set_handler(component, std::move(handler));
    graph_.set_hooked(component);  // from now on the handler is called
}

void EntityStore::set_component_hooks(ComponentId component, const ComponentHooks& hooks) {
    hooks_->set_component_hooks(component, hooks);
    if (!graph_.is_hooked(component)) graph_.set_hooked(component);
}

bool EntityStore::free_row(Entity entity, Location location, Archetype& archetype) noexcept {
    const ChunkSlot slot = slot_at(location);
    recorder_->removed(archetype, {chunk_at(location), location.row(), 1});
    cells_->release(archetype, archetype.owning_columns(), slot, location.row(), 1);
    remove_row(location, archetype);
    index_.release_alive(entity);
    return true;
}

bool EntityStore::destroy_special(Entity entity) {
    t_follow_up_work += 8;
    Location location;
    static_cast<void>(index_.find(entity, location));
    Archetype* archetype = &archetype_at(location);
    if (archetype->is_hooked()) {
        // The edge is looked up before a handler is called, so that later steps seldom fail.
        if (archetype->has_cleanup() && graph_.destroying(*archetype) == nullptr) return false;
        if (!hooks_->call_for_death(entity)) return false;
        if (!index_.find(entity, location)) return true;  // a handler destroyed it
        archetype = &archetype_at(location);
        if (!archetype->has_cleanup() && hooks_->dies_alone(entity)) {
            hooks_->run_component_hooks(entity, archetype->components());
            --entity_count_;
            return free_row(entity, location, *archetype);
        }
        RowPlan plan(world_);
        const bool is_possible = hooks_->plan_death(entity, plan);
        if (is_possible) plan.finish();
        return is_possible;
    }
    if (!archetype->has_cleanup()) {
        --entity_count_;
        return free_row(entity, location, *archetype);
    }
    if (!move_special(entity, location, *archetype, graph_.destroying(*archetype), {}, true)) return false;
    --entity_count_;
    return true;
}

// Removes a component along an edge that is not plain, or from a destroyed entity.
bool EntityStore::remove_special(Entity entity, ComponentId component) {
    Location location;
    if (!locate(entity, location) || component == graph_.destroyed_tag()) return false;
    if (const ComponentHooks::Remover custom_remove = hooks_->remover(component))
        return custom_remove(world_, entity);
    if (graph_.is_hooked(component) && index_.is_alive(entity)) return change(entity, {}, {&component, 1});
    Archetype& archetype = archetype_at(location);
    const ArchetypeEdge* edge = graph_.removing(archetype, component);
    if (edge == nullptr) return false;
    if (edge->target == &archetype) return true;
    const bool is_destroyed = archetype.is_destroyed();
    if (is_destroyed && edge->target->components().size() == 1) return free_row(entity, location, archetype);
    return move_special(entity, location, archetype, edge, {}, is_destroyed);
}

}  // namespace perigee::internal
