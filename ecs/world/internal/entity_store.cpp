// Changes to rows of plain archetypes. Other kinds are in entity_store_special.cpp.
#include "ecs/world/internal/entity_store.h"

#include "ecs/archetype/internal/row_cells.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/query/relation_index.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/internal/log_access.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/internal/row_recorder.h"
#include "ecs/world/internal/row_runs.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"

namespace perigee::internal {

RowImage image_of(const Prefab& prefab) noexcept {
    return {prefab.image.data(), prefab.shared, prefab.extras.empty() ? nullptr : &prefab};
}

EntityStore::EntityStore(World& world, ComponentRegistry& registry, const WorldConfig& config)
    : world_(world),
      registry_(registry),
      shared_(world.shared()),
      pool_(config.shape.unit_bytes, config.reserved_chunk_bytes),
      graph_(registry, pool_, units_, shared_, config.shape),
      index_(config.max_entities),
      version_(config.first_change_version),
      guard_(world),
      relations_(std::make_unique<RelationIndex>(
          registry, graph_, index_, units_, pool_,
          [this] {
              const RunScope* const scope = run_scope(world_);
              if (scope != nullptr) return scope->version;
              return guard_.is_locked() ? version_ : ++version_;  // so that later writes are newer
          })),
      queries_(std::make_unique<QueryList>(world, registry, shared_, *relations_)),
      hooks_(std::make_unique<RemovalHooks>(world)),
      recorder_(std::make_unique<RowRecorder>(world.observers(), registry, shared_)),
      cells_(std::make_unique<RowCells>(world.buffers(), world.objects())) {
    graph_.on_created([this](Archetype& archetype) {
        archetype.buffer_source = {&cells_->buffers(), &guard_.version()};
        archetype.set_reported(world_.observers().reported_of(archetype.components()));
        queries_->add_archetype(archetype);
    });
}

// Releases the memory owned by all rows, while the columns still exist.
EntityStore::~EntityStore() {
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
        const Archetype& archetype = graph_.at(i);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            cells_->release(archetype, slot, 0, slot.row_count);
        }
    }
}

// ---- one entity ----

Entity EntityStore::spawn(Archetype& archetype) {
    ECS_EXPECTS(graph_.has(archetype), "an archetype of another world");
    return spawn_image(archetype, image_of(archetype));
}

Entity EntityStore::spawn_image(Archetype& archetype, const RowImage& image) {
    guard_.begin_change();
    if (!archetype.is_plain()) [[unlikely]] {
        Entity made;
        return spawn_runs(*this, archetype, image, 1, {}, &made) == 1 ? made : Entity{};
    }
    const ChunkSlot* slot = append_entity(archetype);
    if (slot == nullptr) return Entity{};
    const std::uint32_t row = slot->row_count - 1;
    archetype.write_image(*slot, row, image.columns);
    return Archetype::entities(*slot)[row];
}

ChunkSlot* EntityStore::append_entity(Archetype& archetype) noexcept {
    if (!index_.has_room()) return nullptr;
    ChunkSlot* slot = archetype.append_row(version_);
    if (slot == nullptr) return nullptr;
    const std::uint32_t row = slot->row_count - 1;
    Archetype::entities(*slot)[row] = index_.create(Location(slot->unit, row));
    ++entity_count_;
    return slot;
}

bool EntityStore::place_image(Entity entity, Archetype& archetype, const RowImage& image) {
    if (!archetype.is_plain()) [[unlikely]]
        return place_runs(*this, {&entity, 1}, archetype, image) == 1;
    guard_.begin_change();
    ChunkSlot* slot = archetype.append_row(version_);
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

bool EntityStore::destroy(Entity entity) {
    guard_.expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) return false;
    guard_.count_change();
    Archetype& archetype = archetype_at(location);
    if (!archetype.is_plain() || index_.notes_deaths()) [[unlikely]]
        return destroy_target(entity);
    remove_plain_row(location, archetype);
    index_.release_unnoted(entity);
    --entity_count_;
    return true;
}

// ---- components of one entity ----

bool EntityStore::add(Entity entity, ComponentId component, const void* value) {
    guard_.expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) return false;
    Archetype& archetype = archetype_at(location);
    const ArchetypeEdge* edge = graph_.adding(archetype, component);
    if (edge == nullptr) return false;
    if (edge->target == &archetype) {
        return value == nullptr || registry_.value_bytes(component) == 0 ||
               graph_.column_place(archetype.index(), component).is_chunk_value() ||
               set(entity, component, value);
    }
    guard_.count_change();
    if (!edge->is_plain) [[unlikely]] {
        if (component == graph_.destroyed_tag()) return false;
        const ComponentValue given{component, static_cast<const std::byte*>(value)};
        return move_special(entity, location, archetype, edge, {&given, 1});
    }
    return move(entity, location, archetype, *edge, value);
}

bool EntityStore::remove(Entity entity, ComponentId component) {
    guard_.expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) {
        guard_.count_change();
        return remove_special(entity, component);
    }
    Archetype& archetype = archetype_at(location);
    const ArchetypeEdge* edge = graph_.removing(archetype, component);
    if (edge == nullptr) return false;
    if (edge->target == &archetype) return true;
    guard_.count_change();
    if (!edge->is_plain) [[unlikely]]
        return remove_special(entity, component);
    return move(entity, location, archetype, *edge, nullptr);
}

// Moves a row along a plain edge; a new column gets `added_value`, or its default. False when memory is
// exhausted.
bool EntityStore::move(Entity entity, Location from, Archetype& source, const ArchetypeEdge& edge,
                       const void* added_value) {
    Archetype& target = *edge.target;
    const ChunkSlot* slot = target.append_row(version_);
    if (slot == nullptr) return false;
    const std::uint32_t row = slot->row_count - 1;
    Archetype::entities(*slot)[row] = entity;
    index_.place(entity, Location(slot->unit, row));
    edge.copies.copy_row(pool_.address(from.unit()), from.row(), slot->data, row);
    if (const CopyPlan::Op& added = edge.added; added.size != 0) {
        copy_value(slot->data + added.target_offset + std::size_t{row} * added.size,
                   added_value != nullptr ? static_cast<const std::byte*>(added_value)
                                          : target.default_image() + added.source_offset,
                   added.size);
    }
    remove_plain_row(from, source);
    return true;
}

bool EntityStore::has(Entity entity, ComponentId component) const noexcept {
    Location location;
    return locate(entity, location) &&
           graph_.column_place(units_.archetype[location.unit()], component).is_present();
}

std::byte* EntityStore::edit(Entity entity, ComponentId component) {
    Location location;
    if (!locate(entity, location)) return nullptr;
    Archetype& archetype = archetype_at(location);
    const ColumnPlace place = graph_.column_place(archetype.index(), component);
    const std::uint32_t chunk = chunk_at(location);
    if (!place.has_column()) {
        if (!place.is_chunk_value()) return nullptr;
        archetype.set_version(chunk, archetype.chunk_value_slot(place.column), writing_version());
        std::byte* const value = archetype.chunk_value(chunk, place.column);
        log_access(world_, component, Access::write, value);
        return value;
    }
    archetype.set_version(chunk, place.column, writing_version());
    std::byte* const cell = cell_at(location, place, place.size);
    log_access(world_, component, Access::write, cell);
    return cell;
}

bool EntityStore::set(Entity entity, ComponentId component, const void* value) {
    const std::uint32_t bytes = registry_.value_bytes(component);
    std::byte* target = bytes == 0 ? nullptr : edit(entity, component);
    if (target == nullptr) return set_shared(entity, component, value);
    copy_value(target, static_cast<const std::byte*>(value), bytes);
    return true;
}

bool EntityStore::set_enabled(Entity entity, ComponentId component, bool is_enabled) {
    Location location;
    if (!index_.find(entity, location)) return false;
    const std::uint32_t number = units_.archetype[location.unit()];
    const ColumnPlace place = graph_.column_place(number, component);
    if (place.mask == 0) return false;
    Archetype& archetype = graph_.at(number);
    const std::uint32_t chunk = chunk_at(location);
    archetype.set_version(chunk, enabled_slot(archetype, place), writing_version());
    auto* words = reinterpret_cast<std::uint64_t*>(pool_.address(location.unit())) + place.mask;
    set_row_bit(words, location.row(), is_enabled);
    return true;
}

bool EntityStore::is_enabled(Entity entity, ComponentId component) const noexcept {
    Location location;
    if (!locate(entity, location)) return false;
    const ColumnPlace place = graph_.column_place(units_.archetype[location.unit()], component);
    if (place.mask == 0) return place.is_present();
    const auto* words = reinterpret_cast<const std::uint64_t*>(pool_.address(location.unit())) + place.mask;
    return row_bit(words, location.row());
}

}  // namespace perigee::internal
