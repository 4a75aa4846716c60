// Glyph items: texts as instances of glyphs, for the graphics card.
//
// Not here: where they are (engine/sdl/draw/glyph_layout.h), and which stay on the card
// (internal/kept_texts.h).
//
//   byte  0    4    8   12   16      20    22   24     26      28     30
//         x    y    w    h   color   left  top  right  bottom  angle  unused
//         pixels                     texels of the glyph texture
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/text_look.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/mesh/view.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace perigee::gl {

struct GlyphItem {
    float x, y, w, h;
    std::uint32_t color;
    std::uint16_t left, top, right, bottom;
    std::uint16_t angle;
    std::uint16_t unused;
};
static_assert(sizeof(GlyphItem) == 32);

/// Adds the glyphs of a text; `look` null: it has none. `visible`: what is outside is left out. Calls
/// make_room when the atlas is full: it draws what has been added, clears `glyphs` and the atlas.
void add_glyphs(const DrawItem& item, std::string_view utf8, const TextLook* look, const View& view,
                const PixelBox& visible, GlyphAtlas& atlas, std::vector<GlyphItem>& glyphs,
                const std::function<void()>& make_room);

}  // namespace perigee::gl
