// The limits of a world, fixed when it is created. Not here: limits per mod (ecs/base/divided_pool.h).
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
    std::size_t max_text_bytes = TextPool::kMaxBytes;     ///< of all texts together
    std::size_t max_buffer_bytes = SIZE_MAX;              ///< of all buffers outside the chunks
    std::size_t max_event_bytes = std::size_t{16} << 20;  ///< of the stored events of one type
    ChangeVersion first_change_version = 1;               ///< start value of World::change_version
};

}  // namespace perigee
