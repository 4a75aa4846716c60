// Decoding with SDL_image, and the placeholder.
#include "engine/sdl/texture_cache.h"

#include "engine/image_size.h"
#include "engine/image_table.h"
#include "engine/sdl/error_codes.h"

#include <SDL_image.h>
#include <fmt/format.h>

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

TextureCache::TextureCache(SDL_Renderer& renderer)
    : renderer_(renderer), placeholder_(make_placeholder(renderer)) {}

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
    if (assets[image].is_missing) return nullptr;  // the store reports it
    const Result<std::string> bytes = assets.read(image);
    TextureHandle texture;
    if (bytes) {
        // Before anything is decoded: a file of some kilobytes may say that it is gigabytes of pixels.
        const std::optional<ImageSize> size = png_size(bytes.value());
        const std::size_t pixels = size ? std::size_t{size->width} * size->height : 0;
        if (!size || pixels > kMostPixels - pixels_) {
            reports_.push_back(fmt::format(sdl_errors::kNoTexture, assets.name_of(image),
                                           size ? sdl_errors::kTooManyPixels : sdl_errors::kNoPng));
            return nullptr;
        }
        SDL_RWops* stream = SDL_RWFromConstMem(bytes.value().data(), static_cast<int>(bytes.value().size()));
        const SurfaceHandle surface{IMG_Load_RW(stream, 1)};
        if (surface) texture.reset(SDL_CreateTextureFromSurface(&renderer_, surface.get()));
        if (texture) {
            SDL_SetTextureScaleMode(texture.get(), SDL_ScaleModeNearest);
            pixels_ += pixels;
            return texture;
        }
    }
    reports_.push_back(fmt::format(sdl_errors::kNoTexture, assets.name_of(image),
                                   bytes ? SDL_GetError() : bytes.error().message));
    return nullptr;
}

}  // namespace perigee
