// How full the chunks of a world are, by archetype, as data and as text. Source: the archetypes window of
// Unity Entities.
//
// Invariant: it only reads; nothing is changed or stored. `perigee inspect --stats` prints the text. Not
// here: the picture (chunk_picture.h).
#pragma once

#include "ecs/inspect/world_stats.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

struct ColumnUsage {
    std::string component;  ///< empty for the column of entities
    std::uint32_t row_bytes = 0;
};

struct ArchetypeUsage {
    std::uint32_t archetype = 0;  ///< its number
    std::uint64_t hash = 0;       ///< composition_hash
    std::vector<std::string> components;
    std::size_t rows = 0;
    std::size_t chunks = 0;
    std::uint32_t rows_per_chunk = 0;  ///< capacity in rows
    std::uint32_t row_bytes = 0;
    std::size_t chunk_bytes = 0;            ///< of all its chunks
    std::size_t wasted_bytes = 0;           ///< part of them without rows
    std::vector<ColumnUsage> columns;       ///< of a row; the entity first
    std::vector<std::uint32_t> chunk_rows;  ///< rows of each chunk
};

/// How a shared component splits rows over chunks.
struct SharedUsage {
    std::string component;
    std::size_t values = 0;
    std::size_t rows = 0;
    std::size_t chunks = 0;
    std::size_t chunks_needed = 0;  ///< if rows were not split by value
};

struct ChunkUsage {
    WorldStats total;
    std::vector<ArchetypeUsage> archetypes;  ///< those with chunks, by number
    std::vector<SharedUsage> shared;         ///< in bytewise order of names
    /// Components and resources in bytewise order of names; they count in no hash.
    std::vector<std::string> presentation_data = {};
    /// One line for each shared component with so many values that its chunks stay nearly empty.
    std::vector<std::string> warnings;
};

/// Cost: one step per chunk.
ChunkUsage chunk_usage(const World& world);

/// A table: a line for the world, one per archetype, one per shared component, one for all presentation data,
/// then the warnings.
std::string text_of(const ChunkUsage& usage);

}  // namespace perigee
