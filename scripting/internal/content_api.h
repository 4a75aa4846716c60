// C functions for trusted Lua around texts and blobs: what the handles in text and blob fields mean.
//
// Invariant: as scripting/native_module.h asks: noexcept, no Lua state, never back into Lua. Addresses that
// they give stay with trusted files.
#pragma once

#include "scripting/native_module.h"

#include <vector>

namespace perigee::internal {

std::vector<NativeFunction> content_functions();

}  // namespace perigee::internal
