// Records each observed component of the rows, with its values if the trigger has them.
#include "ecs/world/internal/row_recorder.h"

#include "ecs/archetype/archetype_graph.h"
#include "ecs/storage/shared_store.h"

namespace perigee::internal {

// The values come from the column or are the shared value.
void RowRecorder::record_values(Trigger::Kind kind, const Archetype& archetype, ComponentId component,
                                const Archetype::Run& rows) noexcept {
    const ChunkSlot& slot = archetype.chunks()[rows.chunk];
    const std::byte* values = nullptr;
    std::size_t stride = 0;
    const std::uint32_t bytes = registry_.value_bytes(component);
    if (const int column = archetype.column_of(component); column >= 0 && bytes != 0) {
        values =
            Archetype::cell(slot, archetype.layout().columns[static_cast<std::size_t>(column)], rows.row);
        stride = bytes;
    } else if (const int shared = archetype.shared_of(component); shared >= 0) {
        const auto index = static_cast<std::size_t>(shared);
        values = shared_.value(component, archetype.shared_value(slot.partition, index));
    }
    const Entity* const entities = Archetype::entities(slot) + rows.row;
    observers_.record(kind, component, entities, rows.count, values, stride);
}

void RowRecorder::added(const Archetype& archetype, const Entity* entities, std::size_t count) noexcept {
    for (const ComponentId component : archetype.reported()) {
        observers_.record(Trigger::Kind::added, component, entities, count, nullptr, 0);
    }
}

void RowRecorder::removed(const Archetype& archetype, const Archetype::Run& rows) noexcept {
    const Trigger::Kind kind = archetype.is_destroyed() ? Trigger::Kind::removed : Trigger::Kind::destroyed;
    const Entity* const entities = Archetype::entities(archetype.chunks()[rows.chunk]) + rows.row;
    for (const ComponentId component : archetype.reported()) {
        record_values(kind, archetype, component, rows);
        observers_.release_copies(component, entities, rows.count);
    }
}

void RowRecorder::moved(const ArchetypeEdge& edge, const Archetype::Run& rows) noexcept {
    const Archetype &source = *edge.source, &target = *edge.target;
    const Entity* const entities = Archetype::entities(source.chunks()[rows.chunk]) + rows.row;
    const bool is_destroying = target.is_destroyed() && !source.is_destroyed();
    for (const ComponentId component : source.reported()) {
        const bool is_lost = !target.has(component);
        if (is_destroying || is_lost) {
            const Trigger::Kind kind = is_destroying ? Trigger::Kind::destroyed : Trigger::Kind::removed;
            record_values(kind, source, component, rows);
        }
        if (is_lost) observers_.release_copies(component, entities, rows.count);
    }
    if (is_destroying) return;
    for (const ComponentId component : target.reported()) {
        if (source.has(component)) continue;
        observers_.record(Trigger::Kind::added, component, entities, rows.count, nullptr, 0);
    }
}

}  // namespace perigee::internal
