// Names from LÖVE and what to write instead, reported by check and by a running game.
#pragma once

#include <string_view>

namespace perigee {

/// The replacement for a LÖVE callback ("keypressed") or a part of `love` ("graphics"). Empty for every other
/// name, including update and draw, which are plain functions here and are called.
std::string_view instead_of_love(std::string_view name) noexcept;

/// The replacement for a function of LÖVE, in a part of `love` ("graphics") or the module here that has its
/// place
/// ("gfx"): one that has another name here. Empty for every other name.
std::string_view instead_of_love(std::string_view module, std::string_view name) noexcept;

/// The module that has the place of a part of `love`: "gfx" for "graphics". Empty if none does.
std::string_view module_of_love(std::string_view part) noexcept;

/// True for a callback that LÖVE calls and Perigee does not.
bool is_love_callback(std::string_view name) noexcept;

}  // namespace perigee
