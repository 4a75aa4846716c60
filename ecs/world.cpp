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

// ---- one entity
// -------------------------------------------------------------------------------------------------

Entity World::spawn() { return spawn(graph_.empty()); }

Entity World::spawn(Archetype& archetype) {
    const Entity entity = index_.reserve();
    if (!entity || !place_reserved(entity, archetype)) return Entity{};
    return entity;
}

Entity World::spawn(PrefabId prefab) {
    const Entity entity = index_.reserve();
    if (!entity || !place_reserved(entity, prefab)) return Entity{};
    return entity;
}

bool World::place_reserved(Entity entity, Archetype& archetype) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    const Archetype::Run run = append_row(entity, archetype);
    if (run.count == 0) return false;
    archetype.write_image(run.chunk, run.row, archetype.default_image());
    return true;
}

bool World::place_reserved(Entity entity, PrefabId id) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    const Prefab& prefab = prefabs_.get(id);
    const Archetype::Run run = append_row(entity, *prefab.archetype);
    if (run.count == 0) return false;
    prefab.archetype->write_image(run.chunk, run.row, prefab.image.data());
    return true;
}

// A row for a reserved entity, values not written yet; releases the id when memory is exhausted.
Archetype::Run World::append_row(Entity entity, Archetype& archetype) {
    const Archetype::Run run = archetype.append(1, change_version_);
    if (run.count == 0) {
        index_.release(entity);
        return run;
    }
    const ChunkSlot& slot = archetype.chunks()[run.chunk];
    Archetype::entities(slot)[run.row] = entity;
    index_.place(entity, Location{slot.unit, run.row});
    ++entity_count_;
    return run;
}

void World::release_reserved(Entity entity) noexcept {
    if (index_.is_reserved(entity)) index_.release(entity);
}

bool World::destroy(Entity entity) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    Location location;
    if (!index_.find(entity, location)) return false;
    take_row(location);
    index_.release(entity);
    --entity_count_;
    return true;
}

// Removes a row whose entity goes elsewhere or dies, and corrects the record of the one that moves into the
// hole.
void World::take_row(Location location) {
    Archetype& archetype = graph_.at(units_.archetype[location.unit]);
    const Entity moved = archetype.remove(units_.chunk_index[location.unit], location.row, change_version_);
    if (moved) index_.place(moved, location);
}

// ---- components of one entity
// -----------------------------------------------------------------------------------

bool World::add(Entity entity, ComponentId component, const void* value) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    Location location;
    if (!index_.find(entity, location)) return false;
    const std::uint32_t archetype = units_.archetype[location.unit];
    if (graph_.column_line(archetype, component) == 0) {
        const ArchetypeTransition* transition = graph_.adding(graph_.at(archetype), component);
        if (transition == nullptr || !move(entity, location, *transition, location)) return false;
    }
    if (value != nullptr) static_cast<void>(set(entity, component, value));
    return true;
}

bool World::remove(Entity entity, ComponentId component) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    Location location;
    if (!index_.find(entity, location)) return false;
    const std::uint32_t archetype = units_.archetype[location.unit];
    if (graph_.column_line(archetype, component) == 0) return true;
    const ArchetypeTransition* transition = graph_.removing(graph_.at(archetype), component);
    return transition != nullptr && move(entity, location, *transition, location);
}

// Moves a row along an edge; what only the target has gets its default.
bool World::move(Entity entity, Location from, const ArchetypeTransition& transition, Location& to) {
    Archetype& source = graph_.at(units_.archetype[from.unit]);
    Archetype& target = *transition.target;
    const Archetype::Run run = target.append(1, change_version_);
    if (run.count == 0) return false;
    const ChunkSlot& slot = target.chunks()[run.chunk];
    const std::byte* old_chunk = pool_.address(from.unit);
    Archetype::entities(slot)[run.row] = entity;
    transition.copies.copy_row(old_chunk, from.row, slot.data, run.row);
    transition.defaults.copy_row(target.default_image(), 0, slot.data, run.row);
    to = Location{slot.unit, run.row};
    index_.place(entity, to);
    const Entity moved = source.remove(units_.chunk_index[from.unit], from.row, change_version_);
    if (moved) index_.place(moved, from);
    return true;
}

bool World::has(Entity entity, ComponentId component) const noexcept {
    Location location;
    return index_.find(entity, location) &&
           graph_.column_line(units_.archetype[location.unit], component) != 0;
}

std::byte* World::edit(Entity entity, ComponentId component) noexcept {
    Location location;
    std::byte* value = cell(entity, component, registry_.row_bytes(component), location);
    if (value == nullptr) return nullptr;
    Archetype& archetype = graph_.at(units_.archetype[location.unit]);
    archetype.set_version(units_.chunk_index[location.unit],
                          static_cast<std::uint32_t>(archetype.column_of(component)), change_version_);
    return value;
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
    return &graph_.at(units_.archetype[location.unit]);
}

}  // namespace perigee
