// Swaps the two forms, and frees the one that is no longer used. Nothing here can fail.
#include "ecs/migrate/internal/schema_rebuild.h"
#include "ecs/query/relation_index.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <utility>

namespace perigee::internal {

bool SchemaRebuild::is_bound(const World& world, ComponentId component) noexcept {
    return world.registry().types().is_bound(component);
}

// Swaps back in reverse order. References to shared values are released in the store that counted them.
SchemaRebuild::~SchemaRebuild() {
    if (is_finished_) return;
    if (has_blobs_) world_.blobs().exchange(blobs_);
    if (has_queries_) exchange_queries();
    if (has_prefabs_) exchange_prefabs();
    release_prefab_values();
    if (has_single_values_) exchange_single_values();
    if (has_archetypes_) exchange_archetypes();
    release_buffers(archetypes_, true);
    archetypes_.clear();
    if (has_pools_) exchange_shared_values();
    if (has_closures_) store_.registry().exchange_closures(closures_);
    if (!has_descriptions_) return;
    for (const std::unique_ptr<Type>& type : types_) store_.registry().exchange(type->other);
}

void SchemaRebuild::finish() noexcept {
    is_finished_ = true;
    world_.blobs().drop(blobs_);
    place_entities();
    release_prefab_values();
    release_buffers(archetypes_, false);
    for (const std::unique_ptr<Type>& type : types_) {
        for (const auto& [before, index] : type->shared) world_.shared().release(type->id, index);
    }
    exchange_shared_values();  // the old archetypes reference the old values
    archetypes_.clear();
    exchange_shared_values();
    store_.relations().reset();
    store_.typed_archetypes().clear();  // the requirements of a component may have changed
    store_.guard().count_change();
}

void SchemaRebuild::exchange_shared_values() noexcept {
    for (const std::unique_ptr<Type>& type : types_) {
        if (type->is_rebuilt && is_shared_kind(now(*type).kind()))
            world_.shared().exchange(type->id, type->pool);
    }
}

void SchemaRebuild::exchange_archetypes() noexcept {
    for (const std::unique_ptr<Archetype>& twin : archetypes_) {
        store_.graph().at(twin->index()).exchange(*twin);
        store_.graph().update_places(twin->index());
    }
    store_.graph().forget_edges();
}

void SchemaRebuild::exchange_single_values() noexcept {
    for (const std::unique_ptr<Type>& type : types_) {
        if (type->resource != nullptr) world_.resources().exchange(type->id, type->resource);
        if (type->is_rebuilt && now(*type).kind() == ComponentKind::event)
            world_.events().exchange(type->id, type->events, type->event_bytes);
        world_.observers().exchange(type->watch);
    }
}

void SchemaRebuild::exchange_prefabs() noexcept {
    for (std::uint32_t i = 0; i < prefabs_.size(); ++i)
        std::swap(world_.prefabs().get(PrefabId{i}), prefabs_[i]);
}

void SchemaRebuild::exchange_queries() noexcept {
    for (std::size_t i = 0; i < queries_.size(); ++i) store_.queries().all()[i]->exchange(*queries_[i]);
}

// Memory owned by cells of changed buffer types. The copies have them in the form that is not in use.
void SchemaRebuild::release_buffers(const std::vector<std::unique_ptr<Archetype>>& archetypes,
                                    bool are_new) noexcept {
    for (const std::unique_ptr<Archetype>& archetype : archetypes) {
        for (const OwningColumn& owning : archetype->owning_columns()) {
            const Type* const type = find(owning.info->id);
            if (type == nullptr || now(*type).kind() != ComponentKind::buffer) continue;
            const std::uint32_t element = are_new ? now(*type).schema.size : type->other.schema.size;
            const Column& column = archetype->layout().columns[owning.column];
            for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
                const ChunkSlot& slot = archetype->chunks()[chunk];
                for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                    auto& header = *reinterpret_cast<BufferHeader*>(Archetype::cell(slot, column, row));
                    release_buffer(header, element, world_.buffers());
                }
            }
        }
    }
}

// For prefabs that are not in use: references to changed types are dropped with all values of the type.
void SchemaRebuild::release_prefab_values() noexcept {
    for (const Prefab& prefab : prefabs_) {
        const std::span<const ComponentId> shared = prefab.archetype->shared_components();
        for (std::size_t i = 0; i < prefab.shared.size(); ++i) {
            if (find(shared[i]) == nullptr) world_.shared().release(shared[i], prefab.shared[i]);
        }
    }
}

void SchemaRebuild::place_entities() noexcept {
    for (const std::unique_ptr<Archetype>& twin : archetypes_) {
        const Archetype& archetype = store_.graph().at(twin->index());
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            const Entity* const entities = Archetype::entities(slot);
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                store_.index().place(entities[row], Location(slot.unit, row), archetype.is_destroyed());
            }
        }
    }
}

}  // namespace perigee::internal
