// Parses hand-written JSON files with limited nesting and our own error messages.
#pragma once

#include "ecs/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace perigee::internal {

/// Limits for files with settings and mods, and for data files, which may nest prefabs and values.
inline constexpr std::size_t kShallow = 20, kDeep = 1000;

/// Errors: the place and the error, "my.json:3:5: not valid JSON: expected ',' or '}', found a text". Nesting
/// deeper than `most_levels` is an error too, since it would exhaust the stack.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view name,
                                  std::size_t most_levels = kShallow);

}  // namespace perigee::internal
