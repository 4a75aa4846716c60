// Sums over all archetypes and chunks.
#include "ecs/inspect/world_stats.h"

#include "ecs/world/world.h"

#include <cstdint>
#include <map>

namespace perigee {

std::vector<SharedValue> shared_values(const World& world, ComponentId component) {
    std::map<SharedIndex, SharedValue> values;
    for (std::size_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(static_cast<std::uint32_t>(i));
        const int shared = archetype.shared_of(component);
        if (shared < 0) continue;
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            const SharedIndex index =
                archetype.shared_value(slot.partition, static_cast<std::size_t>(shared));
            SharedValue& value =
                values.try_emplace(index, SharedValue{index, world.shared().value(component, index), 0, 0})
                    .first->second;
            value.entities += slot.row_count;
            ++value.chunks;
        }
    }
    std::vector<SharedValue> list;
    list.reserve(values.size());
    for (const auto& [index, value] : values) list.push_back(value);
    return list;
}

WorldStats stats_of(const World& world) noexcept {
    WorldStats stats;
    stats.entities = world.entity_count();
    stats.archetypes = world.archetypes().size();
    for (std::size_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(static_cast<std::uint32_t>(i));
        const std::size_t bytes = archetype.layout().unit_count * world.store().pool().unit_stride();
        stats.chunks += archetype.chunk_count();
        const std::size_t chunks = archetype.chunk_count() + (archetype.has_spare() ? 1 : 0);
        stats.chunk_bytes += chunks * bytes;
        stats.unused_bytes += chunks * bytes - archetype.entity_count() * archetype.layout().row_bytes;
    }
    return stats;
}

}  // namespace perigee
