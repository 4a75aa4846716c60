// Interpolation only between positions that an entity really had.
#include "engine/extract/interpolation.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;

TEST_CASE("positions are interpolated between the previous and the current one, exactly at both ends") {
    std::mt19937 random{1};
    PreviousPositions previous;
    previous.reserve(100);
    for (int i = 0; i < 2000; ++i) {
        const Entity entity = entity_from_parts(static_cast<std::uint32_t>(random() % 100), 1 + random() % 3);
        const auto any = [&](float around) {
            return around + static_cast<float>(random() % 2000) / 10.0F - 100.0F;
        };
        const float x0 = any(0), y0 = any(500);
        const float x1 = x0 + any(0) / 2, y1 = y0 + any(0) / 2;
        previous.remember(entity, x0, y0);
        CHECK(previous.between(entity, x1, y1, 1.0F).x == x1);
        CHECK(previous.between(entity, x1, y1, 1.0F).y == y1);
        CHECK(previous.between(entity, x1, y1, 0.0F).x == Approx(x0).margin(1e-3));
        CHECK(previous.between(entity, x1, y1, 0.5F).y == Approx((y0 + y1) / 2).margin(1e-3));
    }
}

TEST_CASE("a new entity in a reused slot does not start at the old one's position") {
    PreviousPositions previous;
    previous.reserve(8);
    previous.remember(entity_from_parts(7, 1), 0, 0);
    CHECK(previous.between(entity_from_parts(7, 2), 50, 50, 0.5F).x == 50);
    CHECK(previous.between(entity_from_parts(6, 1), 50, 50, 0.5F).x == 50);
    CHECK(previous.between(entity_from_parts(1'000'000, 1), 50, 50, 0.5F).x == 50);
}

TEST_CASE("a teleport is not interpolated") {
    PreviousPositions previous;
    previous.reserve(1);
    const Entity entity = entity_from_parts(0, 1);
    previous.remember(entity, 0, 0);
    CHECK(previous.between(entity, 127, -127, 0.5F).x == 63.5F);
    CHECK(previous.between(entity, 128, 0, 0.5F).x == 128);
    CHECK(previous.between(entity, 0, -1000, 0.5F).y == -1000);
}
