// From pixels to textures, and the placeholder.
#include "engine/sdl/draw/texture_cache.h"

#include "engine/assets/image_table.h"

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

SDL_Texture* TextureCache::texture_of(AssetHandle image, const AssetStore& assets) {
    if (!assets.is_handle(image)) return placeholder_.get();
    if (image >= textures_.size()) textures_.resize(std::size_t{image} + 1);
    Entry& entry = textures_[image];
    if (!entry.is_loaded) {
        entry.is_loaded = true;
        entry.texture = load(image, assets);
    }
    return entry.texture ? entry.texture.get() : placeholder_.get();
}

TextureHandle TextureCache::load(AssetHandle image, const AssetStore& assets) {
    const std::optional<LoadedPixels> loaded = loader_.load(image, assets);
    if (!loaded) return nullptr;
    // SDL only reads them.
    auto* const first = const_cast<std::uint8_t*>(loaded->rgba.data());
    const SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormatFrom(
        first, loaded->size.width, loaded->size.height, 32, loaded->size.width * 4, SDL_PIXELFORMAT_RGBA32)};
    TextureHandle texture;
    if (surface) texture.reset(SDL_CreateTextureFromSurface(&renderer_, surface.get()));
    if (!texture) {
        loader_.refuse(image, assets, *loaded, SDL_GetError());
        return nullptr;
    }
    SDL_SetTextureScaleMode(texture.get(), SDL_ScaleModeNearest);
    return texture;
}

}  // namespace perigee
