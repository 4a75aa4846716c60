// Where the characters of a text item are: lines, alignment and the pen, in the units of the item.
//
// Invariant: the same for every back end, since it depends on the item and the text alone. Not here: glyphs,
// pixels.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/text/text_metrics.h"

#include <string_view>

namespace perigee {

/// Calls fn(character, x, y) for each character that may have ink: its pen on the base line, relative to the
/// item's x, y.
template <typename Function> void each_character(const DrawItem& item, std::string_view utf8, Function&& fn) {
    float base_line = kTextAscent * item.h;
    for (; !utf8.empty(); base_line += line_height(item.h)) {
        std::string_view line = next_line(utf8, item.h, item.w);
        float pen = 0.0F;
        if (item.align() != TextAlign::left) {
            // Without a box, the line is centred on x or ends at x.
            const float room = item.w - text_width(line, item.h);
            pen = item.align() == TextAlign::center ? room / 2.0F : room;
        }
        while (!line.empty()) {
            const char32_t character = next_character(line);
            if (is_drawn(character)) fn(character, pen, base_line);
            pen += glyph_advance(character, item.h);
        }
    }
}

}  // namespace perigee
