// Where the glyphs of a text item are: from the units of the item to pixels of the target, for any matrix.
//
// Invariant: glyphs of level text start on whole pixels, so that it is as sharp as its font. The size in
// which glyphs are made is that on the screen. Not here: lines and pens (text_layout.h), triangles and
// instances.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/mesh/text_layout.h"
#include "engine/sdl/mesh/view.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace perigee {

/// The directions of a text on the screen: one pixel along the line, and one down from it.
struct TextAxes {
    float right_x = 1.0F, right_y = 0.0F;
    float down_x = 0.0F, down_y = 1.0F;
    float magnified = 1.0F;  ///< screen pixels per pixel of a glyph
    bool is_level = true;    ///< neither turned, sheared, mirrored nor stretched

    TextAxes(const DrawItem& item, const View& view, float size) noexcept {
        is_level = item.angle == 0 && view.is_upright && view.xx == view.yy && view.xx > 0.0F;
        magnified = std::max(1.0F, size / static_cast<float>(GlyphAtlas::kMaxPixelSize));
        if (is_level) return;
        const auto radians = static_cast<float>(item.angle_radians());
        const float cosine = std::cos(radians) / view.scale;
        const float sine = std::sin(radians) / view.scale;
        right_x = view.xx * cosine + view.xy * sine;
        right_y = view.yx * cosine + view.yy * sine;
        down_x = view.xy * cosine - view.xx * sine;
        down_y = view.yy * cosine - view.yx * sine;
    }
    /// How far something of this size reaches on the screen, in any direction.
    float reach(float size) const noexcept {
        return size * std::max({1.0F, std::hypot(right_x, right_y), std::hypot(down_x, down_y)});
    }
};

/// The nearest whole number, half to even, of what is below 2^22; a call of nearbyintf costs as much as the
/// rest of a glyph. What is larger is far outside of the screen.
inline float to_whole_pixel(float value) noexcept {
    constexpr float kRounding = 12582912.0F;  // 1.5 * 2^23: the sum has no digits left for fractions
    return value + kRounding - kRounding;
}

/// Calls fn(axes, x, y, glyph) for each glyph with ink that may be seen: its pen in pixels. `make_room` is
/// called when the atlas is full, possibly often; it draws what has been added, then clears the atlas.
template <typename MakeRoom, typename Function>
void each_glyph(const DrawItem& item, std::string_view utf8, const View& view, const PixelBox& visible,
                GlyphAtlas& atlas, MakeRoom&& make_room, Function&& fn) {
    const float size = item.h * view.scale;
    if (!(size >= 1.0F)) return;
    const auto raster_size =
        static_cast<int>(std::lround(std::min(size, static_cast<float>(GlyphAtlas::kMaxPixelSize))));
    const TextAxes axes{item, view, size};
    const float x0 = view.xx * item.x + view.xy * item.y + view.x0;
    const float y0 = view.yx * item.x + view.yy * item.y + view.y0;
    // No glyph reaches further than this from its pen.
    const float reach = axes.reach(4 * size);
    const float low_x = static_cast<float>(visible.x) - reach;
    const float low_y = static_cast<float>(visible.y) - reach;
    const float high_x = static_cast<float>(visible.x + visible.width) + reach;
    const float high_y = static_cast<float>(visible.y + visible.height) + reach;

    each_character(item, utf8, [&](char32_t character, float pen_x, float pen_y) {
        const float along = pen_x * view.scale;
        const float below = pen_y * view.scale;
        float x = x0 + axes.right_x * along + axes.down_x * below;
        float y = y0 + axes.right_y * along + axes.down_y * below;
        if (axes.is_level) {
            x = to_whole_pixel(x);
            y = to_whole_pixel(y);
        }
        // Before its picture is made.
        if (!(x >= low_x && y >= low_y && x <= high_x && y <= high_y)) return;
        const Glyph* glyph = atlas.place(character, raster_size);
        if (glyph == nullptr) {
            make_room();
            glyph = atlas.place(character, raster_size);
        }
        if (glyph != nullptr && glyph->width != 0) fn(axes, x, y, *glyph);
    });
}

}  // namespace perigee
