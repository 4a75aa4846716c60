// A new pass of the canvas that is drawn into has the same list, so the painter only looks for its mask
// again.
#include "engine/surfaces/canvas_drawing.h"

namespace perigee {

// Not that of a view, which is drawn when all passes are known.
std::uint32_t CanvasDrawing::target() const noexcept {
    const Surface* const target = surfaces.find(painter.canvas());
    const bool is_live =
        target != nullptr && target->picture.list && painter.draws_into(*target->picture.list);
    return is_live ? target->image : 0;
}

std::uint32_t CanvasDrawing::pixels_of(std::uint32_t canvas) const noexcept {
    const SurfaceDesc& desc = surfaces.find(canvas)->desc;
    return std::uint32_t{desc.width} * desc.height;
}

Result<std::uint32_t> CanvasDrawing::draw_into(std::uint32_t canvas, std::uint32_t owner) const {
    painter.close_block();
    painter.end_mask();
    const Result<bool> is_new = surfaces.draw_into(canvas, images);
    if (!is_new) return is_new.error();
    painter.set_canvas(&surfaces.use_canvas(canvas), canvas, owner);
    return is_new.value() ? pixels_of(canvas) : 0;
}

void CanvasDrawing::leave() const {
    painter.set_canvas(nullptr, 0, 0);
    go_on();
}

void CanvasDrawing::go_on() const {
    painter.close_block();
    if (target() == 0) return;
    if (const Result<bool> is_new = surfaces.draw_into(target(), images); is_new && is_new.value())
        painter.list_began_anew();
}

Result<std::uint32_t> CanvasDrawing::clear(std::uint32_t canvas, PackedColor color) const {
    painter.close_block();  // it may hold items of the canvas
    const Result<bool> is_new = surfaces.draw_into(canvas, images);
    if (!is_new) return is_new.error();
    surfaces.clear_canvas(canvas, color);
    return is_new.value() ? pixels_of(canvas) : 0;
}

Result<CanvasDrawing::Shown> CanvasDrawing::show(std::uint32_t canvas) const {
    if (surfaces.is_older(target(), canvas)) painter.close_block();
    const Result<bool> is_new = show_in_list(canvas);
    if (!is_new) return is_new.error();
    return Shown{surfaces.content_of(canvas), is_new.value() ? pixels_of(painter.canvas()) : 0};
}

// A mask may be copied to later passes.
Result<bool> CanvasDrawing::show_in_list(std::uint32_t canvas) const {
    const Result<bool> is_new = surfaces.show_canvas(canvas, target(), painter.is_drawing_mask(), images);
    if (is_new && is_new.value()) painter.list_began_anew();
    return is_new;
}

Result<std::uint32_t> CanvasDrawing::shown_now(std::uint32_t image) const {
    if (!is_canvas(image) || surfaces.find(image) == nullptr) return image;
    if (image != painter.canvas())
        if (const Result<bool> is_new = show_in_list(image); !is_new) return is_new.error();
    return surfaces.content_of(image);
}

}  // namespace perigee
