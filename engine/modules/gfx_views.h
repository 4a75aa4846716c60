// The part of the Lua module "gfx" for cameras: typed C functions over the ViewTable.
//
// Invariant: scripts see views as the last step left them, and never a shake. Only drawing sees the views of
// the frame. The Lua side is scripts/runtime/modules/gfx_views.lua.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee {

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_view_functions();
/// The numbers that they return.
std::vector<ScriptConstant> gfx_view_constants();

}  // namespace perigee
