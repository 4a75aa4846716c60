// Sine and cosine of one angle with the same bits on every machine. Those of the C library differ between
// processors, which would change the world hash.
//
// Invariant: plain multiplications and additions of doubles, without branches in the usual range, so that a
// loop over them can be vectorised. Within one unit in the last place of a float.
#pragma once

#include <cmath>
#include <cstdint>

namespace perigee::internal {

struct SinCos {
    float sin;
    float cos;
};

/// Units: rad. Not finite: NaN for both.
inline SinCos sin_cos(float angle) noexcept {
    constexpr double kPi = 3.14159265358979323846;
    double x = angle;
    if (!(std::fabs(x) < 1e6)) [[unlikely]]
        x = std::fmod(x, 2 * kPi);  // exact
    // Rounds to the nearest quarter turn: adding and subtracting 1.5 * 2^52 rounds.
    constexpr double kRound = 6755399441055744.0;
    const double quarters = (x * (2 / kPi) + kRound) - kRound;
    const double r = x - quarters * (kPi / 2);
    const double r2 = r * r;
    const double sine = r * (1 + r2 * (-1.0 / 6 + r2 * (1.0 / 120 + r2 * (-1.0 / 5040 + r2 / 362880))));
    const double cosine =
        1 + r2 * (-1.0 / 2 + r2 * (1.0 / 24 + r2 * (-1.0 / 720 + r2 * (1.0 / 40320 - r2 / 3628800))));
    const auto quadrant = x == x ? static_cast<std::int32_t>(quarters) & 3 : 0;
    const double a = (quadrant & 1) != 0 ? cosine : sine;
    const double b = (quadrant & 1) != 0 ? sine : cosine;
    return {static_cast<float>((quadrant & 2) != 0 ? -a : a),
            static_cast<float>(((quadrant + 1) & 2) != 0 ? -b : b)};
}

}  // namespace perigee::internal
