// The C functions through which Lua changes buffers: scripts/runtime/buffer.lua calls them, nobody else.
//
// Invariant: a cell address was given out by one of them and is still good; buffer.lua checks that before
// each call, together with indices and lengths.
#pragma once

#include "scripting/native_module.h"

#include <vector>

namespace perigee::internal {

std::vector<NativeFunction> buffer_functions();

}  // namespace perigee::internal
