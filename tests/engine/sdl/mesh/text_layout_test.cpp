// Where the characters of plain texts are, with each alignment, against what the metrics say of each line.
#include "engine/sdl/mesh/text_layout.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace perigee;

namespace {

DrawItem text_item(float width, TextAlign align) {
    DrawItem item{.w = width, .h = 20, .kind = DrawKind::text};
    item.flags = static_cast<std::uint8_t>(static_cast<unsigned>(align) << kDrawAlignShift);
    return item;
}

struct Line {
    float left = 1e9F;
    float right = -1e9F;  // the end of its last character
};

// Where the ink of each line begins and ends.
std::vector<Line> lines_of(const DrawItem& item, std::string_view utf8) {
    std::vector<Line> lines;
    each_line(item, utf8, [&](std::string_view line, LineStart start, float) {
        Line found;
        each_character_of(line, start, item.h, [&](char32_t character, float pen) {
            found.left = std::min(found.left, pen);
            found.right = std::max(found.right, pen + glyph_advance(character, item.h));
        });
        lines.push_back(found);
    });
    return lines;
}

std::string random_paragraph(std::mt19937& random) {
    std::string text;
    for (unsigned word = 0; word < 2 + random() % 12; ++word) {
        if (word != 0) text += ' ';
        for (unsigned i = 0; i < 1 + random() % 8; ++i)
            text += random() % 9 == 0 ? std::string{"\xC3\xA9"}
                                      : std::string(1, static_cast<char>('a' + random() % 26));
    }
    return text;
}

}  // namespace

TEST_CASE("the lines of a justified paragraph end at its box, but for the last one and single words") {
    std::mt19937 random{1};
    int justified = 0;
    for (int round = 0; round < 300; ++round) {
        const std::string text = random_paragraph(random);
        const float width = 80.0F + static_cast<float>(random() % 200);
        const std::vector<Line> plain = lines_of(text_item(width, TextAlign::left), text);
        const std::vector<Line> lines = lines_of(text_item(width, TextAlign::justify), text);
        REQUIRE(lines.size() == plain.size());
        std::string_view rest = text;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string_view line = next_line(rest, 20, width);
            CAPTURE(text, width, line);
            CHECK(lines[i].left == 0.0F);
            if (i + 1 == lines.size() || line.find(' ') == std::string_view::npos) {
                CHECK(lines[i].right == plain[i].right);
            } else {
                CHECK(lines[i].right == Approx(width).margin(0.01));
                ++justified;
            }
        }
    }
    CHECK(justified > 100);
}

TEST_CASE("centred and right lines are at the middle and the end of the box, or of x without one") {
    const std::string_view text = "one two three four";
    for (const float width : {0.0F, 90.0F}) {
        const std::vector<Line> left = lines_of(text_item(width, TextAlign::left), text);
        const std::vector<Line> center = lines_of(text_item(width, TextAlign::center), text);
        const std::vector<Line> right = lines_of(text_item(width, TextAlign::right), text);
        for (std::size_t i = 0; i < left.size(); ++i) {
            CHECK(right[i].right == Approx(width).margin(0.01));
            CHECK(center[i].left == Approx((width - left[i].right) / 2).margin(0.01));
        }
    }
}

TEST_CASE("spaces at the end of a justified line are not counted") {
    const std::vector<Line> lines = lines_of(text_item(100, TextAlign::justify), "aa bb  cccccccccc");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].right == Approx(100).margin(0.01));
}
