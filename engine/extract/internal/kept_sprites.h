// KeptSprites: the items of chunks whose sprites have not changed, so that they are neither extracted nor
// uploaded again.
//
//   a chunk:  changed -> extracted row by row
//             unchanged since the last extraction and the last step -> made into KeptItems, once
//             still unchanged -> its KeptItems again; what the camera does not see costs one comparison
//
// Invariant: items are those that extraction would make, in the same order. Chunks are recognised by their
// place in the visit and their memory. Not here: the loop over rows (sprites.cpp).
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
    const void* memory = nullptr;            ///< of the chunk
    ChangeVersion seen = 0;                  ///< of the last extraction
    std::uint64_t images = 0;                ///< ImageTable::version() then
    std::uint64_t ordered = 0;               ///< ExtractFrame::ordered_version then
    std::shared_ptr<const KeptItems> items;  ///< null: not made
    std::vector<KeptRange> ranges;
    float left = 0.0F, top = 0.0F, right = 0.0F, bottom = 0.0F;  ///< what they may cover
    Undrawn undrawn;
};

class KeptSprites {
public:
    /// Before the chunks of a frame.
    void begin() noexcept { next_ = 0; }
    /// The next chunk. `is_still`: nothing of it changed since the last extraction or the last step.
    struct Known {
        KeptChunk& chunk;
        bool is_still;
    };
    Known next(const ExtractFrame& frame, const ChunkView& chunk);
    /// After the chunks of a frame.
    void end() { chunks_.resize(next_); }
    void clear() noexcept { chunks_.clear(); }

    /// Makes a chunk's items. `items` and `entries` are those of all its rows that can be drawn, whether the
    /// camera sees them or not.
    static void make(KeptChunk& chunk, const ExtractFrame& frame, std::span<const DrawItem> items,
                     std::span<const DrawList::Entry> entries);
    /// Adds what the camera sees of a chunk that has items.
    static void add(const KeptChunk& chunk, const ExtractFrame& frame);

private:
    std::vector<KeptChunk> chunks_;  // in the order of the visit
    std::size_t next_ = 0;
};

}  // namespace internal

}  // namespace perigee
