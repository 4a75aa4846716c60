// The part of the Lua module "gfx" for meshes: typed C functions over the MeshTable.
//
// Invariant: a mesh that is gone changes nothing. Meshes are made between steps or while the painter is open,
// never in a step, so that a step cannot find out how much room there is. The Lua side is
// scripts/runtime/modules/gfx_meshes.lua.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee {

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_mesh_functions();

}  // namespace perigee
