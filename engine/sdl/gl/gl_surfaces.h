// GlSurfaces: the textures of surfaces, for OpenGL.
//
// Invariant: after update() each surface has a texture with its contents, and nothing that is gone has one.
// Only rows that changed are copied. A surface that the card cannot take has the placeholder, a magenta
// pixel. Not here: images of files (image_pages.h).
#pragma once

#include "engine/sdl/gl/gl_object.h"
#include "engine/surfaces/canvas_contents.h"
#include "engine/surfaces/surface_table.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perigee::gl {

class GlSurfaces {
public:
    /// Expects: a current context.
    GlSurfaces();

    /// `images`: how they are sampled.
    void update(SurfaceTable& surfaces, const ImageTable& images);

    /// Makes later drawing go into a canvas. False if it has no texture.
    bool bind_canvas(std::uint32_t canvas) const noexcept;
    /// The canvas that is bound has a stencil buffer from now on. False if the driver cannot make one.
    bool add_stencil(const Surface& canvas);
    /// Copies one canvas into another of the same size and kind, which stays bound. The first one is still
    /// shown, but not drawn into until the contents are exchanged.
    void copy_canvas(const Surface& from, const Surface& to) noexcept;
    /// Called when a canvas is complete: its texture can then be shown.
    void finish_canvas(const Surface& surface) const noexcept;
    /// Called when all canvases of a frame are drawn: each canvas takes over its hidden content.
    void end_canvases(const SurfaceTable& surfaces) { contents_.remember(surfaces); }

    /// The contents of a canvas, row by row from the top; empty if it has no texture. Waits for the card.
    /// Lifetime: until the next call.
    std::span<const PackedColor> read(const Surface& canvas);

    /// Expects: is_surface(image). Lifetime: until update().
    GLuint texture_of(std::uint32_t image) const noexcept;

    void clear() noexcept {
        surfaces_.clear();
        contents_.clear();
    }

private:
    struct Entry {
        std::uint64_t serial = 0;  // of the surface; 0: none
        ImageSampling sampling;    // of the texture
        Texture texture;
        Framebuffer target;        // of canvases: the texture
        Renderbuffer samples;      // of canvases with smooth edges
        Framebuffer many_samples;  // the same
        Renderbuffer stencil;      // of canvases into which masks were drawn

        void exchange_content(Entry& other) noexcept {
            std::swap(*this, other);
            std::swap(serial, other.serial);
        }
    };
    void make(const Surface& surface, Entry& entry) const;
    static void copy(GLuint from, GLuint to, const SurfaceDesc& desc) noexcept;
    static void set_sampling(Entry& entry, ImageSampling sampling);
    void make_targets(const SurfaceDesc& desc, Entry& entry) const;
    void update_one(Surface& surface, Entry& entry);

    int max_side_ = 0;
    int max_samples_ = 0;
    Texture placeholder_;
    std::vector<Entry> surfaces_;  // by surface_number
    CanvasContents contents_;
    std::vector<PackedColor> pixels_;
};

}  // namespace perigee::gl
