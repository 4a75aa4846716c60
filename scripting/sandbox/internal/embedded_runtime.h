// The Lua library of scripts/runtime as bytecode in the program: a game needs no separate runtime files, and
// none of them is parsed when it starts. compile_library.cpp and cmake/embed.cmake generate the definition
// when one of the files changes. Not for files of games or mods; those are read through the asset store.
#pragma once

#include "scripting/base/embedded_file.h"

#include <span>
#include <string_view>

namespace perigee {

/// The name of the file that calls functions of LuaJIT with what scripts pass. Their messages name its
/// variables, so it keeps the names; the bytecode of all others is stripped.
inline constexpr std::string_view kFileWithNames = "text";

/// Every .lua file below scripts/runtime, sorted by name. The text of each is its bytecode, for the LuaJIT
/// that is linked.
std::span<const EmbeddedFile> embedded_runtime();

}  // namespace perigee
