// A setting that a mod offers to the player: declared in mod.json, with its default value.
//
// Invariant: `initial` is a value that the setting accepts.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace perigee {

using SettingValue = std::variant<bool, double, std::string>;

struct ModSetting {
    enum class Type : std::uint8_t { boolean, number, text, choice };

    std::string name;  ///< as Lua sees it: settings.name
    Type type = Type::boolean;
    SettingValue initial = false;
    double min = -std::numeric_limits<double>::infinity();  ///< of numbers
    double max = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices;
    std::string title;  ///< for display; the name if empty
    std::string doc;
};

/// "true or false", "a number from 0 to 10", "one of 'easy', 'hard'": what the setting accepts.
std::string expected_by(const ModSetting& setting);
bool accepts(const ModSetting& setting, const SettingValue& value) noexcept;

}  // namespace perigee
