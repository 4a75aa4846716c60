// The glyph drawings, composing letters with marks, and enlarging.
#include "engine/draw/text/pixel_font.h"

#include "engine/draw/text/text_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace perigee {

namespace {

// A picture of 5 columns. Rows 0 and 1 are for marks over capitals, 3 to 9 are above the base line, 10 and 11
// below it. Bit 4 is the left column.
constexpr int kColumns = 5;
constexpr int kRows = 12;
constexpr int kBaseRow = 10;
using Cell = std::array<std::uint8_t, kRows>;

// The glyphs of kDrawn, sixteen side by side; rows 3 to 11.
// clang-format off
constexpr std::string_view kDrawing =
    "..... ..#.. .#.#. .#.#. ..#.. ##... .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... .....\n"
    "..... ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... ..... ....#\n"
    "..... ..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#.. ..... ..... ..... ...#.\n"
    "..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. ##### ..... ##### ..... ..#..\n"
    "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. ..... ..... ..... .#...\n"
    "..... ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#.. .##.. ..... .##.. #....\n"
    "..... ..#.. ..... .#.#. ..#.. ...## .##.# ..... ...#. .#... ..... ..... ..#.. ..... .##.. .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"

    ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... .###.\n"
    "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...# .##.. ..... ..#.. ..... ..#.. #...#\n"
    "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#... ##### ...#. ....#\n"
    "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .#### ..... .##.. #.... ..... ....# ...#.\n"
    "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....# .##.. ..... .#... ##### ...#. ..#..\n"
    "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#. .##.. .##.. ..#.. ..... ..#.. .....\n"
    ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##.. ..... ..#.. ...#. ..... .#... ..#..\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"

    ".###. .###. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###.\n"
    "#...# #...# #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## #...# #...#\n"
    "#.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...#\n"
    "#.#.# ##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...#\n"
    "#.### #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...#\n"
    "#.... #...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #...# #...#\n"
    ".###. #...# ####. .###. ####. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###.\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"

    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. ..... .###. ..#.. .....\n"
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. .....\n"
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. #...# ...#. .#... .#... ...#. #...# .....\n"
    "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. .#.#. ..#.. .#... ..#.. ...#. ..... .....\n"
    "#.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... .....\n"
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. #.#.# #...# ..#.. #.... .#... ....# ...#. ..... .....\n"
    "#.... .##.# #...# ####. ..#.. .###. ..#.. .#.#. #...# ..#.. ##### .###. ..... .###. ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #####\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"

    ".#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... .....\n"
    "..#.. ..... #.... ..... ....# ..... .#..# ..... #.... ..... ..... #.... ..#.. ..... ..... .....\n"
    "...#. .###. #.##. .###. .##.# .###. .#... .#### #.##. .##.. ..##. #..#. ..#.. ##.#. #.##. .###.\n"
    "..... ....# ##..# #.... #..## #...# ###.. #...# ##..# ..#.. ...#. #.#.. ..#.. #.#.# ##..# #...#\n"
    "..... .#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...#\n"
    "..... #...# #...# #...# #...# #.... .#... #...# #...# ..#.. ...#. #.#.. ..#.. #...# #...# #...#\n"
    "..... .#### ####. .###. .#### .###. .#... .#### #...# .###. ...#. #..#. .###. #...# #...# .###.\n"
    "..... ..... ..... ..... ..... ..... ..... ....# ..... ..... #..#. ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ..... ..... .....\n"

    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ...#. ..#.. .#... ..... .....\n"
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. ..... .....\n"
    "####. .#### #.##. .#### ###.. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .#... .....\n"
    "#...# #...# ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#. #.#.# .....\n"
    "#...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#.. ..#.. ..#.. ..#.. ...#. .....\n"
    "#...# #...# #.... ....# .#..# #..## .#.#. #.#.# .#.#. #...# .#... ..#.. ..#.. ..#.. ..... .....\n"
    "####. .#### #.... ####. ..##. .##.# ..#.. .#.#. #...# .#### ##### ...#. ..#.. .#... ..... .....\n"
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... ....# ..... ..... ..#.. ..... ..... .....\n"
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... ..... ..... ..... .....\n"

    "..#.. ..#.. ..##. ..... #...# ..#.. .#### .#.#. .###. .###. ..... ..... ..... .###. ##### .##..\n"
    "..... .###. .#..# #...# .#.#. ..#.. #.... ..... #...# ....# ..#.# ..... ..... #...# ..... #..#.\n"
    "..#.. #.#.# .#... .###. ..#.. ..#.. .###. ..... #.### .#### .#.#. ..... ..... ###.# ..... #..#.\n"
    "..#.. #.#.. ###.. .#.#. ##### ..... #...# ..... ##... #...# #.#.. ##### ##### ##.## ..... .##..\n"
    "..#.. #.#.# .#... .###. ..#.. ..#.. .###. ..... #.### .#### .#.#. ....# ..... ###.# ..... .....\n"
    "..#.. .###. .#... #...# ##### ..#.. ....# ..... #...# ..... ..#.# ....# ..... ##.## ..... .....\n"
    "..#.. ..#.. ##### ..... ..#.. ..#.. ####. ..... .###. ##### ..... ..... ..... .###. ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"

    "..#.. .##.. ###.. ...#. ..... .#### ..... ..... .#... .###. ..... #...# #...# ##..# ..#.. .####\n"
    "..#.. #..#. ...#. ..#.. ..... ###.# ..... ..... ##... #...# #.#.. #..#. #..#. .#.#. ..... #.#..\n"
    "##### ..#.. .##.. .#... #...# ###.# ..... ..... .#... #...# .#.#. #.#.. #.#.. ###.. ..#.. #.#..\n"
    "..#.. .#... ...#. ..... #...# .##.# ..#.. ..... .#... #...# ..#.# .#.#. .#.#. .#.#. .#... ####.\n"
    "..#.. ####. ###.. ..... #...# ..#.# ..... ..... ###.. .###. .#.#. #.##. #...# #.##. #.... #.#..\n"
    "..... ..... ..... ..... ##..# ..#.# ..... ..... ..... ..... #.#.. ..### ...#. ..### #...# #.#..\n"
    "##### ..... ..... ..... #.##. ..#.# ..... ..... ..... ##### ..... ...#. ..### ...#. .###. #.###\n"
    "..... ..... ..... ..... #.... ..... ..... ..#.. ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... #.... ..... ..... .##.. ..... ..... ..... ..... ..... ..... ..... .....\n"

    "####. ..... .###. #.... .##.. ..... ..#.# ..... ..... #.... ..... ..... ..##. .##.. .#.#. ##.##\n"
    ".#..# #...# #..## ####. #..#. ..... ...#. ..#.. ..... #.... ..... ..... ..#.. ..#.. #.#.. ..#.#\n"
    ".#..# .#.#. #.#.# #...# #..#. ##.#. ..#.# ..... .#### ####. ..... ..... ..##. .##.. ##.## .#.#.\n"
    "###.# ..#.. #.#.# #...# #.##. ..#.# .#### ##### #..## #...# ####. ##### ..... ..... ..... .....\n"
    ".#..# .#.#. #.#.# ####. #...# .#### #...# ..... #.#.# #...# ..... ..... ..... ..... ..... .....\n"
    ".#..# #...# ##..# #.... #...# #.#.. #...# ..#.. ##..# #...# ..... ..... ..... ..... ..... .....\n"
    "####. ..... .###. #.... #.##. .#### .###. ..... ####. ####. ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... #.... ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... #.... ..... ..... ..... ..... ..... .....\n"

    "..... ..... ..### ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... .#... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    ".###. ..... ####. ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    ".###. ..... .#... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    ".###. ..... ####. ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... .#... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... #.#.# ..### ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....\n";

struct GlyphRange {
    char32_t first;
    unsigned count;
};
constexpr GlyphRange kDrawn[] = {
    {0x20, 95}, {0xA0, 32}, {0xC6, 1}, {0xD0, 1}, {0xD7, 2}, {0xDE, 2}, {0xE6, 1}, {0xF0, 1}, {0xF7, 2},
    {0xFE, 1}, {0x2013, 2}, {0x2018, 2}, {0x201C, 2}, {0x2022, 1}, {0x2026, 1}, {0x20AC, 1},
};

enum class Mark : std::uint8_t { grave, acute, circumflex, tilde, diaeresis, ring, cedilla };
constexpr std::uint8_t kMarks[][2] = {
    {0b01000, 0b00100}, {0b00010, 0b00100}, {0b00100, 0b01010}, {0b01101, 0b10110}, {0, 0b01010},
    {0b00110, 0b00110}, {0b00100, 0b01100}};

struct Composed {
    char32_t character;
    char letter;
    Mark mark;
};
constexpr Composed kComposed[] = {
    {0xC0, 'A', Mark::grave}, {0xC1, 'A', Mark::acute}, {0xC2, 'A', Mark::circumflex}, {0xC3, 'A', Mark::tilde},
    {0xC4, 'A', Mark::diaeresis}, {0xC5, 'A', Mark::ring}, {0xC7, 'C', Mark::cedilla}, {0xC8, 'E', Mark::grave},
    {0xC9, 'E', Mark::acute}, {0xCA, 'E', Mark::circumflex}, {0xCB, 'E', Mark::diaeresis},
    {0xCC, 'I', Mark::grave}, {0xCD, 'I', Mark::acute}, {0xCE, 'I', Mark::circumflex},
    {0xCF, 'I', Mark::diaeresis}, {0xD1, 'N', Mark::tilde}, {0xD2, 'O', Mark::grave}, {0xD3, 'O', Mark::acute},
    {0xD4, 'O', Mark::circumflex}, {0xD5, 'O', Mark::tilde}, {0xD6, 'O', Mark::diaeresis},
    {0xD9, 'U', Mark::grave}, {0xDA, 'U', Mark::acute}, {0xDB, 'U', Mark::circumflex},
    {0xDC, 'U', Mark::diaeresis}, {0xDD, 'Y', Mark::acute}, {0xE0, 'a', Mark::grave}, {0xE1, 'a', Mark::acute},
    {0xE2, 'a', Mark::circumflex}, {0xE3, 'a', Mark::tilde}, {0xE4, 'a', Mark::diaeresis},
    {0xE5, 'a', Mark::ring}, {0xE7, 'c', Mark::cedilla}, {0xE8, 'e', Mark::grave}, {0xE9, 'e', Mark::acute},
    {0xEA, 'e', Mark::circumflex}, {0xEB, 'e', Mark::diaeresis}, {0xEC, 'i', Mark::grave},
    {0xED, 'i', Mark::acute}, {0xEE, 'i', Mark::circumflex}, {0xEF, 'i', Mark::diaeresis},
    {0xF1, 'n', Mark::tilde}, {0xF2, 'o', Mark::grave}, {0xF3, 'o', Mark::acute}, {0xF4, 'o', Mark::circumflex},
    {0xF5, 'o', Mark::tilde}, {0xF6, 'o', Mark::diaeresis}, {0xF9, 'u', Mark::grave}, {0xFA, 'u', Mark::acute},
    {0xFB, 'u', Mark::circumflex}, {0xFC, 'u', Mark::diaeresis}, {0xFD, 'y', Mark::acute},
    {0xFF, 'y', Mark::diaeresis},
};
// clang-format on
constexpr Cell kDotlessI{0, 0, 0, 0, 0, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110, 0, 0};
constexpr Cell kBox{0, 0, 0, 0b11111, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11111, 0, 0};

constexpr std::size_t kGlyphsBeside = 16;
constexpr std::size_t kDrawnRows = 9;
constexpr std::size_t kLineBytes = kGlyphsBeside * (kColumns + 1);
static_assert(kDrawing.size() % (kDrawnRows * kLineBytes) == 0);

Cell drawn_cell(std::size_t number) noexcept {
    Cell cell{};
    for (std::size_t row = 0; row < kDrawnRows; ++row) {
        const std::size_t line = number / kGlyphsBeside * kDrawnRows + row;
        const std::string_view bits =
            kDrawing.substr(line * kLineBytes + number % kGlyphsBeside * (kColumns + 1), kColumns);
        for (const char bit : bits)
            cell[row + 3] = static_cast<std::uint8_t>(unsigned{cell[row + 3]} << 1U | unsigned{bit == '#'});
    }
    return cell;
}

bool find_drawn(char32_t character, Cell& cell) noexcept {
    std::size_t number = 0;
    for (const GlyphRange& range : kDrawn) {
        if (character >= range.first && character < range.first + range.count) {
            cell = drawn_cell(number + (character - range.first));
            return true;
        }
        number += range.count;
    }
    return false;
}

Cell composed_cell(const Composed& composed) noexcept {
    Cell cell = kDotlessI;
    if (composed.letter != 'i') find_drawn(static_cast<char32_t>(composed.letter), cell);
    const auto& mark = kMarks[static_cast<std::size_t>(composed.mark)];
    const bool is_capital = composed.letter < 'a';
    const std::size_t first = composed.mark == Mark::cedilla ? 10 : is_capital ? 0 : 2;
    for (std::size_t row = 0; row < 2; ++row) cell[first + row] |= mark[row];
    return cell;
}

Cell cell_of(char32_t character) noexcept {
    Cell cell = kBox;
    if (find_drawn(character, cell)) return cell;
    const auto composed = std::ranges::find(kComposed, character, &Composed::character);
    return composed != std::end(kComposed) ? composed_cell(*composed) : cell;
}

// The part of a pixel's width or height that is on, from samples.
constexpr int kSamples = 4;
constexpr float kRowEm = 0.09F;  // height of a row, and width of a column if there is room
constexpr float kUsualOfAdvance = 0.72F;
constexpr float kMaxOfAdvance = 0.92F;  // that ink may take

}  // namespace

GlyphBitmap pixel_font_glyph(char32_t character, int pixel_size) {
    GlyphBitmap bitmap;
    const float advance = glyph_advance(character, static_cast<float>(pixel_size));
    if (!is_drawn(character) || advance <= 0.0F) return bitmap;
    const Cell cell = cell_of(character);
    unsigned columns = 0;
    for (const std::uint8_t row : cell) columns |= row;
    if (columns == 0) return bitmap;
    int first = 0;
    while ((columns & 1U << (kColumns - 1 - first)) == 0) ++first;
    int last = kColumns - 1;
    while ((columns & 1U << (kColumns - 1 - last)) == 0) --last;

    const float row_height = kRowEm * static_cast<float>(pixel_size);
    const auto count = static_cast<float>(last - first + 1);
    // Wide letters (M) fill their room, narrow ones (i) are pressed into it.
    const float wide = last - first + 1 == kColumns ? kUsualOfAdvance * advance / count : 0.0F;
    const float column_width = std::min(std::max(row_height, wide), kMaxOfAdvance * advance / count);
    const float ink_left = (advance - count * column_width) / 2.0F;
    const float ink_top = -static_cast<float>(kBaseRow) * row_height;
    bitmap.left = static_cast<int>(std::floor(ink_left));
    bitmap.top = static_cast<int>(std::floor(ink_top));
    bitmap.width = static_cast<int>(std::ceil(ink_left + count * column_width)) - bitmap.left;
    bitmap.height =
        static_cast<int>(std::ceil(static_cast<float>(kRows - kBaseRow) * row_height)) - bitmap.top;
    bitmap.coverage.resize(static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height));

    const auto is_on = [&](float x, float y) {
        const int column = first + static_cast<int>(std::floor((x - ink_left) / column_width));
        const int row = static_cast<int>(std::floor((y - ink_top) / row_height));
        return column >= first && column <= last && row >= 0 && row < kRows &&
               (cell[static_cast<std::size_t>(row)] & 1U << (kColumns - 1 - column)) != 0;
    };
    std::uint8_t* pixel = bitmap.coverage.data();
    for (int y = bitmap.top; y < bitmap.top + bitmap.height; ++y)
        for (int x = bitmap.left; x < bitmap.left + bitmap.width; ++x) {
            int on = 0;
            for (int sample = 0; sample < kSamples * kSamples; ++sample) {
                const auto at = [](int index) { return (static_cast<float>(index) + 0.5F) / kSamples; };
                on += is_on(static_cast<float>(x) + at(sample % kSamples),
                            static_cast<float>(y) + at(sample / kSamples))
                          ? 1
                          : 0;
            }
            *pixel++ = static_cast<std::uint8_t>(on * 255 / (kSamples * kSamples));
        }
    return bitmap;
}

}  // namespace perigee
