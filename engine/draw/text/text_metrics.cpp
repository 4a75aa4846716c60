// Sums of advance widths, and UTF-8 read without trusting it.
#include "engine/draw/text/text_metrics.h"

#include "engine/draw/text/internal/font_advances.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace perigee {

namespace {

constexpr float kUnitsPerEm = kFontUnitsPerEm;
constexpr float kLineUnits = 2384.0F;  // ascent 1901 + descent 483, of table 'hhea' of DejaVuSans.ttf 2.37

unsigned advance_units(char32_t character) noexcept {
    if (character == U'\t') return kTabSpaces * advance_units(U' ');
    if (!is_drawn(character)) return 0;
    const int advance = font_advance(character);
    return static_cast<unsigned>(advance >= 0 ? advance : kMissingAdvance);
}

// Length of a sequence by its first byte; 0 for a byte that cannot start one.
std::size_t sequence_length(unsigned char first) noexcept {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

}  // namespace

char32_t next_character(std::string_view& utf8) noexcept {
    constexpr char32_t kMalformed = 0xFFFD;
    const auto first = static_cast<unsigned char>(utf8.front());
    if (first < 0x80) [[likely]] {
        utf8.remove_prefix(1);
        return first;
    }
    const std::size_t length = sequence_length(first);
    if (length == 0 || length > utf8.size()) {
        utf8.remove_prefix(1);
        return kMalformed;
    }
    constexpr unsigned char kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t character = first & kLeadBits[length];
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        if ((byte & 0xC0U) != 0x80U) {
            utf8.remove_prefix(1);
            return kMalformed;
        }
        character = character << 6U | (byte & 0x3FU);
    }
    utf8.remove_prefix(length);
    return character;
}

bool is_drawn(char32_t character) noexcept {
    return character >= 0x20 && (character < 0x7F || character >= 0xA0);
}

bool has_picture(char32_t character) noexcept { return font_advance(character) >= 0; }

float glyph_advance(char32_t character, float font_size) noexcept {
    return static_cast<float>(advance_units(character)) * font_size / kUnitsPerEm;
}

float line_height(float font_size) noexcept { return kLineUnits * font_size / kUnitsPerEm; }

float text_width(std::string_view utf8, float font_size) noexcept { return text_size(utf8, font_size).width; }

TextSize text_size(std::string_view utf8, float font_size) noexcept {
    std::uint64_t widest = 0;
    std::uint64_t width = 0;
    std::uint64_t lines = utf8.empty() ? 0 : 1;
    while (!utf8.empty()) {
        const char32_t character = next_character(utf8);
        if (character == U'\n') {
            ++lines;
            width = 0;
        }
        width += advance_units(character);
        widest = std::max(widest, width);
    }
    return {static_cast<float>(widest) * font_size / kUnitsPerEm,
            static_cast<float>(lines) * line_height(font_size)};
}

std::string_view next_line(std::string_view& utf8, float font_size, float box_width) noexcept {
    const std::string_view whole = utf8;
    if (!(box_width > 0.0F)) {
        const std::size_t end = std::min(whole.find('\n'), whole.size());
        utf8.remove_prefix(std::min(end + 1, whole.size()));
        return whole.substr(0, end);
    }
    const float limit = box_width * kUnitsPerEm / font_size;
    std::size_t last_space = std::string_view::npos;
    std::uint64_t width = 0;
    while (!utf8.empty()) {
        const std::size_t at = whole.size() - utf8.size();
        const char32_t character = next_character(utf8);
        if (character == U'\n') return whole.substr(0, at);
        if (character == U' ') last_space = at;
        width += advance_units(character);
        const bool too_wide = static_cast<float>(width) > limit;
        if (too_wide && character != U' ' && last_space != std::string_view::npos) {
            utf8 = whole.substr(last_space + 1);
            return whole.substr(0, last_space);
        }
    }
    return whole;
}

}  // namespace perigee
