// C functions for trusted Lua that resolve the handles of text and blob fields.
//
// Invariant: as required by scripting/base/native_module.h: noexcept, no Lua state, no calls into Lua. The
// addresses that they return never leave trusted files.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee::internal {

std::vector<NativeFunction> content_functions();

}  // namespace perigee::internal
