// Static textures, written row by row.
#include "engine/sdl/surfaces/surface_textures.h"

#include "engine/draw/color.h"
#include "engine/sdl/window/internal/sdl_filter.h"

#include <span>

namespace perigee {

void SurfaceTextures::update(SurfaceTable& surfaces, const ImageTable& images) {
    if (surfaces.count() == 0 && textures_.empty()) return;
    textures_.resize(kEndOfSurfaces - kFirstSurface);
    contents_.exchange_after_frame(
        surfaces, [this](std::uint32_t image) -> Entry& { return textures_[surface_number(image)]; });
    for (std::uint32_t image = kFirstSurface; image < kEndOfSurfaces; ++image) {
        Entry& entry = textures_[surface_number(image)];
        Surface* const surface = surfaces.find(image);
        if (surface != nullptr) {
            update_one(*surface, entry);
            entry.filter = images.sampling_of(image).filter;
        } else if (entry.serial != 0) {
            entry = {};
        }
    }
}

TextureHandle SurfaceTextures::make(const SurfaceDesc& desc, SDL_TextureAccess access) {
    const SDL_PixelFormatEnum format =
        access == SDL_TEXTUREACCESS_TARGET ? SDL_PIXELFORMAT_ARGB8888 : SDL_PIXELFORMAT_RGBA32;
    return TextureHandle{SDL_CreateTexture(&renderer_, format, access, desc.width, desc.height)};
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
        entry = {
            surface.serial, &surface, ImageFilter::nearest, make(surface.desc, SDL_TEXTUREACCESS_STATIC), {}};
        if (surface.pixels)
            surface.pixels->mark_all();
        else if (entry.texture)
            make_canvas(surface, entry);
    }
    if (!entry.texture || !surface.pixels) return;
    surface.pixels->take_changes([&](std::size_t first, std::size_t count) {
        write(*entry.texture, *surface.pixels, first, count, false);
        if (entry.premultiplied) write(*entry.premultiplied, *surface.pixels, first, count, true);
    });
}

// Transparent at first.
void SurfaceTextures::make_canvas(const Surface& surface, Entry& entry) {
    const SurfaceDesc& desc = surface.desc;
    pixels_.assign(std::size_t{desc.width} * desc.height, 0);
    SDL_UpdateTexture(entry.texture.get(), nullptr, pixels_.data(),
                      desc.width * static_cast<int>(sizeof(PackedColor)));
    entry.premultiplied = make(desc, SDL_TEXTUREACCESS_TARGET);
    if (bind_canvas(surface.image)) {
        SDL_SetRenderDrawColor(&renderer_, 0, 0, 0, 0);
        SDL_RenderClear(&renderer_);
        SDL_SetRenderTarget(&renderer_, nullptr);
    }
}

bool SurfaceTextures::bind_canvas(std::uint32_t canvas) noexcept {
    SDL_Texture* const target = textures_[surface_number(canvas)].premultiplied.get();
    return target != nullptr && SDL_SetRenderTarget(&renderer_, target) == 0;
}

void SurfaceTextures::copy_canvas(const Surface& from) noexcept {
    SDL_Texture* const source = textures_[surface_number(from.image)].premultiplied.get();
    if (source == nullptr) return;
    SDL_SetTextureBlendMode(source, SDL_BLENDMODE_NONE);
    SDL_SetTextureColorMod(source, 255, 255, 255);
    SDL_SetTextureAlphaMod(source, 255);
    SDL_RenderCopy(&renderer_, source, nullptr, nullptr);
}

void SurfaceTextures::finish_canvas(const Surface& canvas) {
    const std::span<const PackedColor> pixels = read(canvas);
    if (pixels.empty()) return;
    SDL_UpdateTexture(textures_[surface_number(canvas.image)].texture.get(), nullptr, pixels.data(),
                      canvas.desc.width * static_cast<int>(sizeof(PackedColor)));
}

std::span<const PackedColor> SurfaceTextures::read(const Surface& canvas) {
    if (!bind_canvas(canvas.image)) return {};
    const int pitch = canvas.desc.width * static_cast<int>(sizeof(PackedColor));
    pixels_.resize(std::size_t{canvas.desc.width} * canvas.desc.height);
    SDL_RenderSetClipRect(&renderer_, nullptr);
    if (SDL_RenderReadPixels(&renderer_, nullptr, SDL_PIXELFORMAT_RGBA32, pixels_.data(), pitch) != 0)
        return {};
    for (PackedColor& pixel : pixels_) pixel = unpremultiplied(pixel);
    return pixels_;
}

SDL_Texture* SurfaceTextures::texture_of(std::uint32_t image, bool is_premultiplied) {
    const std::size_t number = surface_number(image);
    if (number >= textures_.size()) return nullptr;
    Entry& entry = textures_[number];
    if (!is_premultiplied || !entry.texture) return with_filter(entry.texture.get(), entry.filter);
    if (!entry.premultiplied && entry.surface->pixels) {
        entry.premultiplied = make(entry.surface->desc, SDL_TEXTUREACCESS_STATIC);
        if (entry.premultiplied)
            write(*entry.premultiplied, *entry.surface->pixels, 0, entry.surface->desc.height, true);
    }
    return with_filter(entry.premultiplied.get(), entry.filter);
}

}  // namespace perigee
