// The contents of the card, and its separate draw list.
#include "engine/sdl/draw/stats_card.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("the card shows averages over half a second") {
    StatsCard stats;
    const std::string before = stats.text();
    for (int frame = 0; frame < 49; ++frame) {
        stats.add({.frame_nanoseconds = 10'000'000,
                   .stages = {.steps = 2'000'000, .draw = 300'000, .extract = 40'000, .sort = 20'000},
                   .submit_nanoseconds = 500'000,
                   .show_nanoseconds = 7'000'000});
        CHECK(stats.text() == before);
    }
    stats.add({.frame_nanoseconds = 10'000'000,
               .stages = {.steps = 2'000'000, .draw = 300'000, .extract = 40'000, .sort = 20'000},
               .submit_nanoseconds = 500'000,
               .show_nanoseconds = 7'000'000,
               .entity_count = 1234,
               .item_count = 56,
               .call_count = 7,
               .uploaded_bytes = 2048,
               .tick = 50});
    CHECK(stats.text() ==
          "100 fps   longest frame 10.0 ms\n"
          "ms   steps 2.00   draw 0.30   sprites 0.04   sort 0.02   submit 0.50   show 7.00\n"
          "1234 entities   56 items in 7 calls   2.0 KB uploaded   tick 50");
}

TEST_CASE("script errors are on the card when there are any") {
    StatsCard stats;
    FrameStats frame;
    frame.frame_nanoseconds = 600'000'000;
    frame.error_count = 3;
    stats.add(frame);
    CHECK_THAT(stats.text(), Catch::Matchers::EndsWith("\n3 script errors"));
}

TEST_CASE("the card is a sorted list in screen space, made for each frame") {
    StatsCard stats;
    for (int frame = 0; frame < 2; ++frame) {
        const DrawList& card = stats.draw_list(720);
        REQUIRE(card.items().size() == 2);
        REQUIRE(card.runs().size() == 2);
        CHECK(card.runs()[0].screen);
        CHECK(card.text(card.items()[1]) == stats.text());
        // Swarm has its bars in the upper 100 and the lower 80 pixels, and banners down to 220.
        CHECK(card.items()[0].y > 220);
        CHECK(card.items()[0].y + card.items()[0].h < 640);
    }
}
