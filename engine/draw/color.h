// Parses colours: "#ff8800", "#f80", "orange", or four numbers from 0 to 1.
//
// Invariant: a packed colour is r, g, b, a in memory order (r in the lowest byte), everywhere in the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

using PackedColor = std::uint32_t;

inline constexpr PackedColor kWhite = 0xFFFF'FFFF;

constexpr PackedColor pack_color(std::uint8_t r, std::uint8_t g, std::uint8_t b,
                                 std::uint8_t a = 255) noexcept {
    return static_cast<PackedColor>(r | g << 8U | b << 16U) | static_cast<PackedColor>(a) << 24U;
}

/// Components 0 .. 1, clamped; NaN counts as 0.
PackedColor color_from_unit(double r, double g, double b, double a = 1.0) noexcept;

/// "#rgb", "#rgba", "#rrggbb", "#rrggbbaa" or one of the names below; nothing for any other text.
/// Names: black white gray silver red maroon orange brown yellow olive lime green teal cyan sky blue navy
/// purple magenta pink transparent ("grey" too).
std::optional<PackedColor> color_from_text(std::string_view text) noexcept;
/// The error for a text that is not a colour, with the nearest name.
std::string why_no_color(std::string_view text);

}  // namespace perigee
