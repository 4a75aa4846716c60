// The part of the Lua module "gfx" for fragment effects: typed C functions over the ShaderTable.
//
// Invariant: a number that is no shader changes nothing, and numbers come from the table alone. A mod that
// may not use shaders gets none from files. The Lua side is scripts/runtime/modules/gfx_shaders.lua.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee {

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_shader_functions();

}  // namespace perigee
