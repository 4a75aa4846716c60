// The lines of a shaped text, and where their glyphs are, in the units of the item that draws it.
//
// Invariant: the same for every back end and without one, since it depends on the text and the item alone. A
// line is broken as in text_metrics.h: at the last space that fits, and a word that is too wide stays whole.
// Not here: the plain texts of the default font (text_metrics.h), pixels.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/shaped_text.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/draw/text_look.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace perigee {

/// Glyphs first .. end of a text.
struct TextLine {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    float width = 0.0F;       ///< em
    bool is_wrapped = false;  ///< its paragraph goes on in the next one
};

/// The line that begins with glyph `next`, which becomes the beginning of the next one. `limit`: em, 0 =
/// none. False after the last line.
bool next_line(const ShapedText& text, std::uint32_t& next, float limit, TextLine& line) noexcept;

/// Where a line of a text that `item` draws begins.
LineStart line_start(const ShapedText& text, const TextLine& line, const DrawItem& item) noexcept;

/// The size that a text takes, in pixels; box_width 0: it is not wrapped.
TextSize text_size(const ShapedText& text, float font_size, float box_width) noexcept;

/// The glyphs of a line from left to right, as indices. Lifetime: until the next call.
class VisualOrder {
public:
    std::span<const std::uint32_t> of(const ShapedText& text, const TextLine& line);

private:
    std::array<std::uint32_t, 256> few_;
    std::vector<std::uint32_t> many_;
};

/// Calls fn(glyph, x, y) for each glyph that shows something and is revealed: its pen on the base line,
/// relative to the item's x, y.
template <typename Function>
void each_glyph(const ShapedText& text, const DrawItem& item, std::uint32_t revealed, Function&& fn) {
    const float size = item.h;
    float base_line = text.ascent * size;
    std::uint32_t next = 0;
    const float limit = item.w > 0.0F ? item.w / size : 0.0F;
    LineStart start;
    const auto show = [&](const ShapedGlyph& glyph) {
        if (glyph.kind != GlyphKind::none && glyph.number < revealed)
            fn(glyph, start.pen + glyph.dx * size, base_line + glyph.dy * size);
        start.pen += glyph.advance * size;
        if ((glyph.flags & kGlyphSpace) != 0) start.pen += start.wider_space;
    };
    for (TextLine line; next_line(text, next, limit, line); base_line += text.line_height * size) {
        start = line_start(text, line, item);
        if (!text.has_right_to_left)
            for (std::uint32_t i = line.first; i < line.end; ++i) show(text.glyphs[i]);
        if (!text.has_right_to_left) continue;
        VisualOrder order;
        for (const std::uint32_t i : order.of(text, line)) show(text.glyphs[i]);
    }
}

/// The colour of a glyph in a text of this colour.
inline PackedColor color_of(const ShapedGlyph& glyph, PackedColor text) noexcept {
    if ((glyph.flags & kGlyphColored) == 0) return text;
    return (glyph.color & 0x00FF'FFFFU) | ((glyph.color >> 24U) * (text >> 24U) / 255U) << 24U;
}

/// A colour of a look, as transparent as the text is.
inline PackedColor faded(PackedColor color, PackedColor text) noexcept {
    return (color & 0x00FF'FFFFU) | ((color >> 24U) * (text >> 24U) / 255U) << 24U;
}

/// Calls fn(sprite) for each picture of a text: first the shadows, then the outlines, then the pictures.
/// `item`: the text itself; colours and blend mode come from it.
template <typename Function>
void each_picture(const ShapedText& text, const DrawItem& item, const TextLook& look, Function&& fn) {
    if (text.pictures.empty()) return;
    const auto draw = [&](float dx, float dy, PackedColor tint, bool is_copy) {
        each_glyph(text, item, look.revealed, [&](const ShapedGlyph& glyph, float x, float y) {
            if (glyph.kind != GlyphKind::picture) return;
            const TextPicture& picture = text.pictures[glyph.glyph];
            if (is_copy && !picture.is_tinted) return;  // icons have neither outline nor shadow
            DrawItem sprite{.x = item.x + x + (picture.left + dx) * item.h,
                            .y = item.y + y + (picture.top + dy) * item.h,
                            .w = picture.width * item.h,
                            .h = picture.height * item.h,
                            .ref = picture.frame,
                            .kind = DrawKind::sprite};
            sprite.flags = item.flags & kRunFlags;
            if (is_copy)
                sprite.color = tint;
            else
                sprite.color = color_of(glyph, picture.is_tinted ? item.color : item.color | 0x00FF'FFFFU);
            fn(sprite);
        });
    };
    if (look.has_shadow()) draw(look.shadow_x, look.shadow_y, faded(look.shadow_color, item.color), true);
    if (look.has_outline()) {
        constexpr float kDiagonal = 0.70710678F;
        constexpr float kAround[8][2] = {{-1, 0},
                                         {1, 0},
                                         {0, -1},
                                         {0, 1},
                                         {-kDiagonal, -kDiagonal},
                                         {kDiagonal, -kDiagonal},
                                         {-kDiagonal, kDiagonal},
                                         {kDiagonal, kDiagonal}};
        for (const auto& [x, y] : kAround)
            draw(x * look.outline, y * look.outline, faded(look.outline_color, item.color), true);
    }
    draw(0.0F, 0.0F, 0, false);
}

}  // namespace perigee
