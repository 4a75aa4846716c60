// From pixels to textures, and the placeholder.
#include "engine/sdl/draw/texture_cache.h"

#include "engine/assets/image_table.h"
#include "engine/draw/color.h"
#include "engine/sdl/window/internal/sdl_filter.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace perigee {

namespace {

TextureHandle make_placeholder(SDL_Renderer& renderer) {
    constexpr int kSide = ImageTable::kPlaceholderPixels;
    constexpr int kSquare = kSide / 2;
    SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormat(0, kSide, kSide, 32, SDL_PIXELFORMAT_RGBA32)};
    if (!surface) return nullptr;
    const SDL_Rect squares[] = {{0, 0, kSquare, kSquare}, {kSquare, kSquare, kSquare, kSquare}};
    SDL_FillRect(surface.get(), nullptr, SDL_MapRGBA(surface->format, 0, 0, 0, 255));
    SDL_FillRects(surface.get(), squares, 2, SDL_MapRGBA(surface->format, 255, 0, 255, 255));
    return TextureHandle{SDL_CreateTextureFromSurface(&renderer, surface.get())};
}

}  // namespace

TextureCache::TextureCache(SDL_Renderer& renderer, Decoder& decoder)
    : renderer_(renderer), loader_(decoder), placeholder_(make_placeholder(renderer)) {}

SDL_Texture* TextureCache::texture_of(AssetHandle image, const AssetStore& assets, PixelForm form,
                                      PixelSteps steps, ImageFilter filter) {
    if (!assets.is_handle(image)) return placeholder_.get();
    if (image >= textures_.size()) textures_.resize(std::size_t{image} + 1);
    Entry& entry = textures_[image];
    TextureHandle& texture = entry.whole[static_cast<std::size_t>(form)];
    if (!texture && !entry.cannot_be_shown) {
        texture = load(image, assets, form, 1);
        entry.cannot_be_shown = texture == nullptr;
    }
    if (!texture) return placeholder_.get();
    if (steps == PixelSteps::whole || entry.is_large) return with_filter(texture.get(), filter);

    TextureHandle& fine = entry.fine[static_cast<std::size_t>(form)];
    if (!fine) {
        int width = 0, height = 0;
        SDL_QueryTexture(texture.get(), nullptr, nullptr, &width, &height);
        const int repeats = repeats_of(width, height);
        if (repeats > 1) fine = load(image, assets, form, repeats);
        entry.is_large = fine == nullptr;
    }
    return with_filter(fine ? fine.get() : texture.get(), filter);
}

// 1 if the texture would be too large.
int TextureCache::repeats_of(int width, int height) noexcept {
    const int repeats = kFineSide / std::max({width, height, 1});
    const auto pixels =
        static_cast<std::size_t>(width * repeats) * static_cast<std::size_t>(height * repeats);
    if (repeats < 2 || pixels > kMaxFinePixels - fine_pixels_) return 1;
    fine_pixels_ += pixels;
    return repeats;
}

TextureHandle TextureCache::load(AssetHandle image, const AssetStore& assets, PixelForm form, int repeats) {
    const std::optional<LoadedPixels> loaded = loader_.load(image, assets);
    if (!loaded) return nullptr;
    const int width = static_cast<int>(loaded->size.width) * repeats;
    const int height = static_cast<int>(loaded->size.height) * repeats;
    // SDL only reads them.
    void* pixels = const_cast<std::uint8_t*>(loaded->rgba.data());
    if (form == PixelForm::premultiplied || repeats > 1) {
        pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        auto* to = pixels_.data();
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x, ++to) {
                const int from = y / repeats * static_cast<int>(loaded->size.width) + x / repeats;
                std::memcpy(to, loaded->rgba.data() + static_cast<std::size_t>(from) * sizeof *to,
                            sizeof *to);
                if (form == PixelForm::premultiplied) *to = premultiplied(*to);
            }
        pixels = pixels_.data();
    }
    const SurfaceHandle surface{
        SDL_CreateRGBSurfaceWithFormatFrom(pixels, width, height, 32, width * 4, SDL_PIXELFORMAT_RGBA32)};
    TextureHandle texture;
    if (surface) texture.reset(SDL_CreateTextureFromSurface(&renderer_, surface.get()));
    pixels_.clear();
    if (!texture) {
        loader_.refuse(image, assets, *loaded, SDL_GetError());
        return nullptr;
    }
    return texture;
}

}  // namespace perigee
