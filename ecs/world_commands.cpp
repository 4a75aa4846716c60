// What command playback needs beyond the operations of everyone: reserved ids brought to life in bulk.
#include "ecs/contract.h"
#include "ecs/world.h"

#include <algorithm>

namespace perigee {

std::size_t World::place_reserved(std::span<const Entity> entities, PrefabId id) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    const Prefab& prefab = prefabs_.get(id);
    Archetype& archetype = *prefab.archetype;
    std::size_t done = 0;
    while (done < entities.size()) {
        const auto wanted =
            static_cast<std::uint32_t>(std::min<std::size_t>(entities.size() - done, kMaxChunkRows));
        const Archetype::Run run = archetype.append(wanted, change_version_);
        if (run.count == 0) break;
        const ChunkSlot& slot = archetype.chunks()[run.chunk];
        std::copy_n(entities.begin() + static_cast<std::ptrdiff_t>(done), run.count,
                    Archetype::entities(slot) + run.row);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            index_.place(entities[done + i], Location{slot.unit, run.row + i});
        }
        archetype.write_images(run.chunk, run.row, run.count, prefab.image.data());
        done += run.count;
    }
    entity_count_ += done;
    for (std::size_t rest = entities.size(); rest > done; --rest) index_.release(entities[rest - 1]);
    return done;
}

}  // namespace perigee
