// Where messages go: output of scripts, errors, and what the engine reports. The host decides what happens to
// an entry. Not here: which entries a mod may write (scripting/sandbox/state.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace perigee {

enum class LogLevel : std::uint8_t { info, warning, error };

struct LogEntry {
    LogLevel level;
    std::string_view mod;
    std::string_view text;
};

using LogSink = std::function<void(const LogEntry&)>;

}  // namespace perigee
