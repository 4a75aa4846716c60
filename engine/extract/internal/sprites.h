// From gfx:Sprite to items: the loop over sprites, compiled once per combination of Position layout and
// camera options.
#pragma once

#include "engine/extract/internal/extract_frame.h"

namespace perigee {

class Query;

namespace internal {

class KeptSprites;

/// `query`: terms 0 Position, 1 gfx:Sprite. Cost: about 10 ns per visible sprite that changed.
void extract_sprites(const ExtractFrame& frame, const Query& query, KeptSprites& kept);

}  // namespace internal

}  // namespace perigee
