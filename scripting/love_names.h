// Names that people bring along from LÖVE, and what to write instead: said by check, and by a game that runs.
#pragma once

#include <string_view>

namespace perigee {

/// Of a function that LÖVE would call, "keypressed", or of a part of `love`, "graphics": what to write
/// instead. Empty for every other name. update and draw are called here too, as plain functions.
std::string_view instead_of_love(std::string_view name) noexcept;

/// Is it a function that LÖVE would call, and nothing calls here?
bool is_love_callback(std::string_view name) noexcept;

}  // namespace perigee
