// SurfaceTextures: the textures of surfaces, for SDL_Renderer.
//
// Invariant: after update() each surface has a texture with its contents, and nothing that is gone has one.
// Only rows that changed are copied. A surface for which there is no memory has the placeholder. Not here:
// textures of files (engine/sdl/draw/texture_cache.h).
#pragma once

#include "engine/sdl/window/internal/sdl_handle.h"
#include "engine/surfaces/canvas_contents.h"
#include "engine/surfaces/surface_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perigee {

class SurfaceTextures {
public:
    /// Lifetime: the renderer must outlive it.
    explicit SurfaceTextures(SDL_Renderer& renderer) noexcept : renderer_(renderer) {}

    /// `images`: how they are sampled.
    void update(SurfaceTable& surfaces, const ImageTable& images);

    /// Makes later drawing go into a canvas. False if it has no texture.
    bool bind_canvas(std::uint32_t canvas) noexcept;
    /// Copies another canvas into the one that is bound.
    void copy_canvas(const Surface& from) noexcept;
    /// Called when a canvas is complete, while it is bound: it can then be shown.
    void finish_canvas(const Surface& canvas);
    /// Called when all canvases of a frame are drawn: each canvas takes over its hidden content.
    void end_canvases(const SurfaceTable& surfaces) { contents_.remember(surfaces); }

    /// The contents of a canvas, row by row from the top; empty if it has no texture. Binds it. Lifetime:
    /// until the next call of any function.
    std::span<const PackedColor> read(const Surface& canvas);

    /// The texture of a surface, premultiplied if wanted. Null if there is none. Expects:
    /// is_surface(image), and it still exists. Lifetime: until update().
    SDL_Texture* texture_of(std::uint32_t image, bool is_premultiplied = false);

    void clear() noexcept {
        textures_.clear();
        contents_.clear();
    }

private:
    struct Entry {
        std::uint64_t serial = 0;  // of the surface; 0: none
        const Surface* surface = nullptr;
        ImageFilter filter = ImageFilter::nearest;
        TextureHandle texture;  // what is shown
        TextureHandle
            premultiplied;  // of a canvas: what is drawn into; of pixels: made when a blend mode needs it

        void exchange_content(Entry& other) noexcept {
            std::swap(texture, other.texture);
            std::swap(premultiplied, other.premultiplied);
        }
    };
    TextureHandle make(const SurfaceDesc& desc, SDL_TextureAccess access);
    void make_canvas(const Surface& surface, Entry& entry);
    void write(SDL_Texture& texture, const PixelBuffer& pixels, std::size_t first_row, std::size_t row_count,
               bool is_premultiplied);
    void update_one(Surface& surface, Entry& entry);

    SDL_Renderer& renderer_;
    std::vector<Entry> textures_;  // by surface_number
    CanvasContents contents_;
    std::vector<PackedColor> pixels_;
};

}  // namespace perigee
