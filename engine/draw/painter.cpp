// Each call becomes one item. Items with NaN or infinity are dropped here, so back ends need not check.
#include "engine/draw/painter.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

std::uint8_t bits(BlendMode blend) noexcept { return static_cast<std::uint8_t>(blend); }

std::uint8_t bits(TextAlign align) noexcept {
    return static_cast<std::uint8_t>(static_cast<unsigned>(align) << kDrawAlignShift);
}

}  // namespace

void Painter::begin_frame(DrawList& list, const ImageTable& images) noexcept {
    *this = Painter{};
    list_ = &list;
    images_ = &images;
}

bool Painter::may_draw(const DrawItem& item, std::size_t text_length) noexcept {
    if (budget_ == nullptr) return true;
    DrawSurface surface = surface_;
    surface.zoom = list_->immediate_state().camera.zoom;
    if (!budget_->take(item, surface, text_length)) is_refused_ = true;
    return !is_refused_;
}

void Painter::add(DrawItem item, std::uint32_t image, std::size_t text_length) {
    ECS_EXPECTS(is_open());
    if (placed_) put_in_place(item);
    if (!std::isfinite(item.x) || !std::isfinite(item.y) || !std::isfinite(item.w) || !std::isfinite(item.h))
        return;
    item.color = color;
    item.flags |= bits(blend);
    if (placed_ ? placed_->is_screen : is_screen) item.flags |= kDrawScreen;
    if (!may_draw(item, text_length)) return;
    list_->add_immediate(item, layer_in_place(), image);
}

// ---- a picture in the picture -----------------------------------------------------------------------------

void Painter::draw_placed(const Place& place, const std::function<void()>& draw) {
    ECS_EXPECTS(is_open());
    class Restore {
    public:
        explicit Restore(Painter& painter) : painter_(painter), before_(painter) {}
        ~Restore() { painter_ = before_; }
        Restore(const Restore&) = delete;
        Restore& operator=(const Restore&) = delete;

    private:
        Painter& painter_;
        const Painter before_;
    };
    const Restore restore(*this);
    Place outer = place;
    if (placed_) {  // inside another one
        outer.x = placed_->place.x + place.x * placed_->place.scale;
        outer.y = placed_->place.y + place.y * placed_->place.scale;
        outer.scale = place.scale * placed_->place.scale;
    }
    const Placed placed{outer,
                        {place.width / 2, place.height / 2, 1.0F},
                        layer_in_place(),
                        placed_ ? placed_->is_screen : is_screen};
    DrawList& list = *list_;
    begin_frame(list, *images_);
    placed_ = placed;
    draw();
}

std::int16_t Painter::layer_in_place() const noexcept {
    if (!placed_) return layer;
    return static_cast<std::int16_t>(std::clamp(placed_->layer + layer, -32768, 32767));
}

// From the pixels of its own world or screen.
void Painter::put_in_place(DrawItem& item) const noexcept {
    const Place& place = placed_->place;
    const DrawCamera& camera = placed_->camera;
    const float zoom = is_screen ? 1.0F : camera.zoom;
    const float left = is_screen ? 0.0F : place.width / 2 - camera.x * zoom;
    const float top = is_screen ? 0.0F : place.height / 2 - camera.y * zoom;
    const float scale = zoom * place.scale;
    item.x = place.x + left * place.scale + item.x * scale;
    item.y = place.y + top * place.scale + item.y * scale;
    const bool is_line = item.kind == DrawKind::line;
    item.w = (is_line ? place.x + left * place.scale : 0.0F) + item.w * scale;
    item.h = (is_line ? place.y + top * place.scale : 0.0F) + item.h * scale;
    if (item.stroke != 0) item.stroke = quantised_stroke(item.stroke_pixels() * scale);
}

void Painter::rectangle(bool is_filled, float x, float y, float width, float height, float rotation) {
    DrawItem item{.x = x, .y = y, .w = width, .h = height, .kind = DrawKind::rectangle};
    item.angle = quantised_angle(rotation);
    item.stroke = is_filled ? std::uint16_t{0} : quantised_stroke(line_width);
    add(item);
}

void Painter::circle(bool is_filled, float x, float y, float radius) {
    DrawItem item{.x = x, .y = y, .w = radius, .h = radius, .kind = DrawKind::circle};
    item.stroke = is_filled ? std::uint16_t{0} : quantised_stroke(line_width);
    add(item);
}

void Painter::line(float x1, float y1, float x2, float y2) {
    add({.x = x1, .y = y1, .w = x2, .h = y2, .stroke = quantised_stroke(line_width), .kind = DrawKind::line});
}

void Painter::text(std::string_view utf8, float x, float y, const TextStyle& style) {
    ECS_EXPECTS(is_open());
    const float size = style.size > 0.0F ? style.size : font_size;
    add({.x = x,
         .y = y,
         .w = style.width,
         .h = size,
         .ref = list_->add_text(utf8),
         .kind = DrawKind::text,
         .flags = bits(style.align)},
        0, utf8.size());
}

void Painter::image(FrameId frame, float x, float y, const ImageStyle& style) {
    ECS_EXPECTS(is_open());
    const ImageFrame& source = (*images_)[frame];
    DrawItem item{.x = x,
                  .y = y,
                  .w = source.width * std::fabs(style.scale_x),
                  .h = source.height * std::fabs(style.scale_y),
                  .ref = frame,
                  .kind = DrawKind::sprite};
    item.angle = quantised_angle(style.rotation);
    item.origin_x = quantised_origin(style.origin_x);
    item.origin_y = quantised_origin(style.origin_y);
    if (style.scale_x < 0.0F) item.flags |= kDrawFlipX;
    if (style.scale_y < 0.0F) item.flags |= kDrawFlipY;
    add(item, source.image);
}

void Painter::set_camera(const DrawCamera& camera) {
    ECS_EXPECTS(is_open());
    if (std::isfinite(camera.x) && std::isfinite(camera.y) && std::isfinite(camera.zoom) &&
        camera.zoom > 0.0F) {
        if (placed_)
            placed_->camera = camera;
        else
            list_->set_state({.camera = camera, .matrix = {}, .clip = {}});
    }
}

}  // namespace perigee
