// One item per glyph; the shader applies the angle and the matrix to its box.
#include "engine/sdl/gl/glyph_items.h"

#include "engine/sdl/draw/glyph_layout.h"

namespace perigee::gl {

void add_glyphs(const DrawItem& item, std::string_view utf8, const TextLook* look, const View& view,
                const PixelBox& visible, GlyphAtlas& atlas, std::vector<GlyphItem>& glyphs,
                const std::function<void()>& make_room) {
    if (TextFrame::is_too_small(item, view)) return;
    const TextFrame frame{item, view, visible};
    const auto texel = [](int pixel) { return static_cast<std::uint16_t>(pixel); };
    // Nearly all text is like this.
    if (look == nullptr && frame.axes.is_level && frame.axes.magnified == 1.0F) {
        each_level_glyph(item, utf8, frame, atlas, make_room, [&](float x, float y, const Glyph& glyph) {
            glyphs.push_back({x + static_cast<float>(glyph.left), y + static_cast<float>(glyph.top),
                              static_cast<float>(glyph.width), static_cast<float>(glyph.height), item.color,
                              texel(glyph.x), texel(glyph.y), texel(glyph.x + glyph.width),
                              texel(glyph.y + glyph.height), 0, 0});
        });
        return;
    }
    const auto add = [&](const TextAxes& axes, float x, float y, const Glyph& glyph, PackedColor color) {
        // Between pixels, filtering shows the edge of a glyph in the clear border around it.
        const int border = axes.is_level ? 0 : 1;
        const auto pixels = [&axes](int number) { return static_cast<float>(number) * axes.magnified; };
        const float left = pixels(glyph.left - border);
        const float top = pixels(glyph.top - border);
        glyphs.push_back({x + axes.right_x * left + axes.down_x * top,
                          y + axes.right_y * left + axes.down_y * top, pixels(glyph.width + 2 * border),
                          pixels(glyph.height + 2 * border), color, texel(glyph.x - border),
                          texel(glyph.y - border), texel(glyph.x + glyph.width + border),
                          texel(glyph.y + glyph.height + border), item.angle, 0});
    };
    if (look != nullptr)
        each_glyph(item, *look, utf8, frame, atlas, make_room, add);
    else
        each_glyph(item, utf8, frame, atlas, make_room, add);
}

}  // namespace perigee::gl
