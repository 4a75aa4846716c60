// The values that a setting accepts, in words and in code.
#include "engine/mods/mod_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

constexpr std::size_t kMaxTextBytes = 1000;

}  // namespace

std::string expected_by(const ModSetting& setting) {
    switch (setting.type) {
        case ModSetting::Type::boolean:
            return "true or false";
        case ModSetting::Type::text:
            return fmt::format("a text of at most {} bytes", kMaxTextBytes);
        case ModSetting::Type::choice:
            return fmt::format("one of '{}'", fmt::join(setting.choices, "', '"));
        case ModSetting::Type::number:
            break;
    }
    const bool has_min = std::isfinite(setting.min);
    const bool has_max = std::isfinite(setting.max);
    if (has_min && has_max) return fmt::format("a number from {} to {}", setting.min, setting.max);
    if (has_min) return fmt::format("a number of at least {}", setting.min);
    if (has_max) return fmt::format("a number of at most {}", setting.max);
    return "a number";
}

bool accepts(const ModSetting& setting, const SettingValue& value) noexcept {
    if (setting.type == ModSetting::Type::boolean) return std::holds_alternative<bool>(value);
    if (setting.type == ModSetting::Type::number) {
        const double* number = std::get_if<double>(&value);
        return number != nullptr && std::isfinite(*number) && *number >= setting.min &&
               *number <= setting.max;
    }
    const std::string* text = std::get_if<std::string>(&value);
    if (text == nullptr) return false;
    if (setting.type == ModSetting::Type::text) return text->size() <= kMaxTextBytes;
    return std::ranges::find(setting.choices, *text) != setting.choices.end();
}

}  // namespace perigee
