// "1 row", "2 rows": a number with its noun, for messages in English.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perigee {

/// Shape: the number, a space, and `noun` for exactly one thing, else `plural`; without one, `noun` and an s.
inline std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural = {}) {
    std::string text = std::to_string(number) + " ";
    if (number != 1 && !plural.empty()) return text += plural;
    text += noun;
    return number == 1 ? text : text + "s";
}

}  // namespace perigee
