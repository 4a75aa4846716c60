// The version of the linked LuaJIT, as the library itself reports it: it may differ from that of the headers.
// And a defect that the version does not tell.
//
// Invariant: the same answers for the life of the process. Not here: the risks of an old version
// (docs/security.md), and the program's response (game/program/stranger_check.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perigee {

struct LuaJitVersion {
    std::string text;           ///< its own version text: "LuaJIT 2.1.1761786044"
    std::int64_t released = 0;  ///< seconds since 1970; 0 for versions before August 2023, which have no date
};

/// Parses a version text.
LuaJitVersion luajit_version_from(std::string_view text);

/// The linked version. Cost: the first call creates a Lua state.
const LuaJitVersion& luajit_version();

/// True if, as far as is known, well-behaved scripts neither crash it nor get wrong values: a version from
/// 2024 or later.
bool is_trustworthy(const LuaJitVersion& version) noexcept;

/// False if compiled loops change a number when they take its bits: bit.bor(5, n) adds 1.5 * 2^52 to n where
/// n stays in a register. cmake/luajit.sh mends it; other builds for x86-64 have it at least until August
/// 2026. Cost: the first call compiles a loop.
bool keeps_numbers_of_bits();

/// For display: "LuaJIT 2.1.1761786044 (2025-10-30)".
std::string text_of(const LuaJitVersion& version);

}  // namespace perigee
