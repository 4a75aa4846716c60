// The C functions through which Lua changes buffers. Only scripts/runtime/data/buffer.lua calls them.
//
// Invariant: every cell address came from one of them and is still valid; buffer.lua checks this before each
// call, together with indices and lengths.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee::internal {

std::vector<NativeFunction> buffer_functions();

}  // namespace perigee::internal
