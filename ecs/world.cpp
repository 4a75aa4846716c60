// Entities and their rows: the part of the world where record, row and archetype are kept in agreement.
// Types, queries and prefabs are in world_types.cpp, bulk operations in world_bulk.cpp.
#include "ecs/world.h"

#include "ecs/contract.h"
#include "ecs/internal/copy_value.h"

#include <cstring>

namespace perigee {

World::World(WorldConfig config)
    : pool_(config.shape.unit_bytes, config.reserved_chunk_bytes),
      graph_(registry_, pool_, units_, config.shape),
      index_(config.max_entities) {
    graph_.on_created([this](Archetype& archetype) {
        for (const std::unique_ptr<Query>& query : queries_) query->consider(archetype);
    });
}

World::~World() = default;

// ---- one entity ----

Entity World::spawn() { return spawn(graph_.empty()); }

Entity World::spawn(Archetype& archetype) { return spawn_image(archetype, archetype.default_image()); }

Entity World::spawn(PrefabId id) {
    const Prefab& prefab = prefabs_.get(id);
    return spawn_image(*prefab.archetype, prefab.image.data());
}

Entity World::spawn_image(Archetype& archetype, const std::byte* image) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    const ChunkSlot* slot = append_entity(archetype);
    if (slot == nullptr) return Entity{};
    const std::uint32_t row = slot->row_count - 1;
    archetype.write_image(*slot, row, image);
    return Archetype::entities(*slot)[row];
}

// A new entity in the last row of the chunk that is returned, values not written yet; null when memory or ids
// are exhausted.
ChunkSlot* World::append_entity(Archetype& archetype) noexcept {
    if (!index_.has_room()) return nullptr;
    ChunkSlot* slot = archetype.append_row(change_version_);
    if (slot == nullptr) return nullptr;
    const std::uint32_t row = slot->row_count - 1;
    Archetype::entities(*slot)[row] = index_.create(Location(slot->unit, row));
    ++entity_count_;
    return slot;
}

bool World::place_reserved(Entity entity, Archetype& archetype) {
    return place_image(entity, archetype, archetype.default_image());
}

bool World::place_reserved(Entity entity, PrefabId id) {
    const Prefab& prefab = prefabs_.get(id);
    return place_image(entity, *prefab.archetype, prefab.image.data());
}

bool World::place_image(Entity entity, Archetype& archetype, const std::byte* image) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    ChunkSlot* slot = archetype.append_row(change_version_);
    if (slot == nullptr) {
        index_.release(entity);
        return false;
    }
    const std::uint32_t row = slot->row_count - 1;
    Archetype::entities(*slot)[row] = entity;
    index_.place(entity, Location(slot->unit, row));
    ++entity_count_;
    archetype.write_image(*slot, row, image);
    return true;
}

void World::release_reserved(Entity entity) noexcept {
    if (index_.is_reserved(entity)) index_.release(entity);
}

bool World::destroy(Entity entity) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    Location location;
    if (!index_.find(entity, location)) return false;
    take_row(location, graph_.at(units_.archetype[location.unit()]));
    index_.release_alive(entity);
    --entity_count_;
    return true;
}

// Removes a row whose entity goes elsewhere or dies, and corrects the record of the one that moves into the
// hole.
void World::take_row(Location location, Archetype& archetype) {
    const Entity moved =
        archetype.remove(units_.chunk_index[location.unit()], location.row(), change_version_);
    if (moved) index_.place(moved, location);
}

// ---- components of one entity ----

bool World::add(Entity entity, ComponentId component, const void* value) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    Location location;
    if (!index_.find(entity, location)) return false;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ArchetypeTransition* transition = graph_.adding(archetype, component);
    if (transition == nullptr) return false;
    if (transition->target == &archetype) {
        if (value != nullptr) static_cast<void>(set(entity, component, value));
        return true;
    }
    return move(entity, location, archetype, *transition, value);
}

bool World::remove(Entity entity, ComponentId component) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    Location location;
    if (!index_.find(entity, location)) return false;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ArchetypeTransition* transition = graph_.removing(archetype, component);
    if (transition == nullptr) return false;
    return transition->target == &archetype || move(entity, location, archetype, *transition, nullptr);
}

// Moves a row along an edge; a new column gets `added_value`, or its default. False when memory is exhausted.
bool World::move(Entity entity, Location from, Archetype& source, const ArchetypeTransition& transition,
                 const void* added_value) {
    Archetype& target = *transition.target;
    const ChunkSlot* slot = target.append_row(change_version_);
    if (slot == nullptr) return false;
    const std::uint32_t row = slot->row_count - 1;
    Archetype::entities(*slot)[row] = entity;
    index_.place(entity, Location(slot->unit, row));
    transition.copies.copy_row(pool_.address(from.unit()), from.row(), slot->data, row);
    if (const internal::CopyPlan::Op& added = transition.added; added.size != 0) {
        internal::copy_value(slot->data + added.target_offset + std::size_t{row} * added.size,
                             added_value != nullptr ? static_cast<const std::byte*>(added_value)
                                                    : target.default_image() + added.source_offset,
                             added.size);
    }
    take_row(from, source);
    return true;
}

bool World::has(Entity entity, ComponentId component) const noexcept {
    Location location;
    return index_.find(entity, location) &&
           graph_.column_place(units_.archetype[location.unit()], component).is_present();
}

std::byte* World::edit(Entity entity, ComponentId component) noexcept {
    Location location;
    if (!index_.find(entity, location)) return nullptr;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ColumnPlace place = graph_.column_place(archetype.index(), component);
    if (!place.has_column()) return nullptr;
    archetype.set_version(units_.chunk_index[location.unit()], place.column, change_version_);
    return cell_at(location, place, place.size);
}

bool World::set(Entity entity, ComponentId component, const void* value) noexcept {
    std::byte* target = edit(entity, component);
    if (target == nullptr) return false;
    internal::copy_value(target, static_cast<const std::byte*>(value), registry_.row_bytes(component));
    return true;
}

const Archetype* World::archetype_of(Entity entity) const noexcept {
    Location location;
    if (!index_.find(entity, location)) return nullptr;
    return &graph_.at(units_.archetype[location.unit()]);
}

}  // namespace perigee
