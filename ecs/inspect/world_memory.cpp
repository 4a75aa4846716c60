// One line for each pool.
#include "ecs/inspect/world_memory.h"

#include "ecs/base/contract.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <cstdint>

namespace perigee {

PerMemoryKind<std::size_t> world_memory(const World& world) noexcept {
    PerMemoryKind<std::size_t> bytes;
    bytes[MemoryKind::chunks] = world.store().pool().used_bytes();
    bytes[MemoryKind::archetypes] = world.archetypes().bytes();
    bytes[MemoryKind::types] = world.registry().bytes();
    bytes[MemoryKind::buffers] = world.buffers().stats().bytes_in_use;
    bytes[MemoryKind::texts] = world.texts().stats().bytes;
    bytes[MemoryKind::blobs] = world.blobs().byte_count();
    bytes[MemoryKind::events] = world.events().byte_count();
    bytes[MemoryKind::prefabs] = world.prefabs().bytes();
    bytes[MemoryKind::queries] = world.store().queries().bytes();
    return bytes;
}

std::size_t world_count(const World& world, MemoryKind kind) noexcept {
    ECS_EXPECTS(!counts_bytes(kind), name_of(kind));
    return kind == MemoryKind::types ? world.registry().size() : world.archetypes().known_count();
}

PerMemoryKind<std::size_t> max_world_units(const World& world) noexcept {
    PerMemoryKind<std::size_t> max;
    for (const MemoryKind kind : kAllMemoryKinds) max[kind] = SIZE_MAX;
    max[MemoryKind::chunks] = world.store().pool().capacity_bytes();
    max[MemoryKind::archetypes] = kMaxArchetypes;
    max[MemoryKind::types] = kMaxComponents;
    max[MemoryKind::buffers] = world.buffers().limit_bytes();
    max[MemoryKind::texts] = world.texts().max_bytes();
    max[MemoryKind::blobs] = BlobStore::kMaxBytes;
    return max;
}

}  // namespace perigee
