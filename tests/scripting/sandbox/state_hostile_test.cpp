// Hostile programs end in an error of their mod, within their limits, and the state goes on.
#include "tests/scripting/hostile_lua.h"
#include "tests/scripting/lua_test.h"

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>

namespace perigee {
namespace {

ScriptLimits tight() {
    ScriptLimits limits;
    limits.fuel_per_load = 200'000;
    limits.fuel_per_run = 200'000;
    limits.memory_soft = 8 << 20;
    limits.memory_hard = 256 << 20;
    limits.memory_per_run = 512 << 20;
    limits.log_lines = 10;
    return limits;
}

bool names_a_limit(const std::string& text) {
    for (const char* const words :
         {"steps of fuel", "MB of memory", "not enough memory", "ran for more than"}) {
        if (text.find(words) != std::string::npos) return true;
    }
    return false;
}

// A state that met its hard limit of memory may be given up; all others go on.
void check_alive(LuaTest& test) {
    test.state->collect();
    const std::string after = test.run("local n = 0 for i = 1, 1000 do n = n + i end assert(n == 500500)");
    CHECK(after == "");
}

TEST_CASE("endless programs end in the error of a limit, and the state goes on") {
    for (const char* const body : kEndless) {
        LuaTest test(1, tight());
        const std::string program = hostile_program(body, "f()");
        INFO(program);
        CHECK(names_a_limit(test.run(program)));
        check_alive(test);
    }
}

TEST_CASE("failing programs fail, and the state goes on") {
    for (const char* const body : kFailing) {
        LuaTest test(1, tight());
        const std::string program = hostile_program(body, "f()");
        INFO(program);
        const std::string text = test.run(program);
        CHECK(text.find("test/") == 0);
        CHECK(text.find("the end") == std::string::npos);
        check_alive(test);
    }
}

TEST_CASE("a hostile program ends in an error, whatever surrounds it") {
    std::size_t count = 0;
    std::mt19937 random(3);
    LuaTest* test = nullptr;
    std::unique_ptr<LuaTest> owned;
    for (const char* const around : kAround) {
        // Every body meets a part of what is around, in a state that has seen others.
        owned = std::make_unique<LuaTest>(1, tight());
        test = owned.get();
        for (const char* const body : kEndless) {
            if (random() % 8 != 0) continue;
            const std::string program = hostile_program(body, around);
            INFO(program);
            CHECK(test->run(program) != "");
            ++count;
        }
        check_alive(*test);
    }
    CHECK(count > 150);
}

// tests/hostile: as long as is wanted.
TEST_CASE("random hostile programs, one after the other in one state, end in errors", "[.long][hostile]") {
    const char* const wanted = std::getenv("PERIGEE_HOSTILE_MINUTES");
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::seconds(wanted != nullptr ? 30 * std::atoi(wanted) : 10);
    const char* const start = std::getenv("PERIGEE_HOSTILE_SEED");
    std::mt19937 random(start != nullptr ? static_cast<std::uint32_t>(std::atoll(start)) : 1);
    const auto any = [&](const auto& list) { return std::string(list[random() % list.size()]); };
    std::unique_ptr<LuaTest> test;
    for (int round = 0; std::chrono::steady_clock::now() < end; ++round) {
        if (round % 20 == 0) test = std::make_unique<LuaTest>(random(), tight());
        std::string body = random() % 3 == 0 ? any(kFailing) : any(kEndless);
        for (std::uint32_t depth = random() % 4; depth > 0; --depth) {
            const std::string inner = random() % 2 == 0 ? any(kEndless) : any(kFailing);
            body = "local function f() " + body + "\nend do " + any(kAround) + " end do " + inner + "\nend";
        }
        const std::string program = hostile_program(body, any(kAround));
        INFO("round " << round << "\n" << program);
        REQUIRE(test->run(program) != "");
    }
}

}  // namespace
}  // namespace perigee
