// Sets a text item: lines broken and aligned, one glyph box of a mesh per character.
//
// Invariant: the pen moves by engine/text_metrics.h alone, so text takes exactly the room that scripts were
// told, whatever the display. Glyphs start on whole window pixels, in the size of the window's pixels, so
// text is sharp at any scale. Text is upright: an item's angle is ignored.
#pragma once

#include "engine/draw_item.h"
#include "engine/sdl/glyph_atlas.h"
#include "engine/sdl/mesh.h"

#include <functional>
#include <string_view>

namespace perigee {

/// What lies outside of `visible` (window pixels) is left out. `make_room` is called when the atlas is full,
/// maybe often; it draws and clears the mesh, then clears the atlas.
void set_text(const DrawItem& item, std::string_view utf8, const ViewTransform& view,
              const Letterbox& visible, GlyphAtlas& atlas, Mesh& mesh,
              const std::function<void()>& make_room);

}  // namespace perigee
