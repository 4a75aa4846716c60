// The sort of the draw list: stable radix sort of (key, tie) pairs, least significant byte first.
//
// Bytes that are equal in all entries cost nothing, and most are: a frame has few layers, images and blend
// modes.
#pragma once

#include "engine/base/raw_vector.h"
#include "engine/draw/draw_list.h"

namespace perigee {

/// Sorts by key, then by tie, then keeps the order of addition. scratch is working memory. False: they were
/// in this order.
bool sort_draw_entries(RawVector<DrawList::Entry>& entries, RawVector<DrawList::Entry>& scratch);

}  // namespace perigee
