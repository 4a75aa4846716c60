// The part of the Lua module "gfx" for layers: typed C functions over the LayerTable.
//
// Invariant: as of gfx_module.h. A mod declares and changes its own layers alone. The Lua side is
// scripts/runtime/modules/gfx_layers.lua. Not here: how layers are drawn (engine/draw/draw_list.h).
#pragma once

#include "engine/draw/layer_look.h"
#include "scripting/base/native_module.h"

#include <string>
#include <vector>

namespace perigee {

/// The layer that a script describes, call by call. One per mod.
struct LayerMaker {
    std::string prefix{};  ///< of the mod's names: "" for the game, "weather:" for a mod
    float home_x = 0.0F;   ///< where the camera is at first
    float home_y = 0.0F;
    LayerLook look{};
};

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_layer_functions();

}  // namespace perigee
