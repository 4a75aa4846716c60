// Where the characters of a text item are: lines, alignment and the pen, in the units of the item.
//
// Invariant: the same for every back end, since it depends on the item and the text alone. Not here: glyphs,
// pixels.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/text/text_metrics.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee {

/// Where a line of a text begins. `end`: of the text; a line that is wrapped ends before a space.
inline LineStart line_start(const DrawItem& item, std::string_view line, const char* end) noexcept {
    if (item.align() == TextAlign::left) return {};
    const char* const after = line.data() + line.size();
    const bool is_wrapped = after != end && *after == ' ';
    if (item.align() != TextAlign::justify || !is_wrapped)
        return line_start(item, text_width(line, item.h), 0);
    const std::string_view words = line.substr(0, line.find_last_not_of(' ') + 1);
    const auto spaces = static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
    return line_start(item, text_width(words, item.h), spaces);
}

/// Calls fn(line, start, base_line) for each line: the LineStart is relative to the item's x, y.
template <typename Function> void each_line(const DrawItem& item, std::string_view utf8, Function&& fn) {
    float base_line = kTextAscent * item.h;
    for (; !utf8.empty(); base_line += line_height(item.h)) {
        const char* const end = utf8.data() + utf8.size();
        const std::string_view line = next_line(utf8, item.h, item.w);
        fn(line, line_start(item, line, end), base_line);
    }
}

/// Calls fn(character, pen) for each character of a line that may have ink.
template <typename Function>
inline void each_character_of(std::string_view line, LineStart start, float size, Function&& fn) {
    float pen = start.pen;
    const std::uint16_t* const latin = latin_advances().data();
    const float unit = size / 2048.0F;
    const char* at = line.data();
    const char* const end = at + line.size();
    while (at != end) {
        const auto first = static_cast<unsigned char>(*at);
        if (first >= kFirstLatin && first <= kLastLatin) [[likely]] {
            if (first != ' ')
                fn(char32_t{first}, pen);
            else
                pen += start.wider_space;
            pen += static_cast<float>(latin[first - kFirstLatin]) * unit;
            ++at;
            continue;
        }
        std::string_view rest{at, static_cast<std::size_t>(end - at)};
        const char32_t character = next_character(rest);
        at = rest.data();
        if (is_drawn(character)) fn(character, pen);
        pen += glyph_advance(character, size);
    }
}

/// Calls fn(character, x, y) for each character that may have ink: its pen on the base line, relative to the
/// item's x, y.
template <typename Function> void each_character(const DrawItem& item, std::string_view utf8, Function&& fn) {
    each_line(item, utf8, [&](std::string_view line, LineStart start, float base_line) {
        each_character_of(line, start, item.h,
                          [&](char32_t character, float pen) { fn(character, pen, base_line); });
    });
}

}  // namespace perigee
