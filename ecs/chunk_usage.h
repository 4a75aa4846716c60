// How well the chunks of a world are filled, archetype by archetype: the debugger view of Unity Entities, as
// data and as text.
//
// Invariant: figures only; nothing is changed and nothing kept. `perigee inspect --stats` prints the text.
#pragma once

#include "ecs/world.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

struct ArchetypeUsage {
    std::uint32_t archetype = 0;  ///< its number
    std::vector<std::string> components;
    std::size_t rows = 0;
    std::size_t chunks = 0;
    std::uint32_t rows_per_chunk = 0;  ///< that fit
    std::uint32_t row_bytes = 0;
    std::size_t chunk_bytes = 0;   ///< of all its chunks
    std::size_t wasted_bytes = 0;  ///< of them without a row
};

/// How a shared component splits rows over chunks.
struct SharedUsage {
    std::string component;
    std::size_t values = 0;
    std::size_t rows = 0;
    std::size_t chunks = 0;
    std::size_t chunks_needed = 0;  ///< if values did not separate rows
};

struct ChunkUsage {
    WorldStats total;
    std::vector<ArchetypeUsage> archetypes;  ///< those with chunks, by number
    std::vector<SharedUsage> shared;         ///< in bytewise order of names
    /// One line for each shared component whose values are so many that chunks stay nearly empty.
    std::vector<std::string> warnings;
};

/// Cost: one look at each chunk.
ChunkUsage chunk_usage(const World& world);

/// A table: a line for the world, one per archetype, one per shared component, then the warnings.
std::string text_of(const ChunkUsage& usage);

}  // namespace perigee
