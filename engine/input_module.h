// What the Lua module "input" is made of: actions declared, and their state in the current step.
//
// Invariant: scripts see the InputFrame of the step and nothing else of the player, so a replay feeds them
// the same. The Lua side is scripts/runtime/input.lua.
#pragma once

#include "engine/input.h"
#include "scripting/native_module.h"

#include <cstddef>
#include <string>
#include <vector>

namespace perigee {

/// Lifetime: longer than every Lua state that has the module.
struct InputContext {
    ActionMap& map;
    const InputFrame& frame;            ///< of the current step
    std::size_t owner = 0;              ///< of what is declared; see ActionMap
    std::vector<InputCode> controls{};  ///< of the action that is being declared
    std::string error{};
};

NativeModule input_module(InputContext& context);

}  // namespace perigee
