// Texts as Lua passes them to the functions of a module: a pointer and a length, which is a number.
#pragma once

#include <cstddef>
#include <string_view>

namespace perigee::internal {

inline std::string_view text_of(const char* text, double length) noexcept {
    return {text, length > 0.0 ? static_cast<std::size_t>(length) : 0};
}

}  // namespace perigee::internal
