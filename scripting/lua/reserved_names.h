// Names that require reserves for engine modules and Lua libraries: a file of a game or mod with such a name
// would never be found. docs/lua-api.md lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct NativeModule;

/// The reserved names of Lua, of the runtime library and of the host's modules, sorted.
std::vector<std::string> reserved_names(const std::vector<NativeModule>& modules);

/// An error for a mod's file, "input.lua", whose name is reserved; empty for other paths.
std::string why_reserved(std::string_view path, const std::vector<std::string>& reserved);

}  // namespace perigee
