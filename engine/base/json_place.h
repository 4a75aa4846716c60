// Finds the line of a value in a JSON text, for messages.
//
// Invariant: any text is accepted; for invalid JSON or a missing value the result is the nearest line. It
// reads only as much JSON as needed to follow keys and elements; engine/mods/mod_manifest.h does the
// validation.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace perigee {

/// Line (from 1) of the key or element that `path` leads to, "settings.speed.min" or "entities[2].name"; if
/// missing, of the innermost existing one. An empty path is line 1.
int line_of_path(std::string_view json, std::string_view path);

/// The same for several paths, in one pass over the text.
std::vector<int> lines_of_paths(std::string_view json, std::span<const std::string_view> paths);

}  // namespace perigee
