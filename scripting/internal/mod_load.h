// What loading a mod and running its files again have in common.
#pragma once

#include "scripting/script_error.h"
#include "scripting/state.h"

#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// An error without a place.
ScriptError plain_error(std::string_view mod, std::string message);

/// Appends what schema.lua noted since the last time.
void take_mistakes(ScriptState& state, std::vector<ScriptError>& errors);

/// update(dt) and draw() of a sketch become systems.
void declare_sketch(ScriptState& state, std::vector<ScriptError>& errors);

}  // namespace perigee::internal
