// The profile distinguishes compiled from interpreted loops.
#include "scripting/tools/jit_profile.h"

#include "scripting/sandbox/state.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace perigee;

namespace {

JitTime time_of(const std::string& text) {
    std::unique_ptr<ScriptState> state = ScriptState::create({}).value();
    JitTime sum;
    for (int i = 0; i < 200 && sum.all() < 60; ++i) {
        const JitProfile profile(*state);
        const auto error = state->run_text(text, "main.lua");
        INFO((error ? error->message : std::string()));
        REQUIRE_FALSE(error);
        sum += profile.time();
    }
    return sum;
}

}  // namespace

TEST_CASE("the time of a compiled loop counts as compiled, that of a loop that creates functions does not") {
    const JitTime fast = time_of("local s = 0 for i = 1, 5e6 do s = s + i % 7 end");
    REQUIRE(fast.all() >= 60);
    CHECK(fast.compiled > fast.all() / 2);
    const JitTime slow =
        time_of("local s = 0 for i = 1, 3e5 do local f = function() return i end s = s + f() end");
    REQUIRE(slow.all() >= 60);
    CHECK(slow.compiled < slow.all() / 2);
}
