// SdlBlends: what each blend mode is for an SDL_Renderer.
//
//   mode       where the driver can         else, as in software
//   alpha add multiply replace              all drivers can
//   screen     1 - (1 - a)(1 - b)           add
//   lighten    the larger of each channel   add
//   subtract   below - color                multiply
//   darken                                  multiply
//
// Invariant: what is invisible changes nothing, except with `replace`. A mode that a driver lacks becomes the
// nearest that is as light or as dark. `darken` would need colours mixed with white by their opacity, which
// no SDL driver can do.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/sdl/draw/texture_cache.h"

#include <SDL.h>

#include <array>

namespace perigee {

struct SdlBlend {
    SDL_BlendMode mode = SDL_BLENDMODE_BLEND;
    PixelForm form = PixelForm::straight;  ///< of colours and textures
};

class SdlBlends {
public:
    /// Asks the renderer what it can do.
    explicit SdlBlends(SDL_Renderer& renderer) noexcept;

    const SdlBlend& operator[](BlendMode mode) const noexcept {
        return blends_[static_cast<std::size_t>(mode)];
    }

private:
    std::array<SdlBlend, kBlendNames.size()> blends_;
};

}  // namespace perigee
