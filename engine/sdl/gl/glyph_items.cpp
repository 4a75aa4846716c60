// The size of the glyphs is that on the screen; the layout is in the units of the item.
#include "engine/sdl/gl/glyph_items.h"

#include "engine/sdl/draw/text_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee::gl {

namespace {

int texel(float fraction, int side) noexcept {
    return static_cast<int>(std::lround(fraction * static_cast<float>(side)));
}

// Whether a glyph at this pen may have ink there, before its picture is made. No glyph reaches further than
// this.
bool may_be_seen(float x, float y, float size, const PixelBox& visible) noexcept {
    const float reach = 4 * size;
    return x + reach >= static_cast<float>(visible.x) && y + reach >= static_cast<float>(visible.y) &&
           x - reach <= static_cast<float>(visible.x + visible.width) &&
           y - reach <= static_cast<float>(visible.y + visible.height);
}

}  // namespace

void add_glyphs(const DrawItem& item, std::string_view utf8, const View& view, const PixelBox& visible,
                GlyphAtlas& atlas, const std::function<int()>& atlas_side, std::vector<GlyphItem>& glyphs,
                const std::function<void()>& make_room) {
    const float size = item.h * view.scale;
    if (!(size >= 1.0F)) return;
    const auto raster_size =
        static_cast<int>(std::lround(std::min(size, static_cast<float>(GlyphAtlas::kMaxPixelSize))));
    const float magnified =
        size > GlyphAtlas::kMaxPixelSize ? size / static_cast<float>(GlyphAtlas::kMaxPixelSize) : 1.0F;
    const bool is_level = item.angle == 0 && view.is_upright && view.xx > 0.0F && view.yy > 0.0F;
    const auto radians = static_cast<float>(item.angle_radians());
    const float cosine = std::cos(radians);
    const float sine = std::sin(radians);
    // One pixel along the line and down from it, on the screen.
    const float per_unit = 1.0F / view.scale;
    const float right_x = (view.xx * cosine + view.xy * sine) * per_unit;
    const float right_y = (view.yx * cosine + view.yy * sine) * per_unit;
    const float down_x = (view.xy * cosine - view.xx * sine) * per_unit;
    const float down_y = (view.yy * cosine - view.yx * sine) * per_unit;
    const float x0 = view.xx * item.x + view.xy * item.y + view.x0;
    const float y0 = view.yx * item.x + view.yy * item.y + view.y0;
    int side = atlas_side();

    each_character(item, utf8, [&](char32_t character, float pen_x, float pen_y) {
        const float along = pen_x * view.scale;
        const float below = pen_y * view.scale;
        float x = x0 + right_x * along + down_x * below;
        float y = y0 + right_y * along + down_y * below;
        if (is_level) {
            x = std::nearbyintf(x);
            y = std::nearbyintf(y);
        }
        if (!may_be_seen(x, y, size, visible)) return;
        const Glyph* glyph = atlas.place(character, raster_size);
        if (glyph == nullptr) {
            make_room();
            side = atlas_side();
            glyph = atlas.place(character, raster_size);
        }
        if (glyph == nullptr || glyph->width == 0) return;
        // Between pixels, filtering shows the edge of a glyph in the clear border around it.
        const int border = is_level ? 0 : 1;
        const auto pixels = [magnified](int number) { return static_cast<float>(number) * magnified; };
        const float left = pixels(glyph->left - border);
        const float top = pixels(glyph->top - border);
        const auto texels = [side, border](float low, float high) {
            return std::pair{static_cast<std::uint16_t>(texel(low, side) - border),
                             static_cast<std::uint16_t>(texel(high, side) + border)};
        };
        const auto [u0, u1] = texels(glyph->box.left, glyph->box.right);
        const auto [v0, v1] = texels(glyph->box.top, glyph->box.bottom);
        glyphs.push_back({x + right_x * left + down_x * top, y + right_y * left + down_y * top,
                          pixels(glyph->width + 2 * border), pixels(glyph->height + 2 * border), item.color,
                          u0, v0, u1, v1, item.angle, 0});
    });
}

}  // namespace perigee::gl
