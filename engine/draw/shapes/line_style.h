// How the ends and the corners of lines look, with the names that scripts use.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

enum class LineCap : std::uint8_t { butt, round, square };
inline constexpr std::array<std::string_view, 3> kLineCapNames{"butt", "round", "square"};

enum class LineJoin : std::uint8_t { miter, bevel, round };
inline constexpr std::array<std::string_view, 3> kLineJoinNames{"miter", "bevel", "round"};

}  // namespace perigee
