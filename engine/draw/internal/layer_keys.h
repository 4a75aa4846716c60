// What the keys of a draw list say about layers that are drawn as a whole.
//
// Invariant: a key is one of draw_key (engine/draw/draw_list.h). Not here: the sort (draw_sort.h).
#pragma once

#include "engine/draw/draw_list.h"

#include <cstdint>

namespace perigee {

/// It has kDrawOrderAbove.
inline bool is_above_layer(std::uint64_t key) noexcept {
    return (key >> 24U & (kDrawOrderCount - 1)) == kDrawOrderAbove;
}

}  // namespace perigee
