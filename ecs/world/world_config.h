// The limits of a world, and its use of memory.
#pragma once

#include "ecs/archetype/chunk_layout.h"
#include "ecs/base/change_version.h"
#include "ecs/schema/text_pool.h"

#include <cstddef>
#include <cstdint>

namespace perigee {

struct WorldConfig {
    ChunkShape shape;
    std::size_t reserved_chunk_bytes = std::size_t{16} << 30;  ///< address space, not memory
    std::uint32_t max_entities = 1u << 27;
    std::size_t most_text_bytes = TextPool::kMostBytes;    ///< of all texts together
    std::size_t max_buffer_bytes = SIZE_MAX;               ///< of all buffers outside the chunks
    std::size_t most_event_bytes = std::size_t{16} << 20;  ///< of the stored events of one type
    ChangeVersion first_change_version = 1;                ///< start value of World::change_version
};

struct WorldStats {
    std::size_t entities = 0;
    std::size_t archetypes = 0;
    std::size_t chunks = 0;
    std::size_t chunk_bytes = 0;   ///< memory of all chunks in use, and of spare chunks of empty archetypes
    std::size_t unused_bytes = 0;  ///< part of it: rows without an entity, padding, and ends of chunks
};

}  // namespace perigee
