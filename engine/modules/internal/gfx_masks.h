// The part of the Lua module "gfx" for masks: typed C functions over the Painter.
//
// Invariant: a mask that is begun is ended, at the latest when another mod draws or the frame ends. The Lua
// side is scripts/runtime/modules/gfx_masks.lua.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee {

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_mask_functions();
/// The numbers that they return.
std::vector<ScriptConstant> gfx_mask_constants();

}  // namespace perigee
