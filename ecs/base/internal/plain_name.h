// Characters that names must not contain: names appear in single lines of logs, error cards and files.
#pragma once

#include <algorithm>
#include <string_view>

namespace perigee::internal {

/// True if it contains a control character (bytes 0 to 31, and 127).
inline bool has_control_character(std::string_view name) noexcept {
    return std::any_of(name.begin(), name.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace perigee::internal
