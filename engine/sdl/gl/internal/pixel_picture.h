// PixelPicture: a picture of pixel art at its logical size, and how it comes into the window.
//
// Invariant: at whole scales each of its pixels is a square of window pixels. At others the pixels keep their
// full colour, and only the window pixels on an edge between two of them mix the two (sharp bilinear). Not
// here: what is drawn into it.
// Source: "Sharp bilinear" of the libretro shaders, https://github.com/libretro/slang-shaders.
#pragma once

#include "engine/sdl/gl/gl_object.h"
#include "engine/sdl/gl/program.h"
#include "engine/sdl/window/letterbox.h"

#include <memory>

namespace perigee::gl {

class PixelPicture {
public:
    /// Gives it this size, with a stencil buffer. False: the driver cannot. Its contents are undefined.
    bool fit(PixelSize size);
    /// Expects: fit.
    GLuint framebuffer() const noexcept { return framebuffer_.name(); }

    /// Draws it into what is bound, which has this size, and switches blending on again.
    void show(const Letterbox& box, PixelSize target);

private:
    PixelSize size_;
    Texture texture_;
    Renderbuffer stencil_;
    Framebuffer framebuffer_;
    VertexArray array_;
    std::unique_ptr<Program> program_;  // made when it is first shown
};

}  // namespace perigee::gl
