// The C functions through which Lua sends and reads events, called by scripts/runtime/systems/event.lua only.
//
// Invariant: the type is an event of the world, and the system runs; event.lua checks both, and the system's
// declaration, before each call.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee::internal {

std::vector<NativeFunction> event_functions();

}  // namespace perigee::internal
