// Names that require gives to modules of the engine and libraries of Lua: a file of a game or mod that is
// called so would never be found. docs/lua-api.md lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct NativeModule;

/// Those of the language and of the library, and those of the modules that come with the host, sorted.
std::vector<std::string> reserved_names(const std::vector<NativeModule>& modules);

/// What is wrong with a file of a mod, "input.lua", when its name is one of these; nothing for other paths.
std::string why_reserved(std::string_view path, const std::vector<std::string>& reserved);

}  // namespace perigee
