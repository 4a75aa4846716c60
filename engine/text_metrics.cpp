// The advance widths, and UTF-8 read without trusting it.
#include "engine/text_metrics.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace perigee {

namespace {

constexpr float kUnitsPerEm = 2048.0F;
constexpr float kLineUnits = 2384.0F;          // ascent 1901 + descent 483
constexpr std::uint16_t kOtherAdvance = 1245;  // mean of the Latin letters

// clang-format off
constexpr std::uint16_t kAsciiAdvances[] = {  // U+0020 .. U+007E
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253,
    1300, 1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716
};
constexpr std::uint16_t kLatinAdvances[] = {  // U+00A0 .. U+00FF
    651, 821, 1303, 1303, 1303, 1303, 690, 1024, 1024, 2048, 965, 1253, 1716, 739, 2048, 1024,
    1024, 1716, 821, 821, 1024, 1303, 1303, 651, 1024, 821, 965, 1253, 1985, 1985, 1985, 1087,
    1401, 1401, 1401, 1401, 1401, 1401, 1995, 1430, 1294, 1294, 1294, 1294, 604, 604, 604, 604,
    1587, 1532, 1612, 1612, 1612, 1612, 1612, 1716, 1612, 1499, 1499, 1499, 1499, 1251, 1239, 1290,
    1255, 1255, 1255, 1255, 1255, 1255, 2011, 1126, 1260, 1260, 1260, 1260, 569, 569, 569, 569,
    1253, 1298, 1253, 1253, 1253, 1253, 1253, 1716, 1253, 1298, 1298, 1298, 1298, 1212, 1300, 1212
};
// clang-format on
static_assert(std::size(kAsciiAdvances) == 0x7F - 0x20);
static_assert(std::size(kLatinAdvances) == 0x100 - 0xA0);

std::uint16_t advance_units(char32_t character) noexcept {
    if (character < 0x20 || character == 0x7F) return 0;
    if (character < 0x7F) return kAsciiAdvances[character - 0x20];
    if (character >= 0xA0 && character <= 0xFF) return kLatinAdvances[character - 0xA0];
    return kOtherAdvance;
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
    const float limit = box_width > 0.0F ? box_width * kUnitsPerEm / font_size : 0.0F;
    std::size_t last_space = std::string_view::npos;
    std::uint64_t width = 0;
    while (!utf8.empty()) {
        const std::size_t at = whole.size() - utf8.size();
        const char32_t character = next_character(utf8);
        if (character == U'\n') return whole.substr(0, at);
        if (character == U' ') last_space = at;
        width += advance_units(character);
        const bool too_wide = limit > 0.0F && static_cast<float>(width) > limit;
        if (too_wide && character != U' ' && last_space != std::string_view::npos) {
            utf8 = whole.substr(last_space + 1);
            return whole.substr(0, last_space);
        }
    }
    return whole;
}

}  // namespace perigee
