// How angles and strokes become the 16-bit numbers of an item.
#include "engine/draw_item.h"

#include <algorithm>
#include <cmath>

namespace perigee {

std::uint16_t quantised_angle(float radians) noexcept {
    if (!std::isfinite(radians)) return 0;
    const double turns = radians * (1.0 / (2.0 * std::numbers::pi));
    const double fraction = turns - std::floor(turns);
    return static_cast<std::uint16_t>(static_cast<std::uint32_t>(fraction * 65536.0 + 0.5));
}

std::uint16_t quantised_stroke(float pixels) noexcept {
    if (std::isnan(pixels)) return 16;
    return static_cast<std::uint16_t>(std::lround(std::clamp(pixels, 1.0F / 16.0F, 4095.0F) * 16.0F));
}

}  // namespace perigee
