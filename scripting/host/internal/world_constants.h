// The constants of worlds and their types, for the part "constants" of mods' states.
// Not here: those that every state needs (scripting/sandbox/internal/library_constants.h).
#pragma once

#include "scripting/base/script_constant.h"

#include <span>

namespace perigee::internal {

std::span<const ScriptConstant> world_constants();

}  // namespace perigee::internal
