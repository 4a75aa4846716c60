// Layers that are drawn as a whole: onto a picture of the size of the target, then as one mesh.
#include "engine/sdl/gl/gl_renderer.h"
#include "engine/sdl/gl/internal/clearing.h"
#include "engine/sdl/window/error_codes.h"

#include <utility>

namespace perigee::gl {

// A layer for which there is no picture is drawn like others.
bool GlRenderer::begin_layer(PackedColor background) {
    if (!layers_.begin(size_)) {
        bind_target();
        if (!std::exchange(has_reported_layers_, true)) reports_.emplace_back(sdl_errors::kNoLayers);
        return false;
    }
    glViewport(0, 0, size_.width, size_.height);
    glScissor(box_.x, size_.height - box_.y - box_.height, box_.width, box_.height);
    clear_to(background);
    return true;
}

// Points are pixels of the target, and places are those of its texture.
void GlRenderer::end_layer(const DrawList& list, const DrawPart& part, const ImageTable& images) {
    const GLuint texture = layers_.end(part.shader != 0);
    bind_target();
    const auto left = static_cast<float>(box_.x), top = static_cast<float>(box_.y);
    const auto right = static_cast<float>(box_.x + box_.width),
               bottom = static_cast<float>(box_.y + box_.height);
    const auto width = static_cast<float>(size_.width), height = static_cast<float>(size_.height);
    if (box_.width <= 0 || box_.height <= 0) return;
    const MeshPoint corners[] = {
        {left, top, 0, 0}, {right, top, 1, 0}, {right, bottom, 1, 1}, {left, bottom, 0, 1}};
    forget_batches();
    for (const std::size_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) points_.push_back(corners[corner]);
    add_batch({.kind = DrawKind::mesh,
               .blend = part.blend,
               .view = {},
               .clip = {box_.x, box_.y, box_.width, box_.height},
               .texture = texture,
               .stream = Stream::points,
               .first = 0,
               .count = points_.size(),
               .shader = part.shader,
               .is_premultiplied = true,
               .place = {.left = left / width,
                         .top = 1.0F - top / height,
                         .right = right / width,
                         .bottom = 1.0F - bottom / height}});
    draw_batches(list, images);
    forget_batches();
}

}  // namespace perigee::gl
