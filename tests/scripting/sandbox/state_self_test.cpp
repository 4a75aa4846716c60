// The LuaJIT under the sandbox against itself: random programs, interpreted and compiled, come to the same
// bits. Programs that earlier versions got wrong are here too; what only a current LuaJIT passes has the tag
// [current-luajit] and is passed over on another.
#include "scripting/lua/luajit_version.h"
#include "tests/scripting/lua_test.h"
#include "tests/scripting/numeric_lua.h"
#include "tests/scripting/shown_value.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Mode {
    const char* name;
    std::vector<const char*> options;  ///< of the compiler; none: everything is interpreted
};

const std::vector<Mode> kModes = {
    {"interpreted", {}},
    {"compiled at once", {"hotloop=1", "hotexit=1"}},
    {"compiled soon", {"hotloop=3", "hotexit=2", "tryside=8"}},
    {"compiled as in a game", {"hotloop=28", "hotexit=10"}},
    {"compiled without sinking of tables", {"hotloop=2", "hotexit=3", "-sink"}},
};

void set_mode(LuaTest& test, const Mode& mode) {
    lua_State* lua = test.state->lua();
    if (mode.options.empty()) luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    for (const char* const option : mode.options) {
        lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
        lua_getfield(lua, -1, "jit.opt");
        lua_getfield(lua, -1, "start");
        lua_pushstring(lua, option);
        REQUIRE(lua_pcall(lua, 1, 0, 0) == 0);
        lua_pop(lua, 2);
    }
}

// What the program left in program_results, a list of lists, one line each; then how it ended.
std::vector<std::string> outcome(const std::string& program, const Mode& mode) {
    LuaTest test;
    set_mode(test, mode);
    const std::string end = test.run(program);
    lua_State* lua = test.state->lua();
    test.state->push_environment();
    lua_getfield(lua, -1, "program_results");
    std::vector<std::string> lines;
    const int count = lua_istable(lua, -1) ? static_cast<int>(lua_objlen(lua, -1)) : 0;
    for (int number = 1; number <= count; ++number) {
        lua_rawgeti(lua, -1, number);
        std::string values;
        for (int i = 1; i <= 14; ++i) {
            lua_rawgeti(lua, -1, i);
            values += test::shown_value(lua, -1) + " ";
            lua_pop(lua, 1);
        }
        lines.push_back(std::move(values));
        lua_pop(lua, 1);
    }
    lua_settop(lua, 0);
    lines.push_back(end);
    return lines;
}

// Empty, or which mode computed what instead of what.
std::string difference(const std::string& program) {
    const std::vector<std::string> expected = outcome(program, kModes.front());
    if (expected.size() < 2) return "it failed: " + expected.back();
    for (std::size_t number = 1; number < kModes.size(); ++number) {
        const std::vector<std::string> got = outcome(program, kModes[number]);
        for (std::size_t i = 0; i < std::max(got.size(), expected.size()); ++i) {
            const std::string a = i < expected.size() ? expected[i] : "nothing",
                              b = i < got.size() ? got[i] : "nothing";
            if (a != b)
                return std::string(kModes[number].name) + ", result " + std::to_string(i + 1) +
                       "\ninterpreted: " + a + "\ncompiled:    " + b;
        }
    }
    return "";
}

bool is_held() {
    if (is_trustworthy(luajit_version())) return true;
    WARN("not passed by " << text_of(luajit_version()));
    return false;
}

TEST_CASE("random programs give the same interpreted and compiled, to the bit", "[current-luajit]") {
    if (!is_held()) return;
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        const std::string program = NumericLua(seed).program();
        const std::string found = difference(program);
        if (found.empty()) continue;
        FAIL("seed " << seed << ": " << found << "\n" << program);
    }
}

TEST_CASE("random programs interpreted and compiled, for a given time", "[.long][compiled]") {
    const char* const minutes = std::getenv("PERIGEE_COMPILED_MINUTES");
    const char* const first = std::getenv("PERIGEE_COMPILED_SEED");
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::minutes(minutes != nullptr ? std::atoi(minutes) : 1);
    auto seed = static_cast<std::uint32_t>(first != nullptr ? std::atoll(first) : 1000);
    std::size_t count = 0;
    for (; std::chrono::steady_clock::now() < end; ++seed, ++count) {
        const std::string program = NumericLua(seed).program();
        const std::string found = difference(program);
        // Some programs are too large, or too slow for a busy machine; that says nothing of their results.
        if (found.find("MB of memory") != std::string::npos) continue;
        if (found.find("ran for more than") != std::string::npos) continue;
        if (!found.empty()) FAIL("seed " << seed << ": " << found << "\n" << program);
    }
    WARN(count << " programs");
    CHECK(count > 0);
}

TEST_CASE("the seed of a program decides its text") {
    CHECK(NumericLua(5).program() == NumericLua(5).program());
    CHECK(NumericLua(5).program() != NumericLua(6).program());
}

// Stock LuaJIT computes 1 for the first one, compiled, and 5 for the one with a remainder of NaN.
TEST_CASE("the bits of sums with fractions and of NaN are the same interpreted and compiled") {
    for (const char* const name : {"band", "bor", "bxor", "lshift", "rshift", "arshift", "rol", "ror"}) {
        const std::string program = std::string("local f = bit.") + name + R"(
            local n = 0
            program_results = {}
            local function rows(x, y)
              for i = 1, 30 do n = f(1 + x * 0.5, y) end
              local a = n
              for i = 1, 30 do n = f(5 % y, 255) end
              local b = n
              for i = 1, 30 do n = f(x - y / 3, x + 0.25) end
              local c = n
              for i = 1, 30 do n = bit.bnot(x * 0.5 + y) + bit.tobit(y - x * 0.25) + bit.bswap(y + x * 0.75) end
              program_results[#program_results + 1] = { a, b, c, n, bit.tohex(x * 0.5 + 1), f(-1.5, x) }
            end
            for round = 1, 3 do
              for x = -4, 4 do
                for _, y in ipairs { 0, 1, 2.5, -0.5, 2^31, -2^33 - 0.5, 2^52 + 1, 1/0, -1/0, 0/0 } do rows(x, y) end
              end
            end
        )";
        INFO(name);
        CHECK(difference(program) == "");
    }
}

// Most builds of LuaJIT for x86-64 add 1.5 * 2^52 to the number (luajit_mend in cmake/luajit.sh).
TEST_CASE("a number whose bits a compiled loop takes stays what it is") {
    const std::string program = R"(
        local bor, floor = bit.bor, math.floor
        program_results = {}
        for kept = 1, 12 do
          local n, text = 8, ""
          for i = 1, 14 do
            if bor(5, n) > (floor(kept) == 2 and 13 or i) then n = kept else text = text .. i .. " " end
          end
          program_results[kept] = { text, n }
        end)";
    CHECK(difference(program) == "");
}

TEST_CASE(
    "bit works on whole numbers, texts of numbers and numbers of 64 bits, and names what it does not take") {
    LuaTest test;
    CHECK(
        test.run(
            "assert(bit.band(255, 15, 6) == 6 and bit.bor(1) == 1 and bit.bxor(-1, 1) == -2) "
            "assert(bit.band(7.9, 6.5) == 6 and bit.bor(-1.5, 0) == -2 and bit.lshift(1, 4.9) == 16) "
            "assert(bit.band('7', 5) == 5 and bit.tohex(255.5) == '000000ff' and bit.tohex(255, 2) == 'ff') "
            "assert(bit.bor(0/0, 3) == 3 and bit.bor(1/0, 3) == 3) "
            "assert(bit.bxor(1LL, 2LL) == 3LL)") == "");
    CHECK_THAT(test.run("bit.band({}, 1)"),
               Catch::Contains("bad argument #1 to 'band' (number expected, got table)"));
    CHECK_THAT(test.run("bit.bnot(setmetatable({}, { __index = function() return 1 end }))"),
               Catch::Contains("bad argument #1 to 'bnot' (number expected, got table)"));
    CHECK_THAT(test.run("bit.bxor(1, 2, 'x')"),
               Catch::Contains("bad argument #3 to 'bxor' (number expected, got string)"));
    CHECK_THAT(test.run("bit.lshift(1)"),
               Catch::Contains("bad argument #2 to 'lshift' (number expected, got no value)"));
}

// LuaJIT's issues 980 and 994: faulted.
TEST_CASE("a table that only one exit of a loop creates is complete", "[current-luajit]") {
    if (!is_held()) return;
    const std::string program = R"(
        program_results = {}
        for n = 1, 200 do
          local t = { "a", "b" }
          for j = 1, 3 do local u = t[2] t = { 1, 2, 3 } end
          program_results[n] = { t[1], t[2], t[3], #t }
        end
        for n = 1, 200 do
          local t = { x = 1, y = 2 }
          for j = 1, 3 do local u = t.y t = { x = u, y = j, z = n } end
          program_results[200 + n] = { t.x, t.y, t.z }
        end)";
    CHECK(difference(program) == "");
}

// Read the argument of another call: 106,458 times in 180,000 calls.
TEST_CASE("the arguments in ... are those of the call, also when compiled", "[current-luajit]") {
    if (!is_held()) return;
    const std::string program = R"(
        program_results = {}
        local function first(...) local v = ... return v end
        local function each(...)
          local sum, v, w = 0
          for i = 1, 4 do v, w = ... sum = sum + (v or 0) * 10 + (w or 0) end
          return sum
        end
        local function selected(...)
          local sum = 0
          for i = 1, select("#", ...) do local v = select(i, ...) sum = sum * 3 + v end
          return sum
        end
        local wrong = 0
        for i = 1, 20000 do
          if first(i) ~= i then wrong = wrong + 1 end
          if each(i, i + 1) ~= 44 * i + 4 then wrong = wrong + 1 end
          if selected(i, 2, 3) ~= (i * 3 + 2) * 3 + 3 then wrong = wrong + 1 end
        end
        program_results[1] = { wrong }
        assert(wrong == 0, wrong))";
    CHECK(difference(program) == "");
}

// LuaJIT's issue 1164: crashed.
TEST_CASE("__concat joins many values the same compiled and interpreted", "[current-luajit]") {
    if (!is_held()) return;
    const std::string program = R"(
        program_results = {}
        local seen = {}
        local Loud = { __concat = function(...)
          local a, b = ...
          seen[#seen + 1] = select("#", ...)
          return (type(a) == "table" and "L" or a) .. "+" .. (type(b) == "table" and "R" or b)
        end }
        local o = setmetatable({}, Loud)
        for i = 1, 200 do
          program_results[i] = { "a" .. o .. i .. "b" .. o, o .. o .. i, i .. ("x"):rep(i % 3) .. o .. "end", #seen }
        end)";
    CHECK(difference(program) == "");
}

}  // namespace
}  // namespace perigee
