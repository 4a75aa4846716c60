// The C functions of math.random and ctx.random. The first argument is a Random. Not here: the algorithm
// (ecs/base/random.h), and checks of the arguments (scripts/runtime).
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee::internal {

/// random_unit, random_range, random_integer, random_seed.
std::vector<NativeFunction> random_functions();

}  // namespace perigee::internal
