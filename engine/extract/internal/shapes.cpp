// Items have their origin where their kind wants it: a rectangle anywhere, a round shape in its centre, a
// line at its start.
#include "engine/extract/internal/shapes.h"

#include "ecs/world/world.h"
#include "engine/draw/shapes/point.h"
#include "engine/extract/components.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perigee::internal {

namespace {

// From Position to a point of the shape, given as a fraction of its size. Finite, since origin and angle are
// quantised.
struct ShapeOffset {
    float x, y;
    ShapeOffset(const Shape& shape, const DrawItem& item, float fraction_x, float fraction_y) noexcept
        : x((fraction_x - quantised_origin(shape.origin_x) / 128.0F) * shape.width),
          y((fraction_y - quantised_origin(shape.origin_y) / 128.0F) * shape.height) {
        if (item.angle == 0 || (x == 0.0F && y == 0.0F)) return;
        const auto angle = static_cast<float>(item.angle_radians());
        const float cosine = std::cos(angle), sine = std::sin(angle);
        const float turned = x * cosine - y * sine;
        y = x * sine + y * cosine;
        x = turned;
    }
};

void make_rectangle(const Shape& shape, DrawItem& item) noexcept {
    item.kind = DrawKind::rectangle;
    item.w = shape.width;
    item.h = shape.height;
    item.origin_x = quantised_origin(shape.origin_x);
    item.origin_y = quantised_origin(shape.origin_y);
    const float most = std::min(shape.width, shape.height) / 2.0F;
    // False for NaN.
    if (shape.corners > 0.0F) item.ref = quantised_corner(std::min(shape.corners, most));
}

// False: there is nothing to draw.
bool make_round(const Shape& shape, DrawItem& item, ShapeKind kind) noexcept {
    const ShapeOffset centre(shape, item, 0.5F, 0.5F);
    item.kind = DrawKind::circle;
    item.x += centre.x;
    item.y += centre.y;
    item.w = shape.width / 2.0F;
    item.h = shape.height / 2.0F;
    if (kind == ShapeKind::circle) return true;
    if (kind == ShapeKind::arc && item.stroke == 0) item.stroke = quantised_stroke(1.0F);
    const float opening = shape.to - shape.from;
    if (opening >= kFullTurn<float>) return true;
    const std::uint32_t from = quantised_angle(shape.from), to = quantised_angle(shape.to);
    item.kind = DrawKind::arc;
    item.ref = from | to << 16U;
    item.origin_x = static_cast<std::uint8_t>(kind == ShapeKind::arc ? ArcShape::open : ArcShape::pie);
    return opening > 0.0F && from != to;
}

void make_line(const Shape& shape, DrawItem& item, ShapeKind kind) noexcept {
    const ShapeOffset start(shape, item, 0.0F, 0.5F), end(shape, item, 1.0F, 0.5F);
    item.kind = DrawKind::line;
    item.w = item.x + end.x;
    item.h = item.y + end.y;
    item.x += start.x;
    item.y += start.y;
    item.angle = 0;
    item.stroke = quantised_stroke(shape.height);
    item.origin_x = static_cast<std::uint8_t>(kind == ShapeKind::capsule ? LineCap::round : LineCap::butt);
}

bool make_item(const Shape& shape, DrawItem& item) noexcept {
    item.flags = blend_bits(shape.blend);
    std::memcpy(&item.color, &shape.color, sizeof item.color);
    if (shape.rotation != 0.0F) item.angle = quantised_angle(shape.rotation);
    if (shape.stroke > 0.0F) item.stroke = quantised_stroke(shape.stroke);
    switch (const auto kind = static_cast<ShapeKind>(shape.kind)) {
        case ShapeKind::circle:
        case ShapeKind::pie:
        case ShapeKind::arc:
            return make_round(shape, item, kind);
        case ShapeKind::line:
        case ShapeKind::capsule:
            make_line(shape, item, kind);
            return true;
        case ShapeKind::rectangle:
            break;
    }
    make_rectangle(shape, item);
    return true;
}

}  // namespace

void extract_shapes(const ExtractFrame& frame, const Query& query) {
    const DrawList::Batch batch = frame.list.begin_batch(query.entity_count());
    LayerCursor layers{frame};
    std::size_t written = 0;
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const std::size_t count = std::min<std::size_t>(chunk.row_count(), batch.count - written);
        const Entity* const entities = chunk.entities().data();
        const std::byte* const positions = chunk.column_data(0);
        const auto* const shapes = reinterpret_cast<const Shape*>(chunk.column_data(1));
        for (std::size_t row = 0; row < count; ++row) {
            const Shape& shape = shapes[row];
            const auto [x, y] = frame.place(entities[row], frame.position.at(positions, row));
            // Outlines lie on both sides of an edge at most, and origins at most one size away.
            const float reach =
                2.0F * (std::fabs(shape.width) + std::fabs(shape.height)) + std::max(shape.stroke, 0.0F);
            const SeenLayer& seen = layers.of(shape.layer);
            if (!frame.shows(seen, entities[row], x, y, reach)) continue;
            if (!(shape.width > 0.0F && shape.height > 0.0F)) continue;
            DrawItem& item = batch.items[written];
            item = {.x = x, .y = y};
            if (!make_item(shape, item)) continue;
            item.flags |= seen.flags;
            batch.entries[written] = {draw_key(item, {shape.layer, seen.order_of(y, shape.order)}, 0),
                                      entities[row].index(),
                                      batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
    });
    frame.list.end_batch(batch, written);
}

}  // namespace perigee::internal
