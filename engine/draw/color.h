// Colours as numbers of 32 bits, from texts and from four numbers from 0 to 1.
//
// Invariant: a packed colour is r, g, b, a in memory order (r in the lowest byte), everywhere in the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perigee {

using PackedColor = std::uint32_t;

inline constexpr PackedColor kWhite = 0xFFFF'FFFF;

constexpr PackedColor pack_color(std::uint8_t r, std::uint8_t g, std::uint8_t b,
                                 std::uint8_t a = 255) noexcept {
    return static_cast<PackedColor>(r | g << 8U | b << 16U) | static_cast<PackedColor>(a) << 24U;
}

/// Channel by channel, where 255 is 1.
constexpr PackedColor multiplied(PackedColor a, PackedColor b) noexcept {
    if (b == kWhite) return a;
    PackedColor product = 0;
    for (unsigned shift = 0; shift < 32; shift += 8)
        product |= ((a >> shift & 0xFFU) * (b >> shift & 0xFFU) + 127) / 255 << shift;
    return product;
}

/// The colour multiplied by its opacity, which stays.
constexpr PackedColor premultiplied(PackedColor color) noexcept {
    const PackedColor alpha = color >> 24U;
    return multiplied(color, 0xFF00'0000U | alpha << 16U | alpha << 8U | alpha);
}

/// The colour that premultiplied() made this one of, as far as it can be told.
constexpr PackedColor unpremultiplied(PackedColor color) noexcept {
    const std::uint32_t opacity = color >> 24U;
    if (opacity == 255) return color;
    if (opacity == 0) return 0;
    PackedColor straight = opacity << 24U;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const std::uint32_t channel = ((color >> shift & 0xFFU) * 255 + opacity / 2) / opacity;
        straight |= (channel < 255 ? channel : 255) << shift;
    }
    return straight;
}

/// Components 0 .. 1, clamped; NaN counts as 0.
PackedColor color_from_unit(double r, double g, double b, double a = 1.0) noexcept;

/// What parse_color reads (ecs/base/color_text.h); nothing for other texts.
std::optional<PackedColor> color_from_text(std::string_view text) noexcept;

}  // namespace perigee
