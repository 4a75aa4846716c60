// SdlMask: keeps drawing inside a mask, for SDL_Renderer, which has no stencil buffer.
//
//   begin  draws the mask into a texture, reads which pixels it lets through, and copies the target
//   …      the caller draws, anywhere within box()
//   end    restores the pixels outside the mask
//
// Invariant: drawing changes no pixel outside the mask, in any blend mode. Cost: three
// pictures of the mask's box are read. Not here: how items are drawn (renderer.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/mesh/view.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace perigee {

class SdlMask {
public:
    /// Lifetime: the renderer must outlive it.
    explicit SdlMask(SDL_Renderer& renderer) noexcept : renderer_(renderer) {}

    /// `within`: the part of the target that is drawn into. `draw` draws the list of a mask into what is the
    /// target then, in one colour blended by opacity. False: the driver cannot do it, and nothing changed.
    bool begin(const DrawList& list, std::uint32_t mask, const PixelBox& within,
               const std::function<void(const DrawList& mask)>& draw);
    void end();

    bool is_begun() const noexcept { return is_begun_; }
    /// Nothing outside of it may be drawn until end(). Empty: there is nothing to draw.
    const PixelBox& box() const noexcept { return box_; }

private:
    bool fit(PixelSize size);
    bool read(const PixelBox& box, std::vector<std::uint32_t>& pixels);
    void find_box(const PixelBox& within);

    SDL_Renderer& renderer_;
    PixelSize size_;          // of the textures
    TextureHandle coverage_;  // what masks are drawn into
    TextureHandle patch_;     // what is put back
    std::vector<std::uint32_t> pixels_;
    std::vector<std::uint32_t> before_;  // of the box
    std::vector<std::uint8_t> inside_;   // of what is drawn into, then of the box
    PixelBox box_;
    bool is_begun_ = false;
};

}  // namespace perigee
