// Cells that own memory outside the chunk: found by entity, freed with their row, copied with a clone.
#include "ecs/base/contract.h"
#include "ecs/storage/internal/owned_cells.h"
#include "ecs/world/world.h"

#include <cstring>
#include <new>
#include <utility>

namespace perigee {

void World::release_cells(const Archetype& archetype, std::span<const OwningColumn> columns,
                          const ChunkSlot& slot, std::uint32_t first, std::uint32_t count) noexcept {
    for (const OwningColumn& owning : columns) {
        const Column& column = archetype.layout().columns[owning.column];
        for (std::uint32_t row = first; row < first + count; ++row) {
            release_cell(*owning.info, Archetype::cell(slot, column, row));
        }
    }
}

// Gives the owning cells of a bytewise copied row their own memory. False when memory is exhausted.
bool World::clone_cells(const Archetype& archetype, const ChunkSlot& slot, std::uint32_t row) noexcept {
    const std::span<const OwningColumn> columns = archetype.owning_columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::byte* cell = Archetype::cell(slot, archetype.layout().columns[columns[i].column], row);
        if (clone_cell(*columns[i].info, cell)) continue;
        release_cells(archetype, columns.first(i), slot, row, 1);
        return false;
    }
    return true;
}

void World::release_cell(const ComponentInfo& info, std::byte* cell) noexcept {
    internal::release_cell(info, cell, *buffers_, objects_);
}

bool World::clone_cell(const ComponentInfo& info, std::byte* cell) noexcept {
    return internal::clone_cell(info, cell, cell, *buffers_, objects_);
}

// Releases the memory owned by all rows, while the columns still exist.
void World::release_all_cells() noexcept {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
        const Archetype& archetype = graph_.at(static_cast<std::uint32_t>(i));
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            release_cells(archetype, archetype.owning_columns(), slot, 0, slot.row_count);
        }
    }
}

DynamicBuffer World::buffer(Entity entity, ComponentId component) {
    const ComponentInfo& info = registry_.info(component);
    ECS_EXPECTS(info.kind() == ComponentKind::buffer, info.schema.name);
    std::byte* const cell = edit(entity, component);
    if (cell == nullptr) return DynamicBuffer{};
    return DynamicBuffer(cell, info, *buffers_, structure_version_);
}

bool World::set_object(Entity entity, ComponentId component, std::shared_ptr<void> object, ObjectOwner owner,
                       const std::type_info* type) {
    ECS_EXPECTS(registry_.info(component).kind() == ComponentKind::object,
                registry_.info(component).schema.name);
    std::byte* const cell = edit(entity, component);
    if (cell == nullptr) return false;
    ObjectSlot slot;
    std::memcpy(&slot, cell, sizeof slot);
    // The cell first: a destructor may come back and look.
    const std::shared_ptr<void> before = objects_.get(slot);
    try {
        objects_.assign(slot, std::move(object), owner, type);
    } catch (const std::bad_alloc&) {
        return false;
    }
    std::memcpy(cell, &slot, sizeof slot);
    return true;
}

ObjectSlot World::object_slot(Entity entity, ComponentId component) const {
    ECS_EXPECTS(registry_.info(component).kind() == ComponentKind::object,
                registry_.info(component).schema.name);
    ObjectSlot slot = 0;
    if (const std::byte* cell = get(entity, component)) std::memcpy(&slot, cell, sizeof slot);
    return slot;
}

}  // namespace perigee
