// Entities and their rows: the part of the world where record, row and archetype are kept in agreement. Here
// is the path of plain archetypes; the kinds that need more are in world_rows.cpp, types, queries and prefabs
// in world_types.cpp, bulk operations in world_bulk.cpp and world_by_query.cpp.
#include "ecs/world/world.h"

#include "ecs/base/contract.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/base/memory_quota.h"
#include "ecs/world/internal/id_pool.h"

#include <cstring>
#include <new>

namespace perigee {

World::World(WorldConfig config)
    : texts_(config.most_text_bytes),
      registry_(&texts_),
      blobs_(registry_, texts_),
      buffers_(std::make_unique<BufferPool>(config.max_buffer_bytes)),
      pool_(config.shape.unit_bytes, config.reserved_chunk_bytes),
      graph_(registry_, pool_, units_, shared_, config.shape),
      index_(config.max_entities),
      events_(config.most_event_bytes, &registry_.types()),
      observers_(registry_),
      change_version_(config.first_change_version) {
    graph_.on_created([this](Archetype& archetype) {
        archetype.buffer_source = {buffers_.get(), &structure_version_};
        archetype.set_reported(observers_.reported_of(archetype.components()));
        std::size_t told = 0;
        try {
            std::size_t bytes = 0;
            for (; told < queries_.size(); ++told) {
                const std::size_t before = queries_[told]->bytes();
                queries_[told]->consider(archetype);
                bytes += queries_[told]->bytes() - before;
            }
            if (!internal::may_take(MemoryKind::queries, bytes)) throw std::bad_alloc();
            query_bytes_ += bytes;
        } catch (...) {
            while (told > 0) queries_[--told]->retract(archetype);
            throw;
        }
    });
}

World::~World() { release_all_cells(); }

// ---- one entity ----

Entity World::spawn() { return spawn(graph_.empty()); }

Entity World::spawn(Archetype& archetype) { return spawn_image(archetype, image_of(archetype)); }

Entity World::spawn(PrefabId id) {
    const Prefab& prefab = prefabs_.get(id);
    const Entity root = spawn_image(*prefab.archetype, image_of(prefab));
    if (prefab.parts.empty() || !root) return root;
    return complete(prefab, {&root, 1}) == 1 ? root : Entity{};
}

Entity World::spawn_image(Archetype& archetype, const RowImage& image) {
    begin_structural_change();
    if (!archetype.is_plain()) [[unlikely]] {
        Entity made;
        return spawn_runs(archetype, image, 1, {}, &made) == 1 ? made : Entity{};
    }
    const ChunkSlot* slot = append_entity(archetype);
    if (slot == nullptr) return Entity{};
    const std::uint32_t row = slot->row_count - 1;
    archetype.write_image(*slot, row, image.columns);
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
    return place_image(entity, archetype, image_of(archetype));
}

bool World::place_reserved(Entity entity, PrefabId id) {
    const Prefab& prefab = prefabs_.get(id);
    return place_image(entity, *prefab.archetype, image_of(prefab)) && complete(prefab, {&entity, 1}) == 1;
}

bool World::place_image(Entity entity, Archetype& archetype, const RowImage& image) {
    if (!archetype.is_plain()) [[unlikely]]
        return place_runs({&entity, 1}, archetype, image) == 1;
    begin_structural_change();
    ChunkSlot* slot = archetype.append_row(change_version_);
    if (slot == nullptr) {
        index_.release(entity);
        return false;
    }
    const std::uint32_t row = slot->row_count - 1;
    Archetype::entities(*slot)[row] = entity;
    index_.place(entity, Location(slot->unit, row));
    ++entity_count_;
    archetype.write_image(*slot, row, image.columns);
    return true;
}

Entity World::reserve() {
    const RunScope* const scope = run_scope(*this);
    return scope != nullptr && scope->ids != nullptr ? scope->ids->take(index_) : index_.reserve();
}

void World::release_reserved(Entity entity) noexcept {
    if (!index_.is_reserved(entity)) return;
    const RunScope* const scope = run_scope(*this);
    if (scope != nullptr && scope->ids != nullptr) {
        scope->ids->give_back(entity);
    } else {
        index_.release(entity);
    }
}

bool World::destroy(Entity entity) {
    expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) return false;
    ++structure_version_;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    if (!archetype.is_plain()) [[unlikely]]
        return destroy_special(entity);
    take_row(location, archetype);
    index_.release_alive(entity);
    --entity_count_;
    return true;
}

// ---- components of one entity ----

bool World::add(Entity entity, ComponentId component, const void* value) {
    expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) return false;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ArchetypeTransition* transition = graph_.adding(archetype, component);
    if (transition == nullptr) return false;
    if (transition->target == &archetype) {
        return value == nullptr || registry_.value_bytes(component) == 0 || set(entity, component, value);
    }
    ++structure_version_;
    if (!transition->is_plain) [[unlikely]] {
        if (component == graph_.destroyed_tag()) return false;
        const ComponentValue given{component, static_cast<const std::byte*>(value)};
        return move_special(entity, location, archetype, transition, {&given, 1});
    }
    return move(entity, location, archetype, *transition, value);
}

bool World::remove(Entity entity, ComponentId component) {
    expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) {
        ++structure_version_;
        return remove_special(entity, component);
    }
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ArchetypeTransition* transition = graph_.removing(archetype, component);
    if (transition == nullptr) return false;
    if (transition->target == &archetype) return true;
    ++structure_version_;
    if (!transition->is_plain) [[unlikely]]
        return remove_special(entity, component);
    return move(entity, location, archetype, *transition, nullptr);
}

// Moves a row along a plain edge; a new column gets `added_value`, or its default. False when memory is
// exhausted.
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
    return locate(entity, location) &&
           graph_.column_place(units_.archetype[location.unit()], component).is_present();
}

std::byte* World::edit(Entity entity, ComponentId component) {
    Location location;
    if (!locate(entity, location)) return nullptr;
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ColumnPlace place = graph_.column_place(archetype.index(), component);
    const std::uint32_t chunk = units_.chunk_index[location.unit()];
    if (!place.has_column()) {
        if (!place.is_chunk_value()) return nullptr;
        archetype.set_version(chunk, archetype.chunk_value_slot(place.column), change_version());
        std::byte* const value = archetype.chunk_value(chunk, place.column);
        note_cell(component, Access::write, value);
        return value;
    }
    archetype.set_version(chunk, place.column, change_version());
    std::byte* const cell = cell_at(location, place, place.size);
    note_cell(component, Access::write, cell);
    return cell;
}

bool World::set(Entity entity, ComponentId component, const void* value) {
    const std::uint32_t bytes = registry_.value_bytes(component);
    std::byte* target = bytes == 0 ? nullptr : edit(entity, component);
    if (target == nullptr) return set_shared(entity, component, value);
    internal::copy_value(target, static_cast<const std::byte*>(value), bytes);
    return true;
}

bool World::set_enabled(Entity entity, ComponentId component, bool is_enabled) {
    Location location;
    if (!index_.find(entity, location)) return false;
    const std::uint32_t number = units_.archetype[location.unit()];
    const ColumnPlace place = graph_.column_place(number, component);
    if (place.mask == 0) return false;
    Archetype& archetype = graph_.at(number);
    const std::uint32_t chunk = units_.chunk_index[location.unit()];
    const std::uint32_t slot = place.has_column() ? place.column : archetype.mask_slot(place.column);
    archetype.set_version(chunk, slot, change_version());
    auto* words = reinterpret_cast<std::uint64_t*>(pool_.address(location.unit())) + place.mask;
    internal::set_row_bit(words, location.row(), is_enabled);
    return true;
}

bool World::is_enabled(Entity entity, ComponentId component) const noexcept {
    Location location;
    if (!locate(entity, location)) return false;
    const ColumnPlace place = graph_.column_place(units_.archetype[location.unit()], component);
    if (place.mask == 0) return place.is_present();
    const auto* words = reinterpret_cast<const std::uint64_t*>(pool_.address(location.unit())) + place.mask;
    return internal::row_bit(words, location.row());
}

const Archetype* World::archetype_of(Entity entity) const noexcept {
    Location location;
    if (!locate(entity, location)) return nullptr;
    return &graph_.at(units_.archetype[location.unit()]);
}

}  // namespace perigee
