// KeptSprites: the items of chunks whose sprites have not changed, so that they are neither extracted nor
// uploaded again.
//
//   a chunk:  its sprites changed  -> extracted row by row
//             unchanged since the last extraction and the last step
//                                  -> made into KeptItems, once; what the camera does not see costs one
//                                     comparison
//             only moved           -> its KeptItems with the places of this frame, made once its sprites have
//                                     been the same for a few frames
//
// Invariant: items are those that extraction would make, in the same order. Chunks are recognised by their
// memory. Not here: the loop over rows (sprites.cpp), and where rows are (moved_places.h).
#pragma once

#include "ecs/base/change_version.h"
#include "engine/draw/kept_items.h"
#include "engine/extract/internal/extract_frame.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

class ChunkView;

namespace internal {

/// What is known of a chunk's sprites.
struct KeptChunk {
    const void* memory = nullptr;   ///< of the chunk
    ChangeVersion seen = 0;         ///< of the last extraction
    std::uint64_t images = 0;       ///< ImageTable::version() then
    std::uint64_t ordered = 0;      ///< ExtractFrame::ordered_version then
    std::uint32_t same_looks = 0;   ///< extractions since anything but places changed; stops counting
    std::uint32_t same_places = 0;  ///< the same for places
    std::shared_ptr<const KeptItems> items;  ///< null: not made
    bool is_placed = false;                  ///< the items are where their entities are, and so is the box
    bool has_all = false;                    ///< the items are all that can be drawn wherever the entities go
    std::vector<std::uint32_t> rows;         ///< of the items; empty: item i is of row i
    std::vector<KeptRange> ranges;
    float left = 0.0F, top = 0.0F, right = 0.0F, bottom = 0.0F;  ///< what they may cover
    float reach = 0.0F;                                          ///< of the largest one
    Undrawn undrawn;                                             ///< those without an item
};

class KeptSprites {
public:
    /// How a chunk is drawn.
    enum class Use : std::uint8_t {
        rows,   ///< row by row
        still,  ///< items that are where they were
        moved   ///< items, and the places of this frame
    };
    struct Known {
        KeptChunk& chunk;
        Use use;  ///< not `rows`: make() the items if there are none
    };
    /// Before the chunks of a frame.
    void begin() noexcept { next_ = 0; }
    /// The next chunk.
    Known next(const ExtractFrame& frame, const ChunkView& chunk);
    /// After the chunks of a frame.
    void end() { chunks_.resize(next_); }
    void clear() noexcept { chunks_.clear(); }

    /// Makes a chunk's items. `items`, `rows` and `entries` are those of its rows that have one, whether the
    /// camera sees them or not.
    static void make(KeptChunk& chunk, const ExtractFrame& frame, std::span<const DrawItem> items,
                     std::span<const std::uint32_t> rows, std::span<const DrawList::Entry> entries);
    /// Adds what the camera sees of a chunk that has items.
    static void add(const KeptChunk& chunk, const ExtractFrame& frame);
    /// The same for items that are elsewhere now. `places`: of DrawList::add_places, which it gives back if
    /// nothing needs them.
    static void add_moved(const KeptChunk& chunk, const ExtractFrame& frame,
                          std::span<const ItemPlace> places);

private:
    KeptChunk& find(const void* memory);

    std::vector<std::unique_ptr<KeptChunk>> chunks_;  // in the order of the visit
    std::size_t next_ = 0;
};

}  // namespace internal

}  // namespace perigee
