// KeptItems: sprites that are the same from frame to frame, or all but their places, so that a back end may
// keep them on the card.
//
// Invariant: shared and never changed once a list refers to them; other items have another stamp. Not here:
// which entities they are of (engine/extract/internal/kept_sprites.h).
#pragma once

#include "engine/draw/draw_item.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

struct KeptItems {
    std::vector<DrawItem> items;      ///< sprites; each range that a list shows is in painting order
    std::vector<std::uint32_t> ties;  ///< of each item: its entity index
    std::uint64_t stamp = 0;          ///< unique in the program
};

/// Consecutive items of one layer, image and blend mode, ordered by their ties.
struct KeptRange {
    std::uint64_t key = 0;  ///< as draw_key computes it
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// A stamp that no other items have.
std::uint64_t new_stamp() noexcept;

}  // namespace perigee
