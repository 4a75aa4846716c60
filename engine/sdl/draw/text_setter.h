// Adds the glyphs of a text item to a mesh.
//
// Invariant: the pen moves by engine/draw/text/text_metrics.h alone, so text takes exactly the space that
// scripts measured, on any display. Not here: where the glyphs are (glyph_layout.h).
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/text_look.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/draw/texture_cache.h"
#include "engine/sdl/mesh/mesh.h"
#include "engine/sdl/mesh/view.h"

#include <functional>
#include <string_view>

namespace perigee {

/// `look` null: the text has none. `form`: that of the atlas, and of the colours in the mesh. Text outside
/// `visible` is culled. `make_room` is called when the atlas is full, possibly often; it draws and clears the
/// mesh, then clears the atlas.
void set_text(const DrawItem& item, std::string_view utf8, const TextLook* look, PixelForm form,
              const View& view, const PixelBox& visible, GlyphAtlas& atlas, Mesh& mesh,
              const std::function<void()>& make_room);

}  // namespace perigee
