// The sandbox, tested in Lua: each case runs one script of tests/scripts.
#include "tests/scripting/lua_test.h"

namespace perigee {
namespace {

TEST_CASE("a mod sees the whitelist and nothing else") { run_script("sandbox_whitelist.lua"); }
TEST_CASE("every known escape from the sandbox is closed") { run_script("sandbox_escapes.lua"); }
TEST_CASE("pairs and next visit keys in one order") { run_script("order.lua"); }
TEST_CASE("math gives the same results interpreted and compiled") { run_script("numbers.lua"); }
TEST_CASE("positions in strings and lists mean what they mean in stock Lua, whatever number comes") {
    run_script("positions.lua");
}
TEST_CASE("require reads files of the mod only") { run_script("require.lua"); }

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

TEST_CASE("print joins its arguments and goes to the log") {
    LuaTest test;
    REQUIRE(test.run("print('a', 1, nil, true, {})  print()") == "");
    CHECK(test.log == std::vector<std::string>{"a\t1\tnil\ttrue\ttable: 1", ""});
}

TEST_CASE("two states share nothing") {
    LuaTest first;
    LuaTest second;
    REQUIRE(first.run("string.upper = nil  shared = 1  math.pi = 3") == "");
    CHECK(second.run("assert(string.upper and not shared and math.pi > 3.1)") == "");
}

}  // namespace
}  // namespace perigee
