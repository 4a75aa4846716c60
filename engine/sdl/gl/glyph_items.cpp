// One item per glyph; the shader applies the angle and the matrix to its box.
#include "engine/sdl/gl/glyph_items.h"

#include "engine/sdl/draw/glyph_layout.h"

#include <cmath>
#include <utility>

namespace perigee::gl {

namespace {

int texel(float fraction, int side) noexcept {
    return static_cast<int>(std::lround(fraction * static_cast<float>(side)));
}

}  // namespace

void add_glyphs(const DrawItem& item, std::string_view utf8, const View& view, const PixelBox& visible,
                GlyphAtlas& atlas, const std::function<int()>& atlas_side, std::vector<GlyphItem>& glyphs,
                const std::function<void()>& make_room) {
    int side = atlas_side();
    const auto make_room_for_more = [&] {
        make_room();
        side = atlas_side();
    };
    const auto add = [&](const TextAxes& axes, float x, float y, const Glyph& glyph) {
        // Between pixels, filtering shows the edge of a glyph in the clear border around it.
        const int border = axes.is_level ? 0 : 1;
        const auto pixels = [&axes](int number) { return static_cast<float>(number) * axes.magnified; };
        const float left = pixels(glyph.left - border);
        const float top = pixels(glyph.top - border);
        const auto texels = [side, border](float low, float high) {
            return std::pair{static_cast<std::uint16_t>(texel(low, side) - border),
                             static_cast<std::uint16_t>(texel(high, side) + border)};
        };
        const auto [u0, u1] = texels(glyph.box.left, glyph.box.right);
        const auto [v0, v1] = texels(glyph.box.top, glyph.box.bottom);
        glyphs.push_back({x + axes.right_x * left + axes.down_x * top,
                          y + axes.right_y * left + axes.down_y * top, pixels(glyph.width + 2 * border),
                          pixels(glyph.height + 2 * border), item.color, u0, v0, u1, v1, item.angle, 0});
    };
    each_glyph(item, utf8, view, visible, atlas, make_room_for_more, add);
}

}  // namespace perigee::gl
