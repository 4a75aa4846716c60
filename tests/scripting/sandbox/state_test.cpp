// Calls into a state: their results when they fail.
#include "scripting/sandbox/state.h"

#include "scripting/base/error_codes.h"
#include "tests/scripting/lua_test.h"
#include "tests/support/limited_process.h"

namespace perigee {
namespace {

ScriptError error_of(LuaTest& test, std::string_view code) {
    std::optional<ScriptError> error = test.state->run_text(code, "lib/inline.lua");
    REQUIRE(error);
    return *error;
}

TEST_CASE("a runtime error names mod, file and line") {
    LuaTest test;
    const ScriptError error = error_of(test, "local function f()\n  error('boom')\nend\nf()");
    CHECK(error.mod == "test");
    CHECK(error.file == "lib/inline.lua");
    CHECK(error.line == 2);
    CHECK(error.message == "boom");
    CHECK(error.text() == "test/lib/inline.lua:2: boom");
    CHECK(error.traceback.find("test/lib/inline.lua:2: in function 'f'") != std::string::npos);
    CHECK(error.traceback.find("0x") == std::string::npos);
    CHECK(error.traceback.find("perigee/") == std::string::npos);
}

TEST_CASE("a syntax error names file and line") {
    LuaTest test;
    const ScriptError error = error_of(test, "x = 1\ny = = 2");
    CHECK(error.file == "lib/inline.lua");
    CHECK(error.line == 2);
    CHECK(error.message.find("unexpected symbol") != std::string::npos);
}

TEST_CASE("a long file name is complete in spite of Lua's shortening") {
    LuaTest test;
    const std::string path =
        "a/very/long/path/that/lua/will/shorten/because/it/has/more/than/sixty/bytes/x.lua";
    const std::optional<ScriptError> error = test.state->run_text("local x = nil + 1", path);
    REQUIRE(error);
    CHECK(error->line == 1);
    CHECK(error->file == path);
}

TEST_CASE("error objects of a mod are never called by the host") {
    LuaTest test;
    const ScriptError error =
        error_of(test,
                 "error(setmetatable({}, {__tostring = function() error('ran in the host') end,\n"
                 "__index = function() error('ran in the host') end, __concat = error}))");
    CHECK(error.message == "error was called with a value of type table, not with a message");
    CHECK(error_of(test, "error(nil)").message ==
          "error was called with a value of type nil, not with a message");
    CHECK(error_of(test, "error(5)").message == "5");
}

TEST_CASE("a request beyond the memory of a state is an error, and the state goes on") {
    LuaTest test;
    CHECK(error_of(test, "local x = ('x'):rep(1.6e9)").message ==
          "not enough memory: asked for more than its hard limit of 1024 MB");
    CHECK(test.run("assert(#('x'):rep(1e6) == 1e6)") == "");
}

TEST_CASE("a state records that a limit changed its run, even if the script caught the error") {
    LuaTest test;
    CHECK(test.run("local s = ('x'):rep(1000)") == "");
    CHECK(test.state->limit_reached().empty());
    CHECK(test.run("assert(not pcall(string.rep, 'x', 2 ^ 30))") == "");
    CHECK(test.state->limit_reached() == "the memory limit");
    LuaTest other;
    other.state->note_limit("the clock limit");
    other.state->note_limit("another one");
    CHECK(other.state->limit_reached() == "the clock limit");
}

TEST_CASE("a module without its Lua file fails when the state is created") {
    ScriptStateConfig config;
    config.modules.push_back({"no_such_module", nullptr, {}});
    const auto state = ScriptState::create(std::move(config));
    REQUIRE_FALSE(state.ok());
    CHECK_THAT(state.error().message, Catch::StartsWith("the Lua library of the engine failed to load: ") &&
                                          Catch::Contains("the engine has no Lua file 'no_such_module'"));
}

TEST_CASE("a huge error message is cut") {
    LuaTest test;
    CHECK(error_of(test, "error(('x'):rep(1e7))").message.size() < 5000);
}

TEST_CASE("an error inside a coroutine keeps its position") {
    LuaTest test;
    const ScriptError error = error_of(test, "\n\ncoroutine.wrap(function()\nlocal x = {} .. 1 end)()");
    CHECK(error.line == 4);
}

TEST_CASE("bytecode files are refused") {
    LuaTest test;
    CHECK(error_of(test, std::string("\x1bLJ\x02\x02\x00", 6)).message == "only source text can be loaded");
}

TEST_CASE("a missing file and a directory say so") {
    LuaTest test;
    CHECK(test.state->run_file("nowhere.lua")->text() == "test/nowhere.lua: does not exist");
    CHECK(test.state->run_file("lib")->text() == "test/lib: is a directory, not a file");
    CHECK(test.state->run_file("../scripts/sandbox/order.lua")->message == "is not a path inside the mod");
}

TEST_CASE("failing calls leave the state usable and the stack empty") {
    LuaTest test;
    for (int round = 0; round < 300; ++round) {
        error_of(test, "local t = {} for i = 1, 100 do t[i] = i end error('again')");
        error_of(test, "local function f() return 1 + f() end f()");
    }
    CHECK(test.run("x = (x or 0) + 1 assert(x == 1)") == "");
}

TEST_CASE("memory is counted, and garbage is freed") {
    LuaTest test;
    test.state->collect();
    const std::size_t before = test.state->memory_bytes();
    REQUIRE(test.run("kept = {} for i = 1, 100000 do kept[i] = {i} end") == "");
    CHECK(test.state->memory_bytes() > before + 4'000'000);
    REQUIRE(test.run("kept = nil") == "");
    test.state->collect();
    CHECK(test.state->memory_bytes() < before + 100'000);
}

TEST_CASE("random numbers of a mod depend on the seed alone") {
    const auto draw = [](std::uint64_t seed) {
        LuaTest test(seed);
        REQUIRE(test.run("print(math.random(), math.random(1000))") == "");
        return test.log.at(0);
    };
    CHECK(draw(1) == draw(1));
    CHECK(draw(1) != draw(2));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE(
    "a state for which no address space is left is an error that names the limit, and small room is enough") {
    const auto made = [](std::size_t room, std::string_view expected) {
        return test::holds_under_limit(room, [&] {
            const Result<std::unique_ptr<ScriptState>> state = ScriptState::create({});
            return state ? expected.empty() : state.error().message == expected;
        });
    };
    CHECK(made(std::size_t{64} << 20U, messages::kNoAddressSpace));
    CHECK(made(std::size_t{400} << 20U, ""));
}
#endif

}  // namespace
}  // namespace perigee
