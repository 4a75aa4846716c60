// The C functions through which Lua sends and reads events: scripts/runtime/event.lua calls them, nobody
// else.
//
// Invariant: the type is an event of the world, and the system runs; event.lua checks both, and what the
// system declared, before each call.
#pragma once

#include "scripting/native_module.h"

#include <vector>

namespace perigee::internal {

std::vector<NativeFunction> event_functions();

}  // namespace perigee::internal
