// Which LuaJIT this program is linked with, asked of that LuaJIT itself: the library of a system may be
// another one than the headers were of.
//
// Invariant: the same answer for the life of the process. Not here: what one that is too old leaves open
// (docs/security.md), and what a program does about it (game/stranger_check.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perigee {

struct LuaJitVersion {
    std::string text;           ///< as it names itself: "LuaJIT 2.1.1761786044"
    std::int64_t released = 0;  ///< seconds since 1970; 0 before August 2023, when versions had no date
};

/// What a LuaJIT of this name says of itself.
LuaJitVersion luajit_version_from(std::string_view text);

/// The one that is linked. Cost: the first call makes a Lua state for it.
const LuaJitVersion& luajit_version();

/// Whether honest scripts neither crash it nor get wrong values from it, as far as is known: one from 2024 or
/// later.
bool is_trustworthy(const LuaJitVersion& version) noexcept;

/// "LuaJIT 2.1.1761786044 (2025-10-30)", for people.
std::string text_of(const LuaJitVersion& version);

}  // namespace perigee
