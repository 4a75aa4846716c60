// What a name must not hold: it goes into logs, error cards and files, one line each.
#pragma once

#include <algorithm>
#include <string_view>

namespace perigee::internal {

/// Is there a control character in it (bytes 0 to 31, and 127)?
inline bool has_control_character(std::string_view name) noexcept {
    return std::any_of(name.begin(), name.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace perigee::internal
