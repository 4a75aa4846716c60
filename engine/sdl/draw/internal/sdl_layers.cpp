// Pixels are read as r, g, b, a in memory order.
#include "engine/sdl/draw/internal/sdl_layers.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace perigee {

namespace {

SDL_Rect place_of(const PixelBox& part) noexcept { return {part.x, part.y, part.width, part.height}; }

}  // namespace

void SdlLayers::begin_frame() {
    open_.clear();
    std::erase_if(pictures_, [](Picture& picture) {
        picture.is_open = false;
        return !std::exchange(picture.is_used, false);
    });
}

SdlLayers::Picture* SdlLayers::free_picture(PixelSize size) {
    const auto found = std::ranges::find_if(
        pictures_, [size](const Picture& picture) { return !picture.is_open && picture.size == size; });
    if (found != pictures_.end()) return &*found;
    Picture made;
    made.size = size;
    made.drawn.reset(SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET,
                                       size.width, size.height));
    if (!made.drawn) return nullptr;
    return &pictures_.emplace_back(std::move(made));
}

bool SdlLayers::begin(PackedColor background) {
    PixelSize size;
    if (SDL_GetRendererOutputSize(&renderer_, &size.width, &size.height) != 0) return false;
    Picture* const picture = free_picture(size);
    if (picture == nullptr) return false;
    SDL_Texture* const target = SDL_GetRenderTarget(&renderer_);
    if (SDL_SetRenderTarget(&renderer_, picture->drawn.get()) != 0) return false;
    picture->is_open = picture->is_used = true;
    open_.push_back({static_cast<std::size_t>(picture - pictures_.data()), target});
    SDL_RenderSetClipRect(&renderer_, nullptr);
    const PackedColor color = premultiplied(background);
    const auto channel = [color](unsigned shift) { return static_cast<std::uint8_t>(color >> shift); };
    SDL_SetRenderDrawColor(&renderer_, channel(0), channel(8), channel(16), channel(24));
    SDL_RenderClear(&renderer_);
    return true;
}

// Null: it cannot be read.
SDL_Texture* SdlLayers::straight_of(Picture& picture, const PixelBox& part) {
    if (!picture.straight)
        picture.straight.reset(SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC,
                                                 picture.size.width, picture.size.height));
    pixels_.resize(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height));
    const SDL_Rect place = place_of(part);
    const int pitch = part.width * static_cast<int>(sizeof(PackedColor));
    SDL_RenderSetClipRect(&renderer_, nullptr);
    if (!picture.straight ||
        SDL_RenderReadPixels(&renderer_, &place, SDL_PIXELFORMAT_RGBA32, pixels_.data(), pitch) != 0)
        return nullptr;
    for (PackedColor& pixel : pixels_) pixel = unpremultiplied(pixel);
    SDL_UpdateTexture(picture.straight.get(), &place, pixels_.data(), pitch);
    return picture.straight.get();
}

void SdlLayers::end(const PixelBox& part, const SdlBlend& blend) {
    const Open open = open_.back();
    open_.pop_back();
    Picture& picture = pictures_[open.picture];
    picture.is_open = false;
    const bool is_seen = part.width > 0 && part.height > 0;
    SDL_Texture* texture = picture.drawn.get();
    if (is_seen && blend.form == PixelForm::straight) texture = straight_of(picture, part);
    SDL_SetRenderTarget(&renderer_, open.target);
    if (!is_seen || texture == nullptr) return;
    const SDL_Rect place = place_of(part);
    SDL_RenderSetClipRect(&renderer_, &place);
    SDL_SetTextureBlendMode(texture, blend.mode);
    SDL_RenderCopy(&renderer_, texture, &place, &place);
}

}  // namespace perigee
