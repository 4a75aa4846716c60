// The list, and the message for a file with a reserved name.
#include "scripting/lua/reserved_names.h"

#include "scripting/base/error_codes.h"
#include "scripting/base/native_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace perigee {

namespace {

// Modules added by sandbox.lua and ecs.lua, including those for trusted games and for tests.
constexpr std::array<std::string_view, 14> kOfLibrary{"bit",      "coroutine", "debug", "ecs", "ffi",
                                                      "io",       "jit",       "math",  "os",  "package",
                                                      "settings", "string",    "table", "test"};

}  // namespace

std::vector<std::string> reserved_names(const std::vector<NativeModule>& modules) {
    std::vector<std::string> names(kOfLibrary.begin(), kOfLibrary.end());
    for (const NativeModule& module : modules) names.push_back(module.name);
    std::ranges::sort(names);
    return names;
}

std::string why_reserved(std::string_view path, const std::vector<std::string>& reserved) {
    constexpr std::string_view kLua = ".lua";
    if (!path.ends_with(kLua)) return {};
    const std::string name(path.substr(0, path.size() - kLua.size()));
    if (std::ranges::find(reserved, name) == reserved.end()) return {};
    return fmt::format(messages::kReservedName, name, path);
}

}  // namespace perigee
