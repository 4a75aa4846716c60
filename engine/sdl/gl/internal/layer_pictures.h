// LayerPictures: offscreen pictures for layers that are drawn as a whole.
//
// Invariant: a picture has the size and the coordinates of the target onto which it is drawn afterwards.
// Later layers reuse it. A picture that one frame does not use is deleted. Not here: drawing (gl_renderer.h).
#pragma once

#include "engine/sdl/gl/gl_object.h"
#include "engine/sdl/window/letterbox.h"

#include <cstddef>
#include <vector>

namespace perigee::gl {

class LayerPictures {
public:
    void begin_frame();

    /// Binds a picture of this size, with a stencil buffer; what is in it is undefined. False: the driver
    /// cannot, and nothing changed but what is bound.
    bool begin(PixelSize size);
    /// The picture that the last begin() opened, which is closed now: its texture, with its first row at the
    /// bottom. `is_smooth`: places between pixels mix them. Lifetime: until the next begin().
    GLuint end(bool is_smooth);

    bool is_open() const noexcept { return !open_.empty(); }
    /// The framebuffer of the picture that was opened last.
    GLuint framebuffer() const noexcept { return pictures_[open_.back()].framebuffer.name(); }

private:
    struct Picture {
        PixelSize size;
        Texture texture;
        Renderbuffer stencil;
        Framebuffer framebuffer;
        bool is_open = false;
        bool is_used = false;  // in this frame
    };
    static bool make(Picture& picture, PixelSize size);

    std::vector<Picture> pictures_;
    std::vector<std::size_t> open_;
};

}  // namespace perigee::gl
