// The named colours and the hexadecimal forms.
#include "ecs/base/color_text.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace perigee {

namespace {

constexpr std::pair<std::string_view, ColorBytes> kNamedColors[] = {
    {"black", {0, 0, 0, 255}},       {"white", {255, 255, 255, 255}},  {"gray", {128, 128, 128, 255}},
    {"grey", {128, 128, 128, 255}},  {"silver", {192, 192, 192, 255}}, {"red", {230, 50, 50, 255}},
    {"maroon", {128, 20, 40, 255}},  {"orange", {255, 150, 40, 255}},  {"brown", {140, 90, 50, 255}},
    {"yellow", {255, 225, 60, 255}}, {"olive", {128, 128, 30, 255}},   {"lime", {150, 230, 60, 255}},
    {"green", {60, 180, 75, 255}},   {"teal", {40, 150, 150, 255}},    {"cyan", {70, 220, 240, 255}},
    {"sky", {120, 190, 255, 255}},   {"blue", {60, 110, 240, 255}},    {"navy", {20, 30, 100, 255}},
    {"purple", {145, 70, 200, 255}}, {"magenta", {230, 60, 220, 255}}, {"pink", {255, 160, 200, 255}},
    {"transparent", {0, 0, 0, 0}},
};

int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::optional<ColorBytes> parse_color(std::string_view text) noexcept {
    for (const auto& [name, color] : kNamedColors)
        if (name == text) return color;
    if (text.empty() || text.front() != '#') return std::nullopt;
    const std::string_view digits = text.substr(1);
    const std::size_t per_channel = digits.size() <= 4 ? 1 : 2;
    const std::size_t channels = digits.size() / per_channel;
    if (digits.size() % per_channel != 0 || channels < 3 || channels > 4) return std::nullopt;

    ColorBytes rgba{0, 0, 0, 255};
    for (std::size_t i = 0; i < channels; ++i) {
        const int high = hex_digit(digits[i * per_channel]);
        const int low = hex_digit(digits[i * per_channel + per_channel - 1]);
        if (high < 0 || low < 0) return std::nullopt;
        rgba[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return rgba;
}

std::string why_no_color(std::string_view text) {
    std::vector<std::string_view> names;
    for (const auto& [name, color] : kNamedColors) names.push_back(name);
    return errors::no_color(text, nearest_name(text, names));
}

}  // namespace perigee
