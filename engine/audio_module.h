// What the Lua module "audio" is made of: requests to the AudioQueue.
//
// Invariant: nothing can be asked back, so sound never influences the game. The Lua side is
// scripts/runtime/audio.lua.
#pragma once

#include "engine/assets.h"
#include "engine/audio.h"
#include "scripting/native_module.h"

#include <string>

namespace perigee {

/// One per mod, since paths are relative to the mod. Lifetime: longer than the mod's Lua state.
struct AudioContext {
    AudioQueue& queue;
    AssetStore& assets;
    MountId mount = 0;
    std::string error{};
};

NativeModule audio_module(AudioContext& context);

}  // namespace perigee
