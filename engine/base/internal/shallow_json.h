// Parses hand-written JSON files with limited nesting and our own error messages.
#pragma once

#include "ecs/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace perigee::internal {

/// Limits for files with settings and mods, and for data files, which may nest prefabs and values.
inline constexpr std::size_t kShallow = 20, kDeep = 1000;

/// Maximum number of values in a file; keys of objects are not counted. A value with its key takes up to
/// 200 bytes while the file is read.
inline constexpr std::size_t kMaxJsonValues = 2'000'000;

/// What one pass over a text finds out before it is parsed; brackets in strings do not count.
struct JsonSize {
    std::size_t levels = 0;  ///< of brackets
    std::size_t values = 0;  ///< at least as many as the file has, lists and objects included
};
JsonSize size_of_json(std::string_view text) noexcept;

/// Errors: the place and the error, "my.json:3:5: not valid JSON: expected ',' or '}', found a text". Nesting
/// deeper than `max_levels` is an error too, since it would exhaust the stack, and so are more than
/// kMaxJsonValues values.
/// `place`, if not null, receives the place in front of the message: "my.json:3:5".
/// Cost: linear in the bytes.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view name,
                                  std::size_t max_levels = kShallow, std::string* place = nullptr);

}  // namespace perigee::internal
