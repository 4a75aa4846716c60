// JSON files that people write: read as a whole, no deeper than any of them is, with mistakes in our own
// words.
#pragma once

#include "ecs/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace perigee::internal {

/// Of files that only name settings and mods; files of data may nest prefabs and values.
inline constexpr std::size_t kShallow = 20, kDeep = 1000;

/// Errors: the place and what is wrong, "my.json:3:5: not valid JSON: expected ',' or '}', found a text".
/// More levels of brackets than `most_levels` are wrong, too: they would exhaust the stack.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view name,
                                  std::size_t most_levels = kShallow);

}  // namespace perigee::internal
