// What is markup, what is text, and the messages about mistakes.
#include "engine/fonts/markup.h"

#include <catch2/catch.hpp>

using namespace perigee;
using namespace perigee::internal;

namespace {

struct Reading {
    std::vector<TextUnit> units;
    std::string mistake;
    explicit Reading(std::string_view text) {
        read_markup(
            text,
            [](std::string_view name) -> std::optional<std::uint32_t> {
                if (name == "mana") return 7;
                return std::nullopt;
            },
            units, mistake);
    }
    // Each character, with a '!' after those with a colour, and icons as '#'.
    std::string text() const {
        std::string text;
        for (const TextUnit& unit : units) {
            text += unit.icon >= 0 ? '#' : static_cast<char>(unit.code);
            if (unit.has_color) text += '!';
        }
        return text;
    }
};

}  // namespace

TEST_CASE("a colour holds until its end, and may contain another") {
    const Reading reading{"a{red}b{#00ff0080}c{/}d{/}e"};
    CHECK(reading.text() == "ab!c!d!e");
    CHECK(reading.units[1].color == *color_from_text("red"));
    CHECK(reading.units[2].color == pack_color(0, 255, 0, 128));
    CHECK(reading.units[3].color == *color_from_text("red"));
    CHECK(reading.mistake.empty());
}

TEST_CASE("an icon is one character, and two braces are one") {
    const Reading reading{"{icon:mana} {{red}} }"};
    CHECK(reading.text() == "# {red} }");
    CHECK(reading.units[0].icon == 7);
    CHECK(reading.mistake.empty());
}

TEST_CASE("what is no markup stays as it is written, and the first mistake is reported") {
    const auto mistake = [](std::string_view text) {
        const Reading reading{text};
        CHECK(reading.text() == text);
        return reading.mistake;
    };
    CHECK(mistake("a{/}") == "{/} ends a colour, and none has begun");
    CHECK(mistake("{rde}a") ==
          "{rde} is neither a colour nor {icon:name} nor {/}: 'rde' is not a colour; did you mean 'red'?; "
          "write "
          "\"#rrggbb\" or a name like \"red\"; a brace is {{");
    CHECK(mistake("if a { b") == "a '{' has no '}'; a brace is {{");
    CHECK(mistake("{icon:coin}").empty());  // whoever knows the icons reports it
    std::string deep;
    for (int i = 0; i < 40; ++i) deep += "{red}";
    CHECK(Reading{deep}.mistake == "more than 31 colours inside of each other");
}

TEST_CASE("malformed UTF-8 is one character for each stray byte") {
    CHECK(Reading{"\xFF{red}\xC3{/}"}.units.size() == 2);
    std::vector<TextUnit> plain;
    read_plain("{red}", plain);
    CHECK(plain.size() == 5);
}
