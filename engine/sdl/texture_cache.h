// TextureCache: the textures of image assets, loaded when first drawn.
//
// Invariant: every handle has a texture. What is missing, broken or too large has the placeholder, magenta
// and black squares that nobody overlooks, and is reported once. Sampling is nearest. It never looks whether
// a file has changed; reload() forgets all, and the next frame loads anew.
#pragma once

#include "engine/assets.h"
#include "engine/sdl/internal/sdl_handle.h"

#include <string>
#include <utility>
#include <vector>

namespace perigee {

class TextureCache {
public:
    /// Lifetime: the renderer outlives the cache.
    explicit TextureCache(SDL_Renderer& renderer);

    /// Never null, if SDL has memory for a 16 x 16 texture. Lifetime: until reload().
    SDL_Texture* texture_of(AssetHandle image, const AssetStore& assets);

    void reload() noexcept { textures_.clear(); }

    /// One message per image that is there and cannot be shown.
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    struct Entry {
        bool is_loaded = false;
        TextureHandle texture;  // null: the placeholder
    };
    TextureHandle load(AssetHandle image, const AssetStore& assets);

    SDL_Renderer& renderer_;
    TextureHandle placeholder_;
    std::vector<Entry> textures_;  // by asset handle
    std::vector<std::string> reports_;
};

}  // namespace perigee
