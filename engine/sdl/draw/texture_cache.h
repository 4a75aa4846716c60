// TextureCache: the textures of image assets, loaded when first drawn.
//
// Invariant: every handle has a texture. A missing, broken or too large image has the placeholder,
// conspicuous magenta and black squares, and is reported once. It does not detect changed files; reload()
// drops all textures, and the next frame loads them again.
#pragma once

#include "engine/assets/assets.h"
#include "engine/assets/image_sampling.h"
#include "engine/sdl/draw/pixel_loader.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

/// Some blend modes need colours that are multiplied by their opacity.
enum class PixelForm : std::uint8_t { straight, premultiplied };
/// SDL's software renderer gives triangles whole pixels of a texture, and leaves the last ones out. An image
/// whose pixels are repeated loses only a fraction of a pixel.
enum class PixelSteps : std::uint8_t { whole, fine };

class TextureCache {
public:
    /// Lifetime: the renderer and the decoder must outlive the cache.
    TextureCache(SDL_Renderer& renderer, Decoder& decoder);

    static constexpr int kFineSide = 256;                                  ///< of textures with fine steps
    static constexpr std::size_t kMaxFinePixels = std::size_t{16} << 20U;  ///< all of them; then none is made

    /// Never null, if SDL has memory for a 16 x 16 texture. Each form in use has a texture of its own.
    /// Lifetime: until reload().
    SDL_Texture* texture_of(AssetHandle image, const AssetStore& assets, PixelForm form = PixelForm::straight,
                            PixelSteps steps = PixelSteps::whole, ImageFilter filter = ImageFilter::nearest);

    void reload() noexcept {
        textures_.clear();
        fine_pixels_ = 0;
        loader_.clear();
    }

    /// One message per existing image that cannot be shown.
    std::vector<std::string> take_reports() { return loader_.take_reports(); }

private:
    struct Entry {
        bool cannot_be_shown = false;  // the placeholder is
        bool is_large = false;         // for fine steps
        TextureHandle whole[2];        // by PixelForm; null: not loaded yet
        TextureHandle fine[2];
    };
    TextureHandle load(AssetHandle image, const AssetStore& assets, PixelForm form, int repeats);
    int repeats_of(int width, int height) noexcept;

    SDL_Renderer& renderer_;
    PixelLoader loader_;
    TextureHandle placeholder_;
    std::vector<Entry> textures_;  // by asset handle
    std::size_t fine_pixels_ = 0;
    std::vector<std::uint32_t> pixels_;  // of the image that is loaded
};

}  // namespace perigee
