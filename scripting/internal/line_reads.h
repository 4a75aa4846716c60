// Does a line of the console only look? Decided by its words before it runs.
#pragma once

#include <string_view>

namespace perigee::internal {

/// True when the line assigns nothing but locals and calls nothing but what only looks: methods of ecs.world
/// that read, the libraries of Lua without random numbers, makers of values, and a few functions of gfx. What
/// calls code of a mod may change what that keeps, so it does not count as looking.
bool only_looks(std::string_view line);

}  // namespace perigee::internal
