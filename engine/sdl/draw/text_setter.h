// Lays out a text item: breaks and aligns lines, and adds one glyph box to a mesh per character.
//
// Invariant: the pen moves by engine/draw/text_metrics.h alone, so text takes exactly the space that scripts
// measured, on any display. Glyphs start on whole window pixels and are rasterised at window resolution, so
// text is sharp at any scale. Text is upright: an item's angle is ignored.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/draw/mesh.h"

#include <functional>
#include <string_view>

namespace perigee {

/// Text outside `visible` (window pixels) is culled. `make_room` is called when the atlas is full, possibly
/// often; it draws and clears the mesh, then clears the atlas.
void set_text(const DrawItem& item, std::string_view utf8, const ViewTransform& view,
              const Letterbox& visible, GlyphAtlas& atlas, Mesh& mesh,
              const std::function<void()>& make_room);

}  // namespace perigee
