// One item a call; the state gives the rest.
#include "ecs/base/contract.h"
#include "engine/draw/painter.h"
#include "engine/draw/shaped_lines.h"
#include "engine/draw/shapes/point.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

std::uint8_t bits(TextAlign align) noexcept {
    return static_cast<std::uint8_t>(static_cast<unsigned>(align) << kDrawAlignShift);
}

// What needs glyphs of its own, for the budget: another font, or a text with another outline.
std::uint32_t glyphs_of(const TextLook& look) noexcept {
    const std::uint32_t font = look.text ? look.text->font : 0;
    return font ^ static_cast<std::uint32_t>(look.outline * 4096.0F) * 0x9E37'79B9U;
}

}  // namespace

void Painter::rectangle(bool is_filled, float x, float y, float width, float height, float rotation,
                        float corner_radius) {
    DrawItem item{.x = x, .y = y, .w = width, .h = height, .kind = DrawKind::rectangle};
    item.angle = quantised_angle(rotation);
    item.stroke = is_filled ? std::uint16_t{0} : quantised_stroke(line_width);
    if (corner_radius > 0.0F) item.ref = quantised_corner(corner_radius);
    add(item);
}

void Painter::circle(bool is_filled, float x, float y, float radius) {
    ellipse(is_filled, x, y, radius, radius);
}

void Painter::ellipse(bool is_filled, float x, float y, float radius_x, float radius_y, float rotation) {
    DrawItem item{.x = x, .y = y, .w = radius_x, .h = radius_y, .kind = DrawKind::circle};
    item.angle = quantised_angle(rotation);
    item.stroke = is_filled ? std::uint16_t{0} : quantised_stroke(line_width);
    add(item);
}

void Painter::arc(bool is_filled, ArcShape shape, float x, float y, float radius, float from, float to) {
    if (from > to) std::swap(from, to);
    if (!(to > from)) return;
    DrawItem item{.x = x, .y = y, .w = radius, .h = radius, .kind = DrawKind::arc};
    item.stroke = is_filled ? std::uint16_t{0} : quantised_stroke(line_width);
    item.origin_x = static_cast<std::uint8_t>(shape);
    item.origin_y = static_cast<std::uint8_t>(cap);
    const std::uint32_t begin = quantised_angle(from);
    const bool is_whole = to - from >= kFullTurn<float>;
    const std::uint32_t end = is_whole ? begin : quantised_angle(to);
    if (!is_whole && begin == end) return;
    item.ref = begin | end << 16U;
    add(item);
}

void Painter::line(float x1, float y1, float x2, float y2) {
    DrawItem item{
        .x = x1, .y = y1, .w = x2, .h = y2, .stroke = quantised_stroke(line_width), .kind = DrawKind::line};
    item.origin_x = static_cast<std::uint8_t>(cap);
    add(item);
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

void Painter::text(std::string_view utf8, const TextLook& look, float x, float y, const TextStyle& style) {
    ECS_EXPECTS(is_open());
    const float size = style.size > 0.0F ? style.size : font_size;
    DrawItem item{
        .x = x, .y = y, .w = style.width, .h = size, .kind = DrawKind::text, .flags = bits(style.align)};
    const std::size_t length = look.text ? look.text->glyphs.size() : utf8.size();
    if (!look.text || look.text->has_glyphs) {
        item.ref = list_->add_text(utf8);
        item.set_look(list_->add_look(look));
        add(item, 0, length * look.cost(), glyphs_of(look));
    }
    if (!look.text || look.text->pictures.empty()) return;
    item.color = color;
    const PackedColor usual = color;
    each_picture(*look.text, item, look, [this](const DrawItem& sprite) {
        color = sprite.color;
        add(sprite, (*images_)[sprite.ref].image);
    });
    color = usual;
}

void Painter::image(FrameId frame, float x, float y, const ImageStyle& style) {
    ECS_EXPECTS(is_open());
    DrawItem item{
        .x = x, .y = y, .w = style.scale_x, .h = style.scale_y, .ref = frame, .kind = DrawKind::sprite};
    item.angle = quantised_angle(style.rotation);
    item.origin_x = quantised_origin(style.origin_x);
    item.origin_y = quantised_origin(style.origin_y);
    const ImageFrame& source = (*images_)[frame];
    scale_to_frame(item, source);
    add(item, source.image, images_->has_repeating_frames() ? images_->parts_of(source) : 0);
}

}  // namespace perigee
