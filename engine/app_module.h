// What the Lua module "app" is made of: the end of the run, and the window.
//
// Invariant: nothing is done at once; the program takes what was asked after the frame
// (engine/app_requests.h). Mods may use it when the player says so. The Lua side, which checks arguments, is
// scripts/runtime/app.lua.
#pragma once

#include "engine/app_requests.h"
#include "scripting/native_module.h"

namespace perigee {

/// One per mod. Lifetime: longer than the mod's Lua state.
struct AppContext {
    AppRequests& requests;
    bool is_allowed = false;  ///< the game itself, and mods that the player permits "app"
};

NativeModule app_module(AppContext& context);

}  // namespace perigee
