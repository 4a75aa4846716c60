// The C side of scripts/runtime/tools/test.lua: host.test_<word>(…) gives a result, or nil and a message.
//
// Values of a game's components come from scripts/runtime/tools/probe.lua, which runs in the game's own
// state.
#pragma once

#include <string>

struct lua_State;

namespace perigee {
struct TestActions;
}

namespace perigee::internal {

struct TestHome {
    const TestActions& actions;
    const std::string& mod;
};

/// Adds to the host table on top of the stack. Lifetime: `home` outlives the state.
void extend_host_with_tests(lua_State* lua, TestHome& home);

}  // namespace perigee::internal
