// The part of the Lua module "gfx" for images that a game makes itself: typed C functions over the
// SurfaceTable.
//
// Invariant: an image that is no surface, or is gone, changes nothing. Surfaces are made between steps or
// while the painter is open, never in a step, so that a step cannot find out how much room there is. The Lua
// side is scripts/runtime/modules/gfx_surfaces.lua.
#pragma once

#include "scripting/base/native_module.h"

#include <cstdint>
#include <vector>

namespace perigee {

/// Canvases that may be saved at once. After them one per kFramesPerPicture frames, since each waits for the
/// disk.
inline constexpr std::uint64_t kPictureBurst = 5;
inline constexpr std::uint64_t kFramesPerPicture = 30;

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_surface_functions();
/// The results of these functions, for the Lua side.
std::vector<ScriptConstant> gfx_surface_constants();

}  // namespace perigee
