// The modes that every driver has, then better ones.
#include "engine/sdl/draw/sdl_blend.h"

namespace perigee {

namespace {

SdlBlend common_blend(BlendMode mode) noexcept {
    switch (mode) {
        case BlendMode::add:
        case BlendMode::screen:
        case BlendMode::lighten:
            return {SDL_BLENDMODE_ADD, PixelForm::straight};
        case BlendMode::multiply:
        case BlendMode::subtract:
        case BlendMode::darken:
            return {SDL_BLENDMODE_MUL, PixelForm::premultiplied};
        case BlendMode::replace:
            return {SDL_BLENDMODE_NONE, PixelForm::premultiplied};
        case BlendMode::alpha:
            break;
    }
    return {SDL_BLENDMODE_BLEND, PixelForm::straight};
}

// The opacity of what is below stays.
SDL_BlendMode composed(SDL_BlendFactor source, SDL_BlendFactor target,
                       SDL_BlendOperation operation) noexcept {
    return SDL_ComposeCustomBlendMode(source, target, operation, SDL_BLENDFACTOR_ZERO, SDL_BLENDFACTOR_ONE,
                                      SDL_BLENDOPERATION_ADD);
}

}  // namespace

SdlBlends::SdlBlends(SDL_Renderer& renderer) noexcept {
    for (std::size_t i = 0; i < blends_.size(); ++i) blends_[i] = common_blend(static_cast<BlendMode>(i));
    const auto use = [&](BlendMode mode, SdlBlend better) {
        if (SDL_SetRenderDrawBlendMode(&renderer, better.mode) == 0)
            blends_[static_cast<std::size_t>(mode)] = better;
    };
    use(BlendMode::screen,
        {composed(SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_COLOR, SDL_BLENDOPERATION_ADD),
         PixelForm::premultiplied});
    use(BlendMode::subtract,
        {composed(SDL_BLENDFACTOR_SRC_ALPHA, SDL_BLENDFACTOR_ONE, SDL_BLENDOPERATION_REV_SUBTRACT),
         PixelForm::straight});
    use(BlendMode::lighten, {composed(SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE, SDL_BLENDOPERATION_MAXIMUM),
                             PixelForm::premultiplied});
    SDL_SetRenderDrawBlendMode(&renderer, SDL_BLENDMODE_NONE);
}

}  // namespace perigee
