// Both forms of texts, and invalid ones.
#include "ecs/base/color_text.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("short forms repeat their digits and are opaque without the last one") {
    CHECK(parse_color("#f80") == ColorBytes{255, 136, 0, 255});
    CHECK(parse_color("#f808") == ColorBytes{255, 136, 0, 136});
    CHECK(parse_color("#ff8000") == ColorBytes{255, 128, 0, 255});
}

TEST_CASE("colours have names") {
    CHECK(parse_color("white") == ColorBytes{255, 255, 255, 255});
    CHECK(parse_color("grey") == parse_color("gray"));
    CHECK(parse_color("transparent") == ColorBytes{0, 0, 0, 0});
}

TEST_CASE("any other text is not a colour") {
    for (const char* text :
         {"", "#", "#1", "#12", "#12345", "#1234567", "#123456789", "#ggg", "red ", "Red", "ff0000"})
        CHECK_FALSE(parse_color(text));
}

TEST_CASE("the error for a text that is no colour has the nearest name") {
    CHECK(why_no_color("blu") ==
          "'blu' is not a colour; did you mean 'blue'?; write \"#rrggbb\" or a name like \"red\"");
}
