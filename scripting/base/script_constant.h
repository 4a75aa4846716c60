// Limits, kinds and lists of words that C++ owns and the Lua library reads while it loads: the one way in
// which they reach Lua.
//
// Invariant: a constant has the same value in every state of the process. Not here: the values
// (scripting/sandbox/internal/library_constants.h, scripting/host/internal/world_constants.h, the modules of
// the engine), and where Lua finds them (scripts/runtime/sandbox/constants.lua).
#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace perigee {

/// Lifetime: of the texts, the process's.
struct ScriptConstant {
    /// In Lua an entry name = { low, high }.
    struct Range {
        std::string_view name;
        double low;
        double high;
    };
    using Words = std::vector<std::string_view>;
    using Ranges = std::vector<Range>;

    template <typename Number>
    requires std::is_arithmetic_v<Number> ScriptConstant(std::string_view given, Number number)
        : name(given), value(static_cast<double>(number)) {}
    ScriptConstant(std::string_view given, std::string_view text) : name(given), value(text) {}
    /// In Lua a list, from 1.
    ScriptConstant(std::string_view given, std::span<const std::string_view> words)
        : name(given), value(Words(words.begin(), words.end())) {}
    ScriptConstant(std::string_view given, Ranges ranges) : name(given), value(std::move(ranges)) {}

    std::string_view name;
    std::variant<double, std::string_view, Words, Ranges> value;
};

}  // namespace perigee
