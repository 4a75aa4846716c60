// Where the glyphs of a text item are: from the units of the item to pixels of the target, for any matrix.
//
// Texts with a look come in up to three passes: the shadow, the outline, the glyphs.
//
// Invariant: glyphs of level text start on whole pixels, so that it is as sharp as its font. The size in
// which glyphs are made is that on the screen. Not here: lines and pens (text_layout.h), triangles and
// instances.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/shaped_lines.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/mesh/text_layout.h"
#include "engine/sdl/mesh/view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
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
        if (is_level) return size;
        return size * std::max({1.0F, std::hypot(right_x, right_y), std::hypot(down_x, down_y)});
    }
};

/// Like snapped(), for values below 2^22, which is far outside of any screen. It needs no call, which would
/// cost as much as the rest of a glyph.
inline float to_whole_pixel(float value) noexcept {
    constexpr float kRounding = 12582912.0F;  // 1.5 * 2^23: the sum has no digits left for fractions
    return value + kSnapRoom + kRounding - kRounding;
}

/// Where a text is on the screen. Expects: the text is not too small to be seen (is_too_small).
struct TextFrame {
    static bool is_too_small(const DrawItem& item, const View& view) noexcept {
        return !(item.h * view.scale >= 1.0F);
    }

    const View& view;
    float size;  ///< of the font on the screen
    int raster_size;
    TextAxes axes;
    float x0, y0;
    float low_x, low_y, high_x, high_y;  ///< pens outside of it have no ink that is seen

    TextFrame(const DrawItem& item, const View& of_state, const PixelBox& visible) noexcept
        : view(of_state),
          size(item.h * view.scale),
          raster_size(
              static_cast<int>(std::lround(std::min(size, static_cast<float>(GlyphAtlas::kMaxPixelSize))))),
          axes(item, view, size),
          x0(view.xx * item.x + view.xy * item.y + view.x0),
          y0(view.yx * item.x + view.yy * item.y + view.y0) {
        // No glyph reaches further than this from its pen.
        const float reach = axes.reach(4 * size);
        low_x = static_cast<float>(visible.x) - reach;
        low_y = static_cast<float>(visible.y) - reach;
        high_x = static_cast<float>(visible.x + visible.width) + reach;
        high_y = static_cast<float>(visible.y + visible.height) + reach;
    }

    /// Computes the pen in pixels. False if a glyph there is outside of the screen and need not be
    /// rasterised.
    bool place(float pen_x, float pen_y, float& x, float& y) const noexcept {
        const float along = pen_x * view.scale;
        const float below = pen_y * view.scale;
        x = x0 + axes.right_x * along + axes.down_x * below;
        y = y0 + axes.right_y * along + axes.down_y * below;
        if (axes.is_level) {
            x = to_whole_pixel(x);
            y = to_whole_pixel(y);
        }
        return x >= low_x && y >= low_y && x <= high_x && y <= high_y;
    }
};

/// Calls fn(x, y, glyph) for each glyph with ink of a level text that may be seen: its pen in pixels. Such a
/// glyph needs no matrix, and its line is seen or not. `make_room` is called when the atlas is full, possibly
/// often; it draws what has been added, then clears the atlas.
template <typename MakeRoom, typename Function>
void each_level_glyph(const DrawItem& item, std::string_view utf8, const TextFrame& frame, GlyphAtlas& atlas,
                      MakeRoom&& make_room, Function&& fn) {
    each_line(item, utf8, [&](std::string_view line, LineStart start, float base_line) {
        const float x0 = frame.x0, scale = frame.view.scale, low = frame.low_x, high = frame.high_x;
        const float y = to_whole_pixel(frame.y0 + base_line * scale);
        if (!(y >= frame.low_y && y <= frame.high_y)) return;
        const int raster_size = frame.raster_size;
        each_character_of(line, start, item.h, [&, x0, scale, low, high, y](char32_t character, float pen) {
            const float x = to_whole_pixel(x0 + pen * scale);
            if (!(x >= low && x <= high)) return;
            const Glyph* glyph = atlas.place(character, raster_size);
            if (glyph == nullptr) [[unlikely]] {
                make_room();
                glyph = atlas.place(character, raster_size);
                if (glyph == nullptr) return;
            }
            if (glyph->width != 0) fn(x, y, *glyph);
        });
    });
}

/// The same for any text: fn(axes, x, y, glyph, color).
template <typename MakeRoom, typename Function>
void each_glyph(const DrawItem& item, std::string_view utf8, const TextFrame& frame, GlyphAtlas& atlas,
                MakeRoom&& make_room, Function&& fn) {
    if (frame.axes.is_level) {
        each_level_glyph(item, utf8, frame, atlas, make_room, [&](float x, float y, const Glyph& glyph) {
            fn(frame.axes, x, y, glyph, item.color);
        });
        return;
    }
    each_character(item, utf8, [&](char32_t character, float pen_x, float pen_y) {
        float x = 0.0F;
        float y = 0.0F;
        if (!frame.place(pen_x, pen_y, x, y)) return;
        const Glyph* glyph = atlas.place(character, frame.raster_size);
        if (glyph == nullptr) {
            make_room();
            glyph = atlas.place(character, frame.raster_size);
        }
        if (glyph != nullptr && glyph->width != 0) fn(frame.axes, x, y, *glyph, item.color);
    });
}

/// The same for a text with a look. `utf8`: its text, if the look has none.
template <typename MakeRoom, typename Function>
void each_glyph(const DrawItem& item, const TextLook& look, std::string_view utf8, const TextFrame& frame,
                GlyphAtlas& atlas, MakeRoom&& make_room, Function&& fn) {
    const float quarters = look.outline * static_cast<float>(frame.raster_size) * 4.0F;
    constexpr float kMaxQuarters = 4.0F * 128.0F;
    const auto spread = static_cast<std::uint16_t>(
        look.has_outline() ? std::clamp(quarters + 0.5F, 1.0F, kMaxQuarters) : 0.0F);

    // One pass: moved by this, with this spread; `tint` null: in the colours of the text.
    const auto draw = [&](float dx, float dy, std::uint16_t pass_spread, const PackedColor* tint) {
        const auto add = [&](const std::shared_ptr<FontFace>* face, std::uint32_t glyph_number, float pen_x,
                             float pen_y, PackedColor color) {
            float x = 0.0F;
            float y = 0.0F;
            if (!frame.place(pen_x + dx, pen_y + dy, x, y)) return;
            const auto place = [&] {
                const std::uint16_t number = face != nullptr ? atlas.number_of(*face) : std::uint16_t{0};
                return atlas.place(GlyphAtlas::FaceGlyph{glyph_number, number, pass_spread},
                                   frame.raster_size);
            };
            const Glyph* glyph = place();
            if (glyph == nullptr) {
                make_room();
                glyph = place();
            }
            if (glyph != nullptr && glyph->width != 0)
                fn(frame.axes, x, y, *glyph, tint != nullptr ? *tint : color);
        };
        if (!look.text) {
            each_character(item, utf8, [&](char32_t character, float pen_x, float pen_y) {
                add(nullptr, character, pen_x, pen_y, item.color);
            });
            return;
        }
        each_glyph(*look.text, item, look.revealed, [&](const ShapedGlyph& glyph, float pen_x, float pen_y) {
            if (glyph.kind == GlyphKind::picture) return;
            add(glyph.kind == GlyphKind::glyph ? &look.text->faces[glyph.face] : nullptr, glyph.glyph, pen_x,
                pen_y, color_of(glyph, item.color));
        });
    };
    if (look.has_shadow()) {
        const PackedColor color = faded(look.shadow_color, item.color);
        draw(look.shadow_x * item.h, look.shadow_y * item.h, spread, &color);
    }
    if (spread != 0) {
        const PackedColor color = faded(look.outline_color, item.color);
        draw(0.0F, 0.0F, spread, &color);
    }
    draw(0.0F, 0.0F, 0, nullptr);
}

}  // namespace perigee
