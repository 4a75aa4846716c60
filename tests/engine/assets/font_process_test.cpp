// Answers that a process of a font could give: the game believes none that is out of range.
#include "engine/assets/font_process.h"

#include "engine/assets/internal/font_protocol.h"

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

using namespace perigee;
using namespace perigee::decoding;

namespace {

// A process of which a test writes the answers before they are asked for.
struct Fake {
    int game = -1;
    int process = -1;
    Fake() {
        std::array<int, 2> pair{};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
        game = pair[0];
        process = pair[1];
    }
    ~Fake() { end(); }
    void end() {
        if (process >= 0) ::close(process);
        process = -1;
    }
    template <typename T> void say(const T& answer) {
        REQUIRE(::send(process, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer);
    }
    Result<FontProcess> begin() { return FontProcess::begin(game, 200); }
};

FontHead small_head() {
    FontHead head;
    head.units_per_em = 1000;
    head.ascent = 800;
    head.descent = 200;
    return head;
}

std::string why(const Result<FontProcess>& font) { return font ? "good" : font.error().message; }

}  // namespace

TEST_CASE("a font begins with what it has") {
    Fake fake;
    FontHead head = small_head();
    head.character_count = 2;
    fake.say(head);
    fake.say(FontCharacter{65, 3, 600});
    fake.say(FontCharacter{66, 4, -5});
    const Result<FontProcess> font = fake.begin();
    REQUIRE(font);
    CHECK(font.value().facts().units_per_em == 1000);
    REQUIRE(font.value().facts().characters.size() == 2);
    CHECK(font.value().facts().characters[0].glyph == 3);
    CHECK(font.value().facts().characters[1].advance == 0);
}

TEST_CASE("numbers that no font has end the process of one that has") {
    const auto answer = [](auto change) {
        Fake fake;
        FontHead head = small_head();
        change(head);
        fake.say(head);
        fake.end();
        return why(fake.begin());
    };
    CHECK(answer([](FontHead&) {}) == "good");
    CHECK(answer([](FontHead& head) { head.units_per_em = 0; }) == "it is not a TrueType or OpenType font");
    constexpr char kNonsense[] = "it crashed the decoder";
    CHECK(answer([](FontHead& head) { head.magic = 1; }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.units_per_em = 70'000; }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.ascent = 1 << 30; }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.descent = -(1 << 30); }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.line_gap = 1 << 30; }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.character_count = 0xFFFF'FFFF; }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.kerning_count = 7; }) == kNonsense);
    CHECK(answer([](FontHead& head) { head.character_count = 1; }) == kNonsense);  // which does not come
    Fake unordered;
    FontHead head = small_head();
    head.character_count = 2;
    unordered.say(head);
    unordered.say(FontCharacter{66, 4, 600});
    unordered.say(FontCharacter{65, 3, 600});
    CHECK(why(unordered.begin()) == kNonsense);
}

TEST_CASE("an answer that is out of range breaks the font, and later ones are empty") {
    const auto picture_of = [](const FontReply& reply) {
        Fake fake;
        fake.say(small_head());
        FontProcess font = std::move(fake.begin()).value();
        fake.say(reply);
        fake.say(std::array<char, 4>{1, 2, 3, 4});
        const auto picture = font.draw(1, 20);
        return font.is_broken() ? -1 : static_cast<int>(picture.coverage.size());
    };
    CHECK(picture_of({.bytes = 4, .width = 2, .height = 2}) == 4);
    CHECK(picture_of({.bytes = 4, .width = 3, .height = 2}) == -1);
    CHECK(picture_of({.bytes = 0, .width = -2, .height = 2}) == -1);
    CHECK(picture_of({.bytes = 4, .width = 2, .height = 2, .left = 1 << 30}) == -1);
    CHECK(picture_of({.magic = 5, .bytes = 4, .width = 2, .height = 2}) == -1);
    CHECK(picture_of({.bytes = 5000U * 5000U, .width = 5000, .height = 5000}) == -1);

    Fake fake;
    fake.say(small_head());
    FontProcess font = std::move(fake.begin()).value();
    std::vector<FontProcess::PositionedGlyph> glyphs;
    fake.say(FontReply{.bytes = sizeof(FontProcess::PositionedGlyph)});
    fake.say(FontProcess::PositionedGlyph{.glyph = 1, .cluster = 7, .advance = 5});
    CHECK_FALSE(font.shape(U"abc", 0, 3, false, glyphs));
    CHECK(font.is_broken());
    std::vector<std::uint8_t> levels;
    CHECK_FALSE(font.levels(U"abc", levels));
    CHECK(font.draw(1, 20).width == 0);
}

TEST_CASE("a process that ends or does not answer is broken after its time") {
    Fake ended;
    ended.end();
    CHECK(why(ended.begin()) == "it crashed the decoder");
    Fake silent;
    silent.say(small_head());
    FontProcess font = std::move(silent.begin()).value();
    CHECK(font.draw(1, 20).width == 0);
    CHECK(font.is_broken());
    std::vector<std::uint8_t> levels;
    CHECK_FALSE(font.levels({}, levels));
    CHECK_FALSE(font.levels(std::u32string(FontProcess::kMaxTextLength + 1, U'a'), levels));
}
