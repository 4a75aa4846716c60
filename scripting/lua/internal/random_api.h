// The C functions of math.random and ctx.random. The first argument is a Random.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee::internal {

/// random_unit, random_range, random_integer, random_seed.
std::vector<NativeFunction> random_functions();

}  // namespace perigee::internal
