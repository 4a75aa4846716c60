// The numbers of items for shaders, from the constants of C++ (engine/draw/draw_item.h).
//
// Invariant: sources of shaders have no such number of their own. Not here: the sources (shaders.h).
#pragma once

#include <string>

namespace perigee::gl {

/// Declarations such as "const uint kLine = 3u;", one a line. `kOpenCutOff` is the shape of an open arc
/// without round ends, besides those of ArcShape.
std::string item_constants();

}  // namespace perigee::gl
