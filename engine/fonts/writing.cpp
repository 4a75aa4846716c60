// Ranges of blocks. Source: https://www.unicode.org/Public/15.0.0/ucd/Blocks.txt, and UAX #14 for line
// breaks.
#include "engine/fonts/writing.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace perigee::internal {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr Range kShaped[] = {
    {0x0300, 0x036F},    // combining marks
    {0x0483, 0x0489},    // Cyrillic marks
    {0x0590, 0x109F},    // Hebrew, Arabic, … the scripts of India, Thai, Lao, Tibetan, Myanmar
    {0x135D, 0x135F},    // Ethiopic marks
    {0x1700, 0x18AF},    // of the Philippines, Khmer, Mongolian
    {0x1900, 0x1CFF},    // Limbu to Vedic
    {0x1DC0, 0x1DFF},    // combining marks
    {0x200C, 0x200F},    // joiners and marks of direction
    {0x202A, 0x202E},    // embeddings
    {0x2066, 0x2069},    // isolates
    {0x20D0, 0x20FF},    // combining marks for symbols
    {0x2DE0, 0x2DFF},    // Cyrillic marks
    {0x302A, 0x302F},    // marks of tone
    {0x3099, 0x309A},    // voicing marks
    {0xA66F, 0xA69F},    // Cyrillic marks
    {0xA800, 0xABFF},    // Syloti Nagri to Meetei Mayek
    {0xD7B0, 0xD7FF},    // old Hangul
    {0x1100, 0x11FF},    // Hangul that is put together
    {0xFB1D, 0xFDFF},    // Hebrew and Arabic forms
    {0xFE00, 0xFE0F},    // selectors of variants
    {0xFE20, 0xFE2F},    // combining half marks
    {0xFE70, 0xFEFE},    // Arabic forms
    {0x10800, 0x10FFF},  // from right to left
    {0x11000, 0x11FFF},  // Brahmi and its kin
    {0x1E000, 0x1EFFF},  // Glagolitic marks, from right to left
    {0x1F3FB, 0x1F3FF},  // tones of skin
    {0xE0100, 0xE01EF},  // selectors of variants
};

constexpr Range kRightToLeft[] = {
    {0x0590, 0x08FF}, {0x200F, 0x200F}, {0x202A, 0x202E},   {0x2066, 0x2069},
    {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF},
};

constexpr Range kJoined[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5},   {0x05C7, 0x05C7}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670},
    {0x06D6, 0x06DC},   {0x06DF, 0x06E4}, {0x06E7, 0x06E8}, {0x06EA, 0x06ED}, {0x0E31, 0x0E31},
    {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E}, {0x1DC0, 0x1DFF}, {0x200C, 0x200D}, {0x20D0, 0x20FF},
    {0x302A, 0x302F},   {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF},
    {0xE0100, 0xE01EF},
};

constexpr Range kIdeographic[] = {
    {0x2E80, 0x9FFF},    // radicals, kana, CJK
    {0xA000, 0xA4CF},    // Yi
    {0xF900, 0xFAFF},    // compatibility
    {0xFE30, 0xFE4F},    // compatibility forms
    {0xFF00, 0xFFEF},    // full width
    {0x1F300, 0x1FAFF},  // pictographs
    {0x20000, 0x3FFFF},  // more CJK
};

// No line begins with these, and none ends with those.
constexpr std::u32string_view kNotFirst =
    U"!),.:;?]}\u00BB\u2019\u201D\u2026\u3001\u3002\u3005\u3009\u300B\u300D\u300F\u3011\u3015\u3017\u3019"
    U"\u301B\u301F\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308E\u30A1\u30A3\u30A5\u30A7\u30A9"
    U"\u30C3\u30E3\u30E5\u30E7\u30EE\u30FB\u30FC\uFF01\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\uFF3D\uFF5D\uFF60";
constexpr std::u32string_view kNotLast =
    U"([{"
    U"\u00AB\u2018\u201C\u3008\u300A\u300C\u300E\u3010\u3014\u3016\u3018\u301A\u301D\uFF08\uFF3B\uFF5B\uFF5F";

template <std::size_t kCount> bool is_in(const Range (&ranges)[kCount], char32_t character) noexcept {
    return std::any_of(std::begin(ranges), std::end(ranges), [character](const Range& range) {
        return character >= range.first && character <= range.last;
    });
}

}  // namespace

bool needs_shaping(char32_t character) noexcept { return character >= 0x300 && is_in(kShaped, character); }

bool may_run_right_to_left(char32_t character) noexcept {
    return character >= 0x590 && is_in(kRightToLeft, character);
}

bool joins_previous(char32_t character) noexcept { return character >= 0x300 && is_in(kJoined, character); }

bool may_wrap_between(char32_t before, char32_t after) noexcept {
    if (before == 0x200B) return true;  // the space without a width
    if (before < 0x2E80 && after < 0x2E80) return false;
    if (!is_in(kIdeographic, before) && !is_in(kIdeographic, after)) return false;
    return kNotFirst.find(after) == kNotFirst.npos && kNotLast.find(before) == kNotLast.npos;
}

}  // namespace perigee::internal
