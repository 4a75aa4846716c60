// The use of chunks as a picture: archetypes by size, how full each chunk is, what a row consists of, and
// what is wasted. `perigee inspect --svg FILE` writes it.
//
// Invariant: the result is a complete SVG document without scripts and without references to other files;
// names are escaped. Worlds of any size give a picture of at most about a megabyte: small archetypes and the
// cells of many chunks are drawn together, and the picture says so. The figures are those of chunk_usage.h.
#pragma once

#include "ecs/inspect/chunk_usage.h"

#include <string>
#include <string_view>

namespace perigee {

/// At most so many archetypes have a section of their own, the largest first.
inline constexpr std::size_t kMaxPicturedArchetypes = 100;
/// At most so many cells per archetype; beyond, one cell is drawn for several chunks.
inline constexpr std::size_t kMaxPicturedCells = 450;

/// An SVG document. `title` is its headline.
std::string svg_of(const ChunkUsage& usage, std::string_view title);

}  // namespace perigee
