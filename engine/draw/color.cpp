// Rounding, and the colours of texts.
#include "engine/draw/color.h"

#include "ecs/base/color_text.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

std::uint8_t byte_from_unit(double value) noexcept {
    if (std::isnan(value)) return 0;
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
}

}  // namespace

PackedColor color_from_unit(double r, double g, double b, double a) noexcept {
    return pack_color(byte_from_unit(r), byte_from_unit(g), byte_from_unit(b), byte_from_unit(a));
}

std::optional<PackedColor> color_from_text(std::string_view text) noexcept {
    const std::optional<ColorBytes> color = parse_color(text);
    if (!color) return std::nullopt;
    const auto [r, g, b, a] = *color;
    return pack_color(r, g, b, a);
}

}  // namespace perigee
