// Names from LÖVE and what to write instead, reported by check and by a running game.
#pragma once

#include <string_view>

namespace perigee {

/// The replacement for a LÖVE callback ("keypressed") or a part of `love` ("graphics"). Empty for every other
/// name, including update and draw, which are plain functions here and are called.
std::string_view instead_of_love(std::string_view name) noexcept;

/// True for a callback that LÖVE calls and Perigee does not.
bool is_love_callback(std::string_view name) noexcept;

}  // namespace perigee
