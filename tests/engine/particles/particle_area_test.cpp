// Places of each shape, beside slow models that count how many are to be expected.
#include "engine/particles/particle_area.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <vector>

using namespace perigee;

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr std::size_t kCount = 40000;

std::vector<AreaPlace> places_in(const ParticleArea& area, float turn = 0.0F) {
    Random random(3);
    const AreaPlaces places(area, turn);
    std::vector<AreaPlace> all;
    for (std::size_t i = 0; i < kCount; ++i) all.push_back(places.next(random));
    return all;
}

constexpr std::size_t kColumns = 10;
using Counts = std::array<double, kColumns * kColumns>;

// How many of the points are in each cell of a grid over the area, as parts of all.
Counts counts_of(const ParticleArea& area, const std::vector<AreaPlace>& points) {
    Counts counts{};
    const auto cell = [](float at, float side) {
        const float part = (at / side + 0.5F) * static_cast<float>(kColumns);
        return static_cast<std::size_t>(std::clamp(part, 0.0F, kColumns - 1.0F));
    };
    for (const AreaPlace& point : points)
        counts[cell(point.y, area.height) * kColumns + cell(point.x, area.width)] +=
            1.0 / static_cast<double>(points.size());
    return counts;
}

// Every point of a fine grid over the area that is in it.
std::vector<AreaPlace> inside(const ParticleArea& area, const std::function<bool(float, float)>& is_in) {
    constexpr int kFine = 400;
    std::vector<AreaPlace> all;
    for (int row = 0; row < kFine; ++row)
        for (int column = 0; column < kFine; ++column) {
            const float x = (static_cast<float>(column) + 0.5F) / kFine - 0.5F;
            const float y = (static_cast<float>(row) + 0.5F) / kFine - 0.5F;
            if (is_in(x, y)) all.push_back({x * area.width, y * area.height});
        }
    return all;
}

// Points at even distances along a way through the area. `way`: from 0 .. 1 to parts of its half sides.
std::vector<AreaPlace> along(const ParticleArea& area, const std::function<AreaPlace(float)>& way) {
    constexpr int kSteps = 200000;
    constexpr float kDistance = 0.01F;
    std::vector<AreaPlace> all;
    float left = 0;
    AreaPlace last{};
    for (int step = 0; step <= kSteps; ++step) {
        const AreaPlace part = way(static_cast<float>(step) / kSteps);
        const AreaPlace at{part.x * area.width / 2, part.y * area.height / 2};
        if (step > 0) left -= std::hypot(at.x - last.x, at.y - last.y);
        last = at;
        for (; left <= 0; left += kDistance) all.push_back(at);
    }
    return all;
}

void check_even(const ParticleArea& area, const std::vector<AreaPlace>& model) {
    const Counts expected = counts_of(area, model), counts = counts_of(area, places_in(area));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        CAPTURE(kAreaShapeNames[static_cast<std::size_t>(area.shape)], i);
        const double deviation = std::sqrt(expected[i] / kCount);
        CHECK(counts[i] == Approx(expected[i]).margin(5 * deviation + 0.0005));
    }
}

}  // namespace

TEST_CASE("places are spread evenly over a disc, a rectangle and their borders") {
    for (const float height : {30.0F, 100.0F}) {
        const auto area = [height](AreaShape shape) { return ParticleArea{shape, 100, height, 0, false}; };
        check_even(area(AreaShape::disc),
                   inside(area(AreaShape::disc), [](float x, float y) { return x * x + y * y <= 0.25F; }));
        check_even(area(AreaShape::rectangle),
                   inside(area(AreaShape::rectangle), [](float, float) { return true; }));
        check_even(area(AreaShape::ring), along(area(AreaShape::ring), [](float at) {
                       return AreaPlace{std::cos(2 * kPi * at), std::sin(2 * kPi * at)};
                   }));
        check_even(area(AreaShape::frame), along(area(AreaShape::frame), [](float at) {
                       const float side = at * 4;
                       if (side < 1) return AreaPlace{2 * side - 1, -1};
                       if (side < 2) return AreaPlace{1, 2 * side - 3};
                       if (side < 3) return AreaPlace{5 - 2 * side, 1};
                       return AreaPlace{-1, 7 - 2 * side};
                   }));
    }
}

TEST_CASE("places of borders are on them") {
    for (const AreaPlace& at : places_in({AreaShape::ring, 100, 30, 0, false}))
        CHECK(std::hypot(at.x / 50, at.y / 15) == Approx(1));
    for (const AreaPlace& at : places_in({AreaShape::frame, 100, 30, 0, false}))
        CHECK(std::max(std::fabs(at.x) / 50, std::fabs(at.y) / 15) == Approx(1));
}

TEST_CASE("an area is turned by its rotation and by its emitter") {
    for (const AreaPlace& at : places_in({AreaShape::line, 100, 0, 1.0F, false}, 0.5F)) {
        CHECK(std::fabs(at.x * std::sin(1.5F) - at.y * std::cos(1.5F)) < 1e-4F);
        CHECK(std::hypot(at.x, at.y) <= 50.001F);
    }
    const auto straight = places_in({AreaShape::rectangle, 100, 30, 0, false});
    const auto turned = places_in({AreaShape::rectangle, 100, 30, kPi / 2, false});
    for (std::size_t i = 0; i < kCount; ++i) {
        CHECK(turned[i].x == Approx(-straight[i].y).margin(1e-4));
        CHECK(turned[i].y == Approx(straight[i].x).margin(1e-4));
    }
}

TEST_CASE("a cloud is dense in its middle, and 95 of 100 places along each axis are in it") {
    const auto places = places_in({AreaShape::cloud, 100, 40, 0, false});
    const auto within = [&places](float width, float height) {
        return static_cast<double>(std::ranges::count_if(places,
                                                         [=](const AreaPlace& at) {
                                                             return std::fabs(at.x) <= width / 2 &&
                                                                    std::fabs(at.y) <= height / 2;
                                                         })) /
               kCount;
    };
    CHECK(within(100, 1e6F) == Approx(0.954).margin(0.01));
    CHECK(within(1e6F, 40) == Approx(0.954).margin(0.01));
    CHECK(within(50, 1e6F) == Approx(0.683).margin(0.01));
    for (const AreaPlace& at : places) CHECK(std::isfinite(at.x + at.y));
}

TEST_CASE("the largest areas and those without a side have finite places") {
    for (std::size_t shape = 0; shape < kAreaShapeNames.size(); ++shape)
        for (const float width : {0.0F, ParticleArea::kLargest})
            for (const float height : {0.0F, ParticleArea::kLargest})
                for (const AreaPlace& at :
                     places_in({static_cast<AreaShape>(shape), width, height, 1e6F, true}))
                    if (!std::isfinite(at.x + at.y)) FAIL(kAreaShapeNames[shape]);
}
