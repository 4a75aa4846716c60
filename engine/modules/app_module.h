// The C++ side of the Lua module "app": ending the run, and the window.
//
// Invariant: nothing happens at once; the program takes the requests after the frame
// (engine/modules/app_requests.h). Mods may use it with the player's permission. The Lua side, which checks
// arguments, is scripts/runtime/modules/app.lua.
#pragma once

#include "engine/modules/app_requests.h"
#include "scripting/base/native_module.h"

#include <cstddef>

namespace perigee {

inline constexpr std::size_t kMaxTitleBytes = 200;  ///< of a window

/// One per mod. Lifetime: must outlive the mod's Lua state.
struct AppContext {
    AppRequests& requests;
    bool is_allowed = false;  ///< the game itself, and mods that the player permits "app"
};

NativeModule app_module(AppContext& context);

}  // namespace perigee
