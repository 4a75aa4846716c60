// A short-lived state answers; its allocator is LuaJIT's own.
#include "scripting/lua/luajit_version.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <lua.hpp>

#include <charconv>
#include <ctime>
#include <system_error>

namespace perigee {

namespace {

constexpr std::string_view kDatedVersion = "LuaJIT 2.1.";
constexpr std::int64_t kYear2024 = 1704067200;
// A smaller number is not a time in seconds: "LuaJIT 2.1.0-beta3".
constexpr std::int64_t kFirstDated = 1692580715;

std::string text_of_linked() {
    lua_State* lua = luaL_newstate();
    if (lua == nullptr) return std::string(kDatedVersion) + "0";
    luaL_openlibs(lua);
    lua_getglobal(lua, "jit");
    lua_getfield(lua, -1, "version");
    const char* text = lua_tostring(lua, -1);
    std::string version = text != nullptr ? text : "";
    lua_close(lua);
    return version;
}

}  // namespace

LuaJitVersion luajit_version_from(std::string_view text) {
    LuaJitVersion version{std::string(text), 0};
    if (!text.starts_with(kDatedVersion)) return version;
    const std::string_view number = text.substr(kDatedVersion.size());
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), seconds);
    const bool is_date =
        error == std::errc{} && end == number.data() + number.size() && seconds >= kFirstDated;
    if (is_date) version.released = seconds;
    return version;
}

const LuaJitVersion& luajit_version() {
    static const LuaJitVersion version = luajit_version_from(text_of_linked());
    return version;
}

bool is_trustworthy(const LuaJitVersion& version) noexcept { return version.released >= kYear2024; }

std::string text_of(const LuaJitVersion& version) {
    if (version.released == 0) return version.text;
    std::tm date{};
    const std::time_t seconds = version.released;
    ::gmtime_r(&seconds, &date);
    return fmt::format("{} ({:%Y-%m-%d})", version.text, date);
}

}  // namespace perigee
