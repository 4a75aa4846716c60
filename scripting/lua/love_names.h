// Names from LÖVE and what to write instead, reported by check and by a running game.
#pragma once

#include <string_view>

namespace perigee {

/// The replacement for a LÖVE callback, "keypressed", or a part of `love`, "graphics". Empty for every other
/// name, also for update and draw, which are called here too, as plain functions.
std::string_view instead_of_love(std::string_view name) noexcept;

/// True for a callback that LÖVE calls and nothing calls here.
bool is_love_callback(std::string_view name) noexcept;

}  // namespace perigee
