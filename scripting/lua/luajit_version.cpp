// A short-lived state answers; its allocator is LuaJIT's own.
#include "scripting/lua/luajit_version.h"

#include "ecs/base/parse_number.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <lua.hpp>

#include <ctime>
#include <system_error>

namespace perigee {

namespace {

constexpr std::string_view kDatedVersion = "LuaJIT 2.1.";
constexpr std::int64_t kYear2024 = 1704067200;
// A smaller number is not a time in seconds: "LuaJIT 2.1.0-beta3".
constexpr std::int64_t kFirstDated = 1692580715;

// From the second round on n is `kept`, whose rounded value the loop keeps in a register.
constexpr char kBitsOfNumbers[] = R"(
    jit.opt.start("hotloop=2", "hotexit=2")
    local bor, floor = bit.bor, math.floor
    for kept, expected in pairs { [3] = 84, [4] = 95, [5] = 95, [6] = 84, [7] = 84, [8] = 27, [9] = 27 } do
      local n, sum = 8, 0
      for i = 1, 14 do
        if bor(5, floor(n)) > (floor(kept) == 2 and 13 or i) then n = kept else sum = sum + i end
      end
      assert(sum == expected)
    end
)";

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
    const auto seconds = number_from<std::int64_t>(number);
    if (seconds && *seconds >= kFirstDated) version.released = *seconds;
    return version;
}

const LuaJitVersion& luajit_version() {
    static const LuaJitVersion version = luajit_version_from(text_of_linked());
    return version;
}

bool is_trustworthy(const LuaJitVersion& version) noexcept { return version.released >= kYear2024; }

bool keeps_numbers_of_bits() {
    static const bool keeps = [] {
        lua_State* lua = luaL_newstate();
        if (lua == nullptr) return false;
        luaL_openlibs(lua);
        const bool is_right = luaL_dostring(lua, kBitsOfNumbers) == 0;
        lua_close(lua);
        return is_right;
    }();
    return keeps;
}

std::string text_of(const LuaJitVersion& version) {
    if (version.released == 0) return version.text;
    std::tm date{};
    const std::time_t seconds = version.released;
    ::gmtime_r(&seconds, &date);
    return fmt::format("{} ({:%Y-%m-%d})", version.text, date);
}

}  // namespace perigee
