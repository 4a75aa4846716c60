// An error in a script, with enough detail for a log line and for the error card.
// Plain data, made by ScriptState when a protected call fails. Not for errors in C++ (ecs/base/contract.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

    /// "swarm/main.lua:12: system 'move': expected number, got nil"
    std::string text() const;
};

/// Advice for a message of LuaJIT, "; the file needs …", or nothing.
std::string_view advice_for(std::string_view message) noexcept;

}  // namespace perigee
