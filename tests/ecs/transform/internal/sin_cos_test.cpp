// Compared with the C library's doubles, which are far more precise than a float.
#include "ecs/transform/internal/sin_cos.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace perigee::internal {
namespace {

TEST_CASE("sine and cosine are within one unit in the last place of a float, near zero and far away") {
    double worst = 0;
    const auto compare = [&](float angle) {
        const SinCos found = sin_cos(angle);
        worst = std::max(worst, std::fabs(found.sin - std::sin(double{angle})));
        worst = std::max(worst, std::fabs(found.cos - std::cos(double{angle})));
    };
    for (int i = -400'000; i <= 400'000; ++i) compare(static_cast<float>(i) * 1e-4F);
    for (float angle = 1e-6F; angle < 900'000; angle *= 1.001F) compare(angle);
    CHECK(worst < 6e-8);
    CHECK(sin_cos(0).sin == 0);
    CHECK(sin_cos(0).cos == 1);
}

TEST_CASE("huge angles give points on the unit circle, and angles that are not finite give NaN") {
    for (const float angle : {2e6F, -3e7F, 1e12F, 3e38F}) {
        const SinCos found = sin_cos(angle);
        CHECK(found.sin * found.sin + found.cos * found.cos == Approx(1));
    }
    for (const float angle :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        CHECK(std::isnan(sin_cos(angle).sin));
        CHECK(std::isnan(sin_cos(angle).cos));
    }
}

}  // namespace
}  // namespace perigee::internal
