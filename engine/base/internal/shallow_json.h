// Parses hand-written JSON files with limited nesting and our own error messages.
#pragma once

#include "ecs/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace perigee::internal {

/// Limits for files with settings and mods, and for data files, which may nest prefabs and values.
inline constexpr std::size_t kShallow = 20, kDeep = 1000;

/// The most values of a file, and keys of its objects are no values. With keys, each takes up to 200 bytes
/// while a file is read.
inline constexpr std::size_t kMaxJsonValues = 2'000'000;

/// What one look at each byte finds out about a text that may be JSON; brackets in texts do not count.
struct JsonSize {
    std::size_t levels = 0;  ///< of brackets
    std::size_t values = 0;  ///< at least as many as the file has, lists and objects included
};
JsonSize size_of_json(std::string_view text) noexcept;

/// Errors: the place and the error, "my.json:3:5: not valid JSON: expected ',' or '}', found a text". Nesting
/// deeper than `max_levels` is an error too, since it would exhaust the stack, and so are more than
/// kMaxJsonValues values.
/// Cost: linear in the bytes.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view name,
                                  std::size_t max_levels = kShallow);

}  // namespace perigee::internal
