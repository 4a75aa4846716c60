// From gfx:Text to items: one item per text.
#pragma once

#include "engine/extract/internal/extract_frame.h"

namespace perigee {

class Query;

namespace internal {

/// `query`: terms 0 Position, 1 gfx:Text. Cost: about 2 ns per byte of a visible text, which is copied and
/// measured.
void extract_texts(const ExtractFrame& frame, const Query& query);

}  // namespace internal

}  // namespace perigee
