// Where the kept items of a chunk are in a frame.
//
// Not here: which items those are (kept_sprites.h).
#pragma once

#include "ecs/archetype/archetype.h"
#include "ecs/query/chunk_view.h"
#include "engine/extract/internal/extract_frame.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee::internal {

/// Lifetime: as the view.
inline const ChunkSlot& slot_of(const ChunkView& chunk) noexcept {
    return chunk.archetype().chunks()[chunk.chunk_index()];
}

/// Copies the positions of as many rows as `points` has.
void copy_positions(const PositionColumn& column, const std::byte* positions,
                    std::span<PreviousPositions::Point> points);

/// Writes the places of rows: between the remembered ones and the current ones, or the current ones. `rows`:
/// those of the places, empty if place i is of row i. False if one is NaN or infinite.
/// Expects: term 0 is Position. Cost: about 1 ns a place.
bool find_places(const ExtractFrame& frame, const ChunkView& chunk, std::span<const std::uint32_t> rows,
                 bool is_between, std::span<ItemPlace> places);

/// How many of them may be on the screen, within `reach`.
std::size_t count_seen(std::span<const ItemPlace> places, const SeenLayer& seen, float reach);

}  // namespace perigee::internal
