// Masks: shapes in the stencil buffer, which keep drawing inside or outside of them.
#include "engine/sdl/gl/gl_renderer.h"
#include "engine/sdl/gl/shaders.h"
#include "engine/sdl/window/error_codes.h"

#include <array>
#include <cstddef>
#include <utility>

namespace perigee::gl {

bool GlRenderer::has_stencil() {
    bool has = false;
    if (layers_.is_open()) {
        has = true;
    } else if (canvas_ != nullptr) {
        has = surfaces_.add_stencil(*canvas_);
    } else if (is_pixel_picture_) {
        has = true;
    } else {
        GLint bits = 0;
        glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, GL_STENCIL,
                                              GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, &bits);
        has = bits > 0;
    }
    if (!mask_passes_) mask_passes_ = std::make_unique<Passes>(&mask_source);
    has &= mask_passes_->make_all().empty();
    if (!has && !std::exchange(has_reported_masks_, true)) reports_.emplace_back(sdl_errors::kNoMasks);
    return has;
}

// In the stencil buffer, a pixel is as many as there are masks around it that it is in: each mask counts
// those up in which it and the ones before are. One that is inverted takes its own out: they become a number
// that no count reaches.
void GlRenderer::set_mask(const DrawList& list, std::uint32_t mask, const ImageTable& images,
                          const AssetStore& assets) {
    if (mask == 0 || !has_stencil()) {
        glDisable(GL_STENCIL_TEST);
        return;
    }
    std::array<std::uint32_t, DrawList::kMaxMaskDepth> outer_last{};
    std::size_t depth = 0;
    for (std::uint32_t number = mask; number != 0; number = list.mask(number).outer)
        outer_last[depth++] = number;
    glDisable(GL_SCISSOR_TEST);
    glStencilMask(0xFF);
    glClearStencil(0);
    glClear(GL_STENCIL_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_STENCIL_TEST);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    const Written items = items_;
    is_drawing_mask_ = true;
    GLint count = 0;
    while (depth > 0) {
        const DrawMask& one = list.mask(outer_last[--depth]);
        glStencilFunc(GL_EQUAL, count, 0xFF);
        glStencilOp(GL_KEEP, GL_KEEP, one.is_inverted ? GL_INVERT : GL_INCR);
        items_ = {};
        second_images_.load(*one.list, images, assets);
        draw_runs(*one.list, one.list->runs(), images, assets);
        if (!one.is_inverted) ++count;
    }
    is_drawing_mask_ = false;
    items_ = items;
    forget_batches();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilFunc(GL_EQUAL, count, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
}

}  // namespace perigee::gl
