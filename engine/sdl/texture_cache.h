// TextureCache: the textures of image assets, loaded when first drawn.
//
// Invariant: every handle has a texture. What is missing, broken or too large has the placeholder, magenta
// and black squares that nobody overlooks, and is reported once. Sampling is nearest. It never looks whether
// a file has changed; reload() forgets all, and the next frame loads anew.
#pragma once

#include "ecs/divided_pool.h"
#include "engine/assets.h"
#include "engine/decoder.h"
#include "engine/sdl/internal/sdl_handle.h"

#include <string>
#include <utility>
#include <vector>

namespace perigee {

class TextureCache {
public:
    /// Lifetime: the renderer and the decoder outlive the cache.
    TextureCache(SDL_Renderer& renderer, Decoder& decoder);

    /// Never null, if SDL has memory for a 16 x 16 texture. Lifetime: until reload().
    SDL_Texture* texture_of(AssetHandle image, const AssetStore& assets);

    void reload() noexcept {
        textures_.clear();
        pixels_.clear();
    }

    /// Of all images together, 4 bytes each: a square of 16384, the largest that an image may be. Divided between
    /// the game and its mods, whose files they are.
    static constexpr std::size_t kMostPixels = std::size_t{16384} * 16384;

    /// One message per image that is there and cannot be shown.
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    struct Entry {
        bool is_loaded = false;
        TextureHandle texture;  // null: the placeholder
    };
    TextureHandle load(AssetHandle image, const AssetStore& assets);
    Result<TextureHandle> decoded(AssetHandle image, const AssetStore& assets);

    SDL_Renderer& renderer_;
    Decoder& decoder_;
    TextureHandle placeholder_;
    std::vector<Entry> textures_;  // by asset handle
    DividedPool pixels_{kMostPixels};
    std::vector<std::string> reports_;
};

}  // namespace perigee
