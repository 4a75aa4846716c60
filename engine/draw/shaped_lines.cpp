// Lines, and the order of glyphs where part of a line runs from right to left: rule L2 of the Unicode
// bidirectional algorithm (UAX #9), over groups of glyphs that belong together.
#include "engine/draw/shaped_lines.h"

#include <algorithm>

namespace perigee {

bool next_line(const ShapedText& text, std::uint32_t& next, float limit, TextLine& line) noexcept {
    const auto count = static_cast<std::uint32_t>(text.glyphs.size());
    if (next >= count) return false;
    line = {.first = next, .end = count};
    std::uint32_t wrap_end = 0;   // the line may end there, before a space or a glyph
    std::uint32_t wrap_next = 0;  // and the next one begins there; 0: it may not
    float wrap_width = 0.0F;
    for (std::uint32_t i = next; i < count; ++i) {
        const ShapedGlyph& glyph = text.glyphs[i];
        if ((glyph.flags & kGlyphNewLine) != 0) {
            line.end = i;
            next = i + 1;
            return true;
        }
        const bool is_space = (glyph.flags & kGlyphSpace) != 0;
        if (is_space || ((glyph.flags & kGlyphMayWrap) != 0 && i > next)) {
            wrap_end = i;
            wrap_next = is_space ? i + 1 : i;
            wrap_width = line.width;
        }
        line.width += glyph.advance;
        if (limit > 0.0F && line.width > limit && !is_space && wrap_next != 0) {
            line.end = wrap_end;
            line.width = wrap_width;
            line.is_wrapped = true;
            next = wrap_next;
            return true;
        }
    }
    next = count;
    return true;
}

LineStart line_start(const ShapedText& text, const TextLine& line, const DrawItem& item) noexcept {
    const float width = line.width * item.h;
    if (item.align() != TextAlign::justify || !line.is_wrapped) return line_start(item, width, 0);
    const auto is_space = [](const ShapedGlyph& glyph) { return (glyph.flags & kGlyphSpace) != 0; };
    const auto first = text.glyphs.begin() + line.first;
    auto end = text.glyphs.begin() + line.end;
    float words = width;
    while (end != first && is_space(end[-1])) words -= (--end)->advance * item.h;
    return line_start(item, words, static_cast<std::size_t>(std::count_if(first, end, is_space)));
}

TextSize text_size(const ShapedText& text, float font_size, float box_width) noexcept {
    TextSize size;
    std::uint32_t next = 0;
    const float limit = box_width > 0.0F ? box_width / font_size : 0.0F;
    for (TextLine line; next_line(text, next, limit, line); size.height += text.line_height * font_size)
        size.width = std::max(size.width, line.width * font_size);
    return size;
}

std::span<const std::uint32_t> VisualOrder::of(const ShapedText& text, const TextLine& line) {
    const std::size_t count = line.end - line.first;
    if (count > few_.size()) many_.resize(count);
    const std::span<std::uint32_t> order =
        count > few_.size() ? std::span{many_} : std::span{few_}.first(count);
    std::uint8_t highest = 0;
    std::uint8_t lowest_odd = 255;
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = line.first + static_cast<std::uint32_t>(i);
        const std::uint8_t level = text.glyphs[order[i]].level;
        highest = std::max(highest, level);
        if (level % 2 != 0) lowest_odd = std::min(lowest_odd, level);
    }
    for (unsigned level = highest; level >= lowest_odd && level > 0; --level) {
        for (std::size_t i = 0; i < count;) {
            if (text.glyphs[order[i]].level < level) {
                ++i;
                continue;
            }
            std::size_t end = i + 1;
            while (end < count && text.glyphs[order[end]].level >= level) ++end;
            std::reverse(order.begin() + static_cast<std::ptrdiff_t>(i),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
            i = end;
        }
    }
    // The glyphs of one character are in the order in which they are drawn: undo its reversal.
    for (std::size_t i = 0; i < count;) {
        std::size_t end = i + 1;
        const std::uint32_t number = text.glyphs[order[i]].number;
        while (end < count && text.glyphs[order[end]].number == number) ++end;
        if (end - i > 1 && order[i] > order[end - 1])
            std::reverse(order.begin() + static_cast<std::ptrdiff_t>(i),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
        i = end;
    }
    return order;
}

}  // namespace perigee
