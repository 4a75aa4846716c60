// Colours as text, for `color` fields and for all that is drawn: "#ff8800", "#f80" or "orange".
//
// Not here: colours as numbers (engine/draw/color.h), and which value a field takes (field_value.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

/// Red, green, blue and opacity.
using ColorBytes = std::array<std::uint8_t, 4>;

/// "#rgb", "#rgba", "#rrggbb", "#rrggbbaa" or one of the names below; nothing for any other text.
/// Names: black white gray silver red maroon orange brown yellow olive lime green teal cyan sky blue navy
/// purple magenta pink transparent ("grey" too).
std::optional<ColorBytes> parse_color(std::string_view text) noexcept;

/// The error for a text that is not a colour, with the nearest name.
std::string why_no_color(std::string_view text);

}  // namespace perigee
