// The charged program compared with the original: LuaJIT runs both.
#include "scripting/lua/fuel_rewriter.h"

#include "scripting/sandbox/bind.h"
#include "tests/scripting/linked_limits.h"
#include "tests/scripting/random_lua.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace perigee {
namespace {

using test::max_upvalues;
using test::with_upvalues;

const FuelNames kNames{"F_", "T_", "A_", "B_", "C_", "D_"};

struct Outcome {
    std::string printed;
    std::string result;
    double steps = 0;
    bool operator==(const Outcome& other) const { return printed == other.printed && result == other.result; }
};

// A stock state. `charge` counts what is charged and never refuses.
class Bare {
public:
    Bare() : lua_(luaL_newstate()) {
        luaL_openlibs(lua_);
        const char* const prelude = R"(
            local lines, tostring, type, select = {}, tostring, type, select
            local function shown(v)
              local t = type(v)
              return (t == "table" or t == "function") and t or tostring(v)
            end
            function out(...)
              local n = #lines
              if n >= 400 then error("enough", 0) end
              local line = ""
              for i = 1, select("#", ...) do line = line .. "|" .. shown((select(i, ...))) end
              lines[n + 1] = line
            end
            function printed() return table.concat(lines, "\n") end
            steps, short = 0, 2
            function charge(a, b, c, weight)
              if not weight then return a end
              if weight == 0 then return b, a, c end
              local first, last, step = tonumber(a), tonumber(b), tonumber(c)
              local turns = 0
              if first and last and step then turns = math.max(0, math.floor((last - first) / step) + 1) end
              if weight > 0 then
                steps = steps + turns * weight
                return b, a, c
              end
              if turns > short then return b, true, a, c end
              steps = steps - turns * weight
              return b, false, a, c
            end
        )";
        REQUIRE(luaL_dostring(lua_, prelude) == 0);
    }
    ~Bare() { lua_close(lua_); }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;

    /// The compiler's message, or "".
    std::string compile(std::string_view text) {
        if (luaL_loadbufferx(lua_, text.data(), text.size(), "@p", "t") == 0) return "";
        const std::string message(text_at(lua_, -1));
        lua_pop(lua_, 1);
        return message;
    }

    Outcome run_plain(std::string_view text) {
        REQUIRE(compile(text) == "");
        return run();
    }

    Outcome run_charged(std::string_view text) {
        const Result<ChargedSource> charged = charge_source(text, kNames);
        REQUIRE(charged);
        INFO(charged.value().text);
        REQUIRE(compile(charged.value().text) == "");
        lua_pushnumber(lua_, 1e15);
        lua_getglobal(lua_, "charge");
        REQUIRE(lua_pcall(lua_, 2, 1, 0) == 0);
        lua_pushvalue(lua_, -1);
        Outcome outcome = run();
        for (int i = 1; const char* const name = lua_getupvalue(lua_, -1, i); ++i) {
            if (std::string_view(name) == "F_") outcome.steps = 1e15 - lua_tonumber(lua_, -1);
            lua_pop(lua_, 1);
        }
        lua_getglobal(lua_, "steps");
        outcome.steps += lua_tonumber(lua_, -1);
        return outcome;
    }

private:
    Outcome run() {
        lua_pushliteral(lua_, "first");
        lua_pushliteral(lua_, "second");
        Outcome outcome;
        const int base = lua_gettop(lua_) - 3;
        const int status = lua_pcall(lua_, 2, LUA_MULTRET, 0);
        outcome.result = std::to_string(status);
        for (int i = base + 1; i <= lua_gettop(lua_); ++i) {
            outcome.result += "|";
            outcome.result += lua_type(lua_, i) == LUA_TSTRING || lua_type(lua_, i) == LUA_TNUMBER
                                  ? text_at(lua_, i)
                                  : std::string_view(lua_typename(lua_, lua_type(lua_, i)));
        }
        lua_settop(lua_, base);
        lua_getglobal(lua_, "printed");
        REQUIRE(lua_pcall(lua_, 0, 1, 0) == 0);
        outcome.printed = text_at(lua_, -1);
        lua_pop(lua_, 1);
        return outcome;
    }

    lua_State* lua_;
};

std::string charged(std::string_view source) {
    const Result<ChargedSource> result = charge_source(source, kNames);
    return result ? result.value().text : result.error().message;
}

double steps_of(std::string_view source) { return Bare().run_charged(source).steps; }

std::ptrdiff_t line_count(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

TEST_CASE("thousands of random programs give the same results charged and as written") {
    std::size_t with_errors = 0;
    for (std::uint32_t seed = 1; seed <= 4000; ++seed) {
        const std::string text = RandomLua(seed).program();
        Bare plain;
        Bare charged_state;
        INFO("seed " << seed << "\n" << text);
        if (const std::string mistake = plain.compile(text); !mistake.empty()) FAIL(mistake);
        const Outcome expected = plain.run_plain(text);
        const Outcome found = charged_state.run_charged(text);
        REQUIRE(found.result == expected.result);
        REQUIRE(found.printed == expected.printed);
        if (expected.printed.find("p:") != std::string::npos) ++with_errors;
    }
    // Otherwise the lines of errors are not compared.
    CHECK(with_errors > 1000);
}

TEST_CASE("every program that LuaJIT compiles also compiles charged, including ones with moved tokens") {
    std::size_t valid = 0;
    for (std::uint32_t seed = 1; seed <= 20'000; ++seed) {
        RandomLua random(seed);
        const std::string text = random.broken_copy(random.program());
        Bare* const bare = [] {
            static Bare state;
            return &state;
        }();
        const Result<ChargedSource> result = charge_source(text, kNames);  // never crashes
        if (!bare->compile(text).empty()) continue;
        ++valid;
        INFO("seed " << seed << "\n" << text);
        REQUIRE(result);
        INFO(result.value().text);
        REQUIRE(bare->compile(result.value().text) == "");
        REQUIRE(line_count(result.value().text) == line_count(text) + 1);
    }
    CHECK(valid > 500);
}

TEST_CASE("every Lua file of the project compiles charged") {
    Bare bare;
    std::size_t files = 0;
    for (const char* const folder : {"/scripts", "/tests"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(PERIGEE_SOURCE_DIR) + folder)) {
            if (entry.path().extension() != ".lua") continue;
            std::ifstream file(entry.path());
            std::stringstream text;
            text << file.rdbuf();
            if (!bare.compile(text.str()).empty()) continue;
            INFO(entry.path());
            REQUIRE(bare.compile(charged(text.str())) == "");
            ++files;
        }
    }
    CHECK(files > 50);
}

TEST_CASE("a numeric loop is paid up front, every other loop per iteration") {
    CHECK(steps_of("for i = 1, 1000 do end") == 1000);
    CHECK(steps_of("for i = 10, 1, -1 do end") == 10);
    CHECK(steps_of("local n, s = 5, 0.5 for i = 1, n, s do end") == 9);
    CHECK(steps_of("for i = 1, 1000 do break end") == 1);
    CHECK(steps_of("for i = 1, 1000 do if i == 7 then return end end") == 7);
    CHECK(steps_of("local n = 0 while n < 30 do n = n + 1 end") == 30);
    CHECK(steps_of("local n = 0 repeat n = n + 1 until n == 30") == 30);
    CHECK(steps_of("for _ in ipairs({1, 2, 3}) do end") == 3);
    CHECK(steps_of("local function f() end for i = 1, 10 do f() end") == 20);
    CHECK(steps_of("local n = 0 ::again:: n = n + 1 if n < 50 then goto again end") == 49);
    CHECK(steps_of("pcall(function() for i = 1, 100 do if i == 3 then error('x') end end end)") == 4);
    CHECK(steps_of("pcall(function() for i = 1, 2 do error('x') end end)") == 3);
    CHECK(steps_of("pcall(function() for i = 1, 9 do if i > x then end end end)") == 2);
    CHECK(steps_of("pcall(function() for i = 1, 9 do local y = x .. i end end)") == 2);
    CHECK(steps_of("pcall(function() for i = 1, 9 do x'y' end end)") == 2);
    CHECK(steps_of("pcall(function() for i = 1, 9 do x{} end end)") == 2);
    CHECK(steps_of("pcall(function() for i = 1, 9 do local y = (x + 1) end end)") == 10);
    CHECK(steps_of(
              "local f = coroutine.wrap(function() for i = 1, 1e9 do coroutine.yield(i) end end) f() f()") ==
          3);
}

TEST_CASE("a long body costs more than a short one") {
    std::string body;
    for (int i = 0; i < 100; ++i) body += "x = x + 1 ";
    CHECK(steps_of("local x = 0 for i = 1, 10 do " + body + "end") > 100);
    CHECK(steps_of("local x = 0 for i = 1, 10 do for j = 1, 1 do " + body + "end end") > 100);
}

TEST_CASE("chains that are slow to compile cost the square of their length") {
    const auto chain = [](int length) {
        std::string text = "local x = 1 if x == 0 then ";
        for (int i = 0; i < length; ++i) text += "elseif x == 2 then ";
        return charge_source(text + "end", kNames).value().compile_steps;
    };
    CHECK(chain(10) == 25);
    CHECK(chain(1000) == 250'000);
}

TEST_CASE("line numbers, byte order marks and first lines with # are kept") {
    CHECK(line_count(charged("a = 1\nfor i = 1,\n2\ndo\nend")) == 5);
    const std::string text = "\xEF\xBB\xBF#!lua\nerror('x')";
    CHECK(Bare().run_charged(text) == Bare().run_plain(text));
    CHECK(Bare().run_charged("return ...").result == "0|first|second");
    CHECK(Bare().run_charged("x = 1 -- no line follows").result == "0");
}

TEST_CASE("a name that only looks like a goto is left alone") {
    for (const char* const text :
         {"local goto = 1 out(goto)", "x = goto\ny = 2 out(y)", "t = { goto = 1 } out(t.goto)",
          "local t = {} function t:goto(a) out(a) end t:goto(4)", "do goto l end ::l:: out(1)",
          "for i = 1, 3 do if i == 2 then goto c end out(i) ::c:: end"}) {
        INFO(text);
        CHECK(Bare().run_charged(text) == Bare().run_plain(text));
    }
}

TEST_CASE(
    "counting takes 2 of a function's upvalues, and 3 or 4 locals around a loop over three expressions") {
    Bare bare;
    const int most = max_upvalues();
    CHECK(most >= 60);
    CHECK(bare.compile(with_upvalues(most)) == "");
    CHECK(bare.compile(charged(with_upvalues(most - 2))) == "");
    CHECK(bare.compile(charged(with_upvalues(most - 1))) != "");

    const auto with_locals = [](int count) {
        std::string names;
        for (int i = 0; i < count; ++i) names += "local v" + std::to_string(i) + "\n";
        return names + "for i = x, y, z do end";
    };
    CHECK(bare.compile(with_locals(196)) == "");
    CHECK(bare.compile(charged(with_locals(193))) == "");
    CHECK(bare.compile(charged(with_locals(194))) != "");
}

TEST_CASE("a source that contains a name of the counter, or is too long, is refused") {
    CHECK(charged("x = F_") == "its loops cannot be counted");
    CHECK(charge_source(std::string(kMaxSourceBytes, ' '), kNames));
    CHECK(charged(std::string(kMaxSourceBytes + 1, ' ')) == "the file has 262145 bytes; the limit is 262144");
    CHECK(FuelNames::of_process().counter.size() > 16);
    CHECK(charged("end") == "its loops cannot be counted");
}

}  // namespace
}  // namespace perigee
