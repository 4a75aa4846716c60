// The C++ side of the Lua module "audio": requests to the AudioQueue.
//
// Invariant: scripts cannot query audio, so sound never influences the game. The Lua side is
// scripts/runtime/modules/audio.lua.
#pragma once

#include "engine/assets/assets.h"
#include "engine/audio/audio.h"
#include "scripting/base/native_module.h"

#include <string>

namespace perigee {

/// One per mod, since paths are relative to the mod. Lifetime: must outlive the mod's Lua state.
struct AudioContext {
    AudioQueue& queue;
    AssetStore& assets;
    MountId mount = 0;
    std::string error{};
};

NativeModule audio_module(AudioContext& context);

}  // namespace perigee
