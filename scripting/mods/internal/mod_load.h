// Shared parts of loading and reloading a mod. Not here: the order of the steps (runtime_load.cpp,
// runtime_reload.cpp).
#pragma once

#include "scripting/base/script_error.h"
#include "scripting/sandbox/state.h"

#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// An error without a position.
ScriptError plain_error(std::string_view mod, std::string message);

/// Appends the errors recorded by schema.lua since the last call.
void take_mistakes(ScriptState& state, std::vector<ScriptError>& errors);

/// Turns update(dt) and draw() of a sketch into systems.
void declare_sketch(ScriptState& state, std::vector<ScriptError>& errors);

}  // namespace perigee::internal
