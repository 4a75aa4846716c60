// TextureCache: the textures of image assets, loaded when first drawn.
//
// Invariant: every handle has a texture. A missing, broken or too large image has the placeholder,
// conspicuous magenta and black squares, and is reported once. Sampling is nearest. It does not detect
// changed files; reload() drops all textures, and the next frame loads them again.
#pragma once

#include "engine/assets/assets.h"
#include "engine/sdl/draw/pixel_loader.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <string>
#include <vector>

namespace perigee {

class TextureCache {
public:
    /// Lifetime: the renderer and the decoder must outlive the cache.
    TextureCache(SDL_Renderer& renderer, Decoder& decoder);

    /// Never null, if SDL has memory for a 16 x 16 texture. Lifetime: until reload().
    SDL_Texture* texture_of(AssetHandle image, const AssetStore& assets);

    void reload() noexcept {
        textures_.clear();
        loader_.clear();
    }

    /// One message per existing image that cannot be shown.
    std::vector<std::string> take_reports() { return loader_.take_reports(); }

private:
    struct Entry {
        bool is_loaded = false;
        TextureHandle texture;  // null: the placeholder
    };
    TextureHandle load(AssetHandle image, const AssetStore& assets);

    SDL_Renderer& renderer_;
    PixelLoader loader_;
    TextureHandle placeholder_;
    std::vector<Entry> textures_;  // by asset handle
};

}  // namespace perigee
