// The part of the Lua module "gfx" that defines animation clips, from numbers and from files of Aseprite.
//
// Invariant: as of gfx_module.h. The Lua side is scripts/runtime/modules/gfx_animation.lua. Not here: the
// advance of animations, which is a system (engine/extract/animation.h).
#pragma once

#include "engine/assets/aseprite.h"
#include "engine/extract/animation_clips.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

struct NativeModule;

/// The clip or the sheet that a script describes, call by call. One per mod.
struct ClipMaker {
    ClipDescription clip{};
    AsepriteSheet sheet{};
    std::vector<std::string> names{};  ///< of the clips made from the sheet's tags
    struct TagEvent {
        std::string tag;
        AnimationClip::Event event;
    };
    std::vector<TagEvent> events{};  ///< for the next sheet
};

/// Adds its functions. Expects: the module's context is a GfxContext.
void add_animation_functions(NativeModule& gfx);

}  // namespace perigee
