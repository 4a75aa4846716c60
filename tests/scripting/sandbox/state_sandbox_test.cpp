// The sandbox, tested in Lua: each case runs one script of tests/scripts.
#include "tests/scripting/lua_test.h"

namespace perigee {
namespace {

TEST_CASE("a mod sees only the allowlist") { run_script("sandbox/sandbox_whitelist.lua"); }
TEST_CASE("every known escape from the sandbox is closed") { run_script("sandbox/sandbox_escapes.lua"); }
TEST_CASE("pairs and next visit keys in a fixed order") { run_script("sandbox/order.lua"); }
TEST_CASE("math gives the same results interpreted and compiled") { run_script("sandbox/numbers.lua"); }
TEST_CASE("math.noise is smooth and the same everywhere") { run_script("sandbox/noise.lua"); }
TEST_CASE("positions in strings and lists mean the same as in stock Lua, for any number") {
    run_script("sandbox/positions.lua");
}
TEST_CASE("require reads only files of the mod") { run_script("sandbox/require.lua"); }

TEST_CASE("loops over string keys see the same order in twenty states") {
    std::string first;
    for (int run = 0; run < 20; ++run) {
        LuaTest test;
        REQUIRE(test.run("local t = {} for i = 1, 200 do t['k' .. (i * 7919 % 1000)] = i end\n"
                         "local s = '' for k, v in pairs(t) do s = s .. k .. v end print(s)") == "");
        REQUIRE(test.log.size() == 1);
        if (first.empty()) first = test.log[0];
        CHECK(test.log[0] == first);
    }
}

// The first state of a process compiles the library, and the others take what it compiled.
TEST_CASE(
    "the same mistakes have the same messages in each state of a process, with the names of functions") {
    std::string first;
    for (int run = 0; run < 3; ++run) {
        LuaTest test;
        REQUIRE(
            test.run("local bad = { nil, true, {}, function() end, 'x', '%d %d', -1, 0 / 0, 7 }\n"
                     "local messages = {}\n"
                     "local function try(f)\n"
                     "  for a = 1, 9 do for b = 1, 9 do\n"
                     "    local ok, message = pcall(f, bad[a], bad[b], bad[(a + b) % 9 + 1])\n"
                     "    if not ok then messages[#messages + 1] = tostring(message) end\n"
                     "  end end\n"
                     "end\n"
                     "for _, library in ipairs { string, table, math, bit } do\n"
                     "  for _, f in pairs(library) do try(f) end\n"
                     "end\n"
                     "for _, f in ipairs { tonumber, tostring, setmetatable, rawget, rawset, ipairs, next, "
                     "unpack, select, load } do try(f) end\n"
                     "local text, sum = table.concat(messages, '\\n'), 0\n"
                     "for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 2 ^ 40 end\n"
                     "assert(text:find(\"bad argument #2 to 'format' (number expected, got\", 1, true))\n"
                     "for _, wrong in ipairs { 'raw_', \"to ''\" } do\n"
                     "  local at = text:find(wrong, 1, true)\n"
                     "  if at then error(text:sub(math.max(1, at - 80), at + 80)) end\n"
                     "end\n"
                     "print(#messages, #text, sum)") == "");
        REQUIRE(test.log.size() == 1);
        if (first.empty()) first = test.log[0];
        CHECK(test.log[0] == first);
    }
}

TEST_CASE("no format shows an address") {
    LuaTest test;
    CHECK(test.run("for _, v in ipairs { {}, print, function() end, coroutine.create(print) } do\n"
                   "  for _, f in ipairs { '%s', '%q', '%5s|%q', '%-9.30s' } do\n"
                   "    assert(not f:format(v, v):find('0x'), f)\n"
                   "  end\n"
                   "end\n"
                   "assert(('%q'):format('a b') == '\"a b\"' and ('%q'):format(5) == '\"5\"')") == "");
}

TEST_CASE("print joins its arguments and goes to the log") {
    LuaTest test;
    REQUIRE(test.run("print('a', 1, nil, true, {})  print()") == "");
    CHECK(test.log == std::vector<std::string>{"a\t1\tnil\ttrue\ttable: 1", ""});
}

TEST_CASE("lines beyond the limit of a step are counted, and the number is reported") {
    ScriptLimits limits;
    limits.log_lines = 2;
    LuaTest test(1, limits);
    REQUIRE(test.run("for i = 1, 5 do print(i) end") == "");
    const std::string cut = "a mod may log 2 lines and 64 KB in one step; the rest is left out";
    CHECK(test.log == std::vector<std::string>{"1", "2", cut});
    test.state->begin_log_step(0);  // the same one
    REQUIRE(test.run("print('still')") == "");
    test.state->begin_log_step(1);
    CHECK(test.log ==
          std::vector<std::string>{"1", "2", cut, "4 log lines of the previous step left out, 8 bytes"});
    REQUIRE(test.run("print('again')") == "");
    test.state->begin_log_step(2);
    CHECK(test.log.size() == 5);
    CHECK(test.log.back() == "again");
}

TEST_CASE("bytes of log lines beyond the limit of a step are left out, and a long line is cut") {
    ScriptLimits limits;
    limits.log_bytes = 10 * 1024;
    LuaTest test(1, limits);
    REQUIRE(test.run("print(('x'):rep(5000))") == "");
    REQUIRE(test.log.size() == 1);
    CHECK(test.log[0] == std::string(4000, 'x') + "… (1000 bytes more)");
    REQUIRE(test.run("for i = 1, 3 do print(('y'):rep(4000)) end  print('short')") == "");
    REQUIRE(test.log.size() == 3);
    CHECK(test.log[2] == "a mod may log 1000 lines and 10 KB in one step; the rest is left out");
    test.state->begin_log_step(1);
    CHECK(test.log.back() == "3 log lines of the previous step left out, 8005 bytes");
}

TEST_CASE("a trusted state has all of Lua, and still a budget") {
    ScriptStateConfig config;
    config.mod = "test";
    config.limits.fuel_per_load = 100'000;
    config.is_trusted = true;
    const std::unique_ptr<ScriptState> state = std::move(ScriptState::create(std::move(config))).value();
    const auto failed = state->run_text(R"(
        assert(type(os.time()) == "number" and io.open("/") and type(debug.traceback()) == "string" and _G.jit == jit)
        assert(require("ffi").sizeof("int") == 4 and require "io" == io and package.path)
        assert(loadstring("return 1")() == 1 and collectgarbage("count") > 0 and string.dump(function() end))
        -- What the engine replaces stays replaced.
        assert(tostring({}) == "table: 1" and next({ b = 1, a = 1 }) == "a"))",
                                        "main.lua");
    INFO((failed ? failed->text() : ""));
    CHECK_FALSE(failed);
    const auto endless = state->run_text("while true do end", "main.lua");
    REQUIRE(endless);
    CHECK(endless->text() ==
          "test/main.lua:1: used more than 100000 steps of fuel, the limit of one run; a loop over all pairs "
          "is the usual cause, and 'instructions' in mod.json allows more");
}

TEST_CASE("an untrusted state's error says how to trust it") {
    LuaTest test;
    CHECK(test.run("require 'ffi'").find("it is for games that are run with --trusted") != std::string::npos);
}

TEST_CASE("two states share nothing") {
    LuaTest first;
    LuaTest second;
    REQUIRE(first.run("string.upper = nil  shared = 1  math.pi = 3") == "");
    CHECK(second.run("assert(string.upper and not shared and math.pi > 3.1)") == "");
}

}  // namespace
}  // namespace perigee
