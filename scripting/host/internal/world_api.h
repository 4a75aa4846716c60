// The C functions through which compiled Lua reaches the world: component access by entity, structural change
// outside systems, commands inside. Direct calls, about 1.5 ns each plus the work.
//
// Invariant: arguments were checked by the trusted Lua that calls them (component numbers and addresses are
// real, the phase allows the call); entities may be any number, dead or invalid. No exceptions and no Lua in
// here.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee::internal {

/// world_* take a World, command_* a ScriptSystem.
std::vector<NativeFunction> world_functions();

}  // namespace perigee::internal
