// Numbers as Lua passes them to the functions of a module: of type double, whatever they mean.
#pragma once

#include "engine/draw/color.h"

#include <cstdint>
#include <limits>

namespace perigee::internal {

// C++ leaves conversions out of range undefined; this clamps, and NaN becomes the lower end.
template <typename Integer> Integer whole(double number) noexcept {
    constexpr auto kLow = static_cast<double>(std::numeric_limits<Integer>::min());
    constexpr auto kHigh = static_cast<double>(std::numeric_limits<Integer>::max());
    if (!(number > kLow)) return std::numeric_limits<Integer>::min();
    if (number >= kHigh) return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(number);
}

// Lua writes colours as 0xRRGGBBAA, as in colour fields of components; in memory r comes first.
inline PackedColor color_from_lua(double number) noexcept {
    return __builtin_bswap32(whole<std::uint32_t>(number));
}
inline double color_to_lua(PackedColor color) noexcept { return __builtin_bswap32(color); }

}  // namespace perigee::internal
