// From gfx:Shape to items: one item per shape.
#pragma once

#include "engine/extract/internal/extract_frame.h"

namespace perigee {

class Query;

namespace internal {

/// `query`: terms 0 Position, 1 gfx:Shape. Cost: about 20 ns per visible shape; sine and cosine for lines,
/// and for other round shapes that are turned about another point than their centre.
void extract_shapes(const ExtractFrame& frame, const Query& query);

}  // namespace internal

}  // namespace perigee
