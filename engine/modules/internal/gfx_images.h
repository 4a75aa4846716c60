// The part of the Lua module "gfx" for images: their frames, and how they are sampled.
//
// Invariant: an image that does not exist changes nothing. What is changed here reaches the picture alone.
// The Lua side is scripts/runtime/modules/gfx_images.lua.
#pragma once

#include "scripting/base/native_module.h"

#include <vector>

namespace perigee {

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_image_functions();

}  // namespace perigee
