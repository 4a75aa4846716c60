// Finds the line of a value in a JSON text, for messages.
//
// Invariant: any text may come in; what is no JSON, or has no such value, gives the line that is nearest. It
// reads only so much of JSON as is needed to follow keys and elements; engine/mod_manifest.h knows what is
// right.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace perigee {

/// Line (from 1) of the key or element that `path` leads to, "settings.speed.min" or "entities[2].name"; of
/// the innermost one that is there. An empty path is line 1.
int line_of_path(std::string_view json, std::string_view path);

/// The same for several paths, in one pass over the text.
std::vector<int> lines_of_paths(std::string_view json, std::span<const std::string_view> paths);

/// Line of the error in a message of engine/mod_manifest.h: that of the first path in quotes.
int line_of_mistake(std::string_view json, std::string_view message);

}  // namespace perigee
