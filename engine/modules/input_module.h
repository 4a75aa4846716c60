// The C++ side of the Lua module "input": declared actions, and their state in the current step.
//
// Invariant: scripts see only the StepInput of the step, so a replay gives them the same input. The Lua side
// is scripts/runtime/modules/input.lua.
#pragma once

#include "engine/input/input.h"
#include "scripting/base/native_module.h"

#include <cstddef>
#include <string>
#include <vector>

namespace perigee {

/// Lifetime: must outlive every Lua state with the module.
struct InputContext {
    ActionMap& map;
    const StepInput& step;              ///< of the current step; GameSession::step sets it
    std::size_t owner = 0;              ///< of what is declared; see ActionMap
    std::vector<InputCode> controls{};  ///< of the action that is being declared
    std::string error{};
};

NativeModule input_module(InputContext& context);

}  // namespace perigee
