// The filter of a texture of SDL.
#pragma once

#include "engine/assets/image_sampling.h"

#include <SDL.h>

namespace perigee {

/// Sets it if it is another, and returns the texture, which may be null.
inline SDL_Texture* with_filter(SDL_Texture* texture, ImageFilter filter) noexcept {
    const SDL_ScaleMode mode = filter == ImageFilter::linear ? SDL_ScaleModeLinear : SDL_ScaleModeNearest;
    SDL_ScaleMode now = mode;
    if (texture != nullptr && SDL_GetTextureScaleMode(texture, &now) == 0 && now != mode)
        SDL_SetTextureScaleMode(texture, mode);
    return texture;
}

}  // namespace perigee
