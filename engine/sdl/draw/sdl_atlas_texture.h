// SdlAtlasTexture: the texture of a GlyphAtlas for SDL_Renderer. Filtering is linear, since large text is
// magnified.
#pragma once

#include "engine/draw/color.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/draw/texture_cache.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstdint>
#include <vector>

namespace perigee {

class SdlAtlasTexture : public AtlasTexture {
public:
    /// Lifetime: the renderer must outlive it.
    explicit SdlAtlasTexture(SDL_Renderer& renderer, PixelForm form = PixelForm::straight) noexcept
        : renderer_(renderer), form_(form) {}

    bool create(int side) override {
        texture_.reset(
            SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, side, side));
        if (texture_) SDL_SetTextureScaleMode(texture_.get(), SDL_ScaleModeLinear);
        return texture_ != nullptr;
    }
    void write(int x, int y, int width, int height, const std::uint32_t* pixels) override {
        const SDL_Rect target{x, y, width, height};
        if (form_ == PixelForm::premultiplied) {
            premultiplied_.assign(pixels, pixels + width * height);
            for (std::uint32_t& color : premultiplied_) color = premultiplied(color);
            pixels = premultiplied_.data();
        }
        SDL_UpdateTexture(texture_.get(), &target, pixels, width * 4);
    }

    /// Null if there is none. Lifetime: until create().
    SDL_Texture* get() const noexcept { return texture_.get(); }

private:
    SDL_Renderer& renderer_;
    PixelForm form_;
    std::vector<std::uint32_t> premultiplied_;  // of the glyph being written
    TextureHandle texture_;
};

}  // namespace perigee
