// Pixels from the decoder's process, and the placeholder.
#include "engine/sdl/draw/texture_cache.h"

#include "engine/assets/image_size.h"
#include "engine/assets/image_table.h"
#include "engine/sdl/window/error_codes.h"

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

TextureCache::TextureCache(SDL_Renderer& renderer, Decoder& decoder)
    : renderer_(renderer), decoder_(decoder), placeholder_(make_placeholder(renderer)) {}

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
    Result<TextureHandle> texture = decoded(image, assets);
    if (texture) return std::move(texture).value();
    reports_.push_back(fmt::format(sdl_errors::kNoTexture, assets.name_of(image), texture.error().message));
    return nullptr;
}

Result<TextureHandle> TextureCache::decoded(AssetHandle image, const AssetStore& assets) {
    const Result<std::string> file = assets.read(image);
    if (!file) return file.error();
    // Before anything is decoded: a file of a few kilobytes may claim gigabytes of pixels.
    const std::optional<ImageSize> size = png_size(file.value());
    if (!size) return Error{sdl_errors::kNoPng};
    const std::size_t pixels = std::size_t{size->width} * size->height;
    pixels_.set_members(assets.mount_count());
    const MountId owner = assets[image].mount;
    if (pixels > pixels_.room(owner)) return Error{sdl_errors::kTooManyPixels};
    const Result<DecodedBytes> rgba = decoder_.image(file.value(), *size);
    if (!rgba) return rgba.error();
    // SDL only reads them.
    auto* const first = const_cast<std::uint8_t*>(rgba.value().data());
    const SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormatFrom(first, size->width, size->height, 32,
                                                                   size->width * 4, SDL_PIXELFORMAT_RGBA32)};
    TextureHandle texture;
    if (surface) texture.reset(SDL_CreateTextureFromSurface(&renderer_, surface.get()));
    if (!texture) return Error{SDL_GetError()};
    SDL_SetTextureScaleMode(texture.get(), SDL_ScaleModeNearest);
    static_cast<void>(pixels_.take(owner, pixels));
    return texture;
}

}  // namespace perigee
