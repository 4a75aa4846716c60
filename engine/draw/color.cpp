// The named colours and the hexadecimal forms.
#include "engine/draw/color.h"

#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace perigee {

namespace {

constexpr std::pair<std::string_view, PackedColor> kNamedColors[] = {
    {"black", pack_color(0, 0, 0)},        {"white", pack_color(255, 255, 255)},
    {"gray", pack_color(128, 128, 128)},   {"grey", pack_color(128, 128, 128)},
    {"silver", pack_color(192, 192, 192)}, {"red", pack_color(230, 50, 50)},
    {"maroon", pack_color(128, 20, 40)},   {"orange", pack_color(255, 150, 40)},
    {"brown", pack_color(140, 90, 50)},    {"yellow", pack_color(255, 225, 60)},
    {"olive", pack_color(128, 128, 30)},   {"lime", pack_color(150, 230, 60)},
    {"green", pack_color(60, 180, 75)},    {"teal", pack_color(40, 150, 150)},
    {"cyan", pack_color(70, 220, 240)},    {"sky", pack_color(120, 190, 255)},
    {"blue", pack_color(60, 110, 240)},    {"navy", pack_color(20, 30, 100)},
    {"purple", pack_color(145, 70, 200)},  {"magenta", pack_color(230, 60, 220)},
    {"pink", pack_color(255, 160, 200)},   {"transparent", pack_color(0, 0, 0, 0)},
};

std::uint8_t byte_from_unit(double value) noexcept {
    if (std::isnan(value)) return 0;
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
}

int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

PackedColor color_from_unit(double r, double g, double b, double a) noexcept {
    return pack_color(byte_from_unit(r), byte_from_unit(g), byte_from_unit(b), byte_from_unit(a));
}

std::optional<PackedColor> color_from_text(std::string_view text) noexcept {
    for (const auto& [name, color] : kNamedColors)
        if (name == text) return color;
    if (text.empty() || text.front() != '#') return std::nullopt;
    const std::string_view digits = text.substr(1);
    const std::size_t per_channel = digits.size() <= 4 ? 1 : 2;
    const std::size_t channels = digits.size() / per_channel;
    if (digits.size() % per_channel != 0 || channels < 3 || channels > 4) return std::nullopt;

    std::uint8_t rgba[4] = {0, 0, 0, 255};
    for (std::size_t i = 0; i < channels; ++i) {
        const int high = hex_digit(digits[i * per_channel]);
        const int low = hex_digit(digits[i * per_channel + per_channel - 1]);
        if (high < 0 || low < 0) return std::nullopt;
        rgba[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return pack_color(rgba[0], rgba[1], rgba[2], rgba[3]);
}

std::string why_no_color(std::string_view text) {
    std::vector<std::string_view> names;
    for (const auto& [name, color] : kNamedColors) names.push_back(name);
    return fmt::format(engine_errors::kNoColor, text, did_you_mean(text, names));
}

}  // namespace perigee
