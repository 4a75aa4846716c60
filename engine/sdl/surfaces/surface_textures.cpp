// Static textures, written row by row.
#include "engine/sdl/surfaces/surface_textures.h"

#include "engine/draw/color.h"

#include <span>

namespace perigee {

void SurfaceTextures::update(SurfaceTable& surfaces) {
    if (surfaces.count() == 0 && textures_.empty()) return;
    textures_.resize(kEndOfSurfaces - kFirstSurface);
    for (std::uint32_t image = kFirstSurface; image < kEndOfSurfaces; ++image) {
        Entry& entry = textures_[surface_number(image)];
        Surface* const surface = surfaces.find(image);
        if (surface != nullptr)
            update_one(*surface, entry);
        else if (entry.serial != 0)
            entry = {};
    }
}

TextureHandle SurfaceTextures::make(const SurfaceDesc& desc) {
    TextureHandle texture{SDL_CreateTexture(&renderer_, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC,
                                            desc.width, desc.height)};
    if (texture)
        SDL_SetTextureScaleMode(
            texture.get(), desc.filter == SurfaceFilter::linear ? SDL_ScaleModeLinear : SDL_ScaleModeNearest);
    return texture;
}

void SurfaceTextures::write(SDL_Texture& texture, const PixelBuffer& pixels, std::size_t first_row,
                            std::size_t row_count, bool is_premultiplied) {
    const std::size_t width = pixels.width();
    std::span<const PackedColor> rows = pixels.pixels().subspan(first_row * width, row_count * width);
    if (is_premultiplied) {
        pixels_.assign(rows.begin(), rows.end());
        for (PackedColor& pixel : pixels_) pixel = premultiplied(pixel);
        rows = pixels_;
    }
    const SDL_Rect place{0, static_cast<int>(first_row), static_cast<int>(width),
                         static_cast<int>(row_count)};
    SDL_UpdateTexture(&texture, &place, rows.data(), static_cast<int>(width * sizeof(PackedColor)));
}

void SurfaceTextures::update_one(Surface& surface, Entry& entry) {
    if (entry.serial != surface.serial) {
        entry = {surface.serial, &surface, make(surface.desc), {}};
        surface.pixels->mark_all();
    }
    if (!entry.texture) return;
    surface.pixels->take_changes([&](std::size_t first, std::size_t count) {
        write(*entry.texture, *surface.pixels, first, count, false);
        if (entry.premultiplied) write(*entry.premultiplied, *surface.pixels, first, count, true);
    });
}

SDL_Texture* SurfaceTextures::texture_of(std::uint32_t image, bool is_premultiplied) {
    const std::size_t number = surface_number(image);
    if (number >= textures_.size()) return nullptr;
    Entry& entry = textures_[number];
    if (!is_premultiplied || !entry.texture) return entry.texture.get();
    if (!entry.premultiplied) {
        entry.premultiplied = make(entry.surface->desc);
        if (entry.premultiplied)
            write(*entry.premultiplied, *entry.surface->pixels, 0, entry.surface->desc.height, true);
    }
    return entry.premultiplied.get();
}

}  // namespace perigee
