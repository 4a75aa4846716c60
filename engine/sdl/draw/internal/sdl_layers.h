// SdlLayers: offscreen pictures for layers that are drawn as a whole, with SDL_Renderer.
//
// Invariant: a picture has the size and the coordinates of the target onto which it is drawn afterwards.
// Later layers reuse it. A picture that one frame does not use is deleted. Not here: drawing (renderer.h).
#pragma once

#include "engine/draw/color.h"
#include "engine/sdl/draw/sdl_blend.h"
#include "engine/sdl/mesh/view.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstddef>
#include <vector>

namespace perigee {

class SdlLayers {
public:
    /// Lifetime: the renderer must outlive it.
    explicit SdlLayers(SDL_Renderer& renderer) noexcept : renderer_(renderer) {}

    void begin_frame();
    /// Later drawing goes onto a picture of this colour. False: the driver cannot do it, and nothing changed.
    bool begin(PackedColor background);
    /// Draws the part of the last picture that is open onto what was the target before. The clip rectangle is
    /// that part then. Cost: the part is read, unless the blend mode wants premultiplied colours.
    void end(const PixelBox& part, const SdlBlend& blend);

private:
    struct Picture {
        PixelSize size;
        TextureHandle drawn;     // what is drawn onto; its colours are premultiplied
        TextureHandle straight;  // the same for blend modes that want them so
        bool is_open = false;
        bool is_used = false;  // in this frame
    };
    struct Open {
        std::size_t picture = 0;
        SDL_Texture* target = nullptr;  // before
    };
    Picture* free_picture(PixelSize size);
    SDL_Texture* straight_of(Picture& picture, const PixelBox& part);

    SDL_Renderer& renderer_;
    std::vector<Picture> pictures_;
    std::vector<Open> open_;
    std::vector<PackedColor> pixels_;
};

}  // namespace perigee
