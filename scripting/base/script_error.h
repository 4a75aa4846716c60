// An error in a script, with enough detail for a log line and for the error card.
// Plain data, made by ScriptState when a protected call fails. Not for errors in C++ (ecs/base/contract.h).
#pragma once

#include "ecs/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct ScriptError {
    std::string mod;
    std::string system;                   ///< empty: while loading
    std::string file;                     ///< inside the mod: "main.lua"; empty when unknown
    int line = 0;                         ///< from 1; 0 when unknown
    std::optional<std::uint32_t> row;     ///< row of the chunk, from 1, if the error concerns one
    std::optional<std::uint64_t> entity;  ///< of that row, as number
    std::string values;                   ///< of that row, one component per line: "Health {current = 4}"
    std::string message;                  ///< without position
    std::string traceback;                ///< one frame per line, the mod's frames only; may be empty
    std::vector<Mistake> mistakes;        ///< see Error

    /// "swarm/main.lua:12: system 'move': expected number, got nil"
    std::string text() const;
};

// LuaJIT's errors are texts and have no codes. These two functions read what its texts say; a test raises
// each of the errors, so that a LuaJIT with other words is noticed. Texts of ours are never read this way.

/// Advice for a message of LuaJIT, "; the file needs …", or nothing.
std::string_view advice_for(std::string_view message) noexcept;
/// The name in "attempt to call global 'pritn' (a nil value)"; empty for another message.
std::string_view nil_global_in(std::string_view message) noexcept;

}  // namespace perigee
