// The part of the Lua module "gfx" for texts: fonts, markup, and what a text measures.
//
// Invariant: as of gfx_module.h. A number that is no font is the default font. The Lua side is
// scripts/runtime/modules/gfx_text.lua.
#pragma once

#include "engine/fonts/font_table.h"
#include "scripting/base/native_module.h"

#include <memory>
#include <string>
#include <vector>

namespace perigee {

/// What a script describes, call by call. One per mod.
struct FontMaker {
    FontDescription description{};
    std::string prefix{};   ///< of the icons of a mod
    std::string icon{};     ///< the name of the last one, with the prefix
    std::string wrapped{};  ///< the last text that was asked for in lines
};

/// Their context is a GfxContext.
std::vector<NativeFunction> gfx_text_functions();

}  // namespace perigee
