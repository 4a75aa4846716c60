// The matrix of a text is inverted in double, since texts may be far from the origin.
#include "engine/sdl/gl/internal/effect_places.h"

#include "engine/draw/shaped_lines.h"
#include "engine/draw/text/text_metrics.h"

#include <algorithm>
#include <cmath>

namespace perigee::gl {

namespace {

TextSize size_of(const DrawItem& item, std::string_view utf8, const TextLook* look) {
    TextSize size;
    if (look != nullptr && look->text) {
        size = text_size(*look->text, item.h, item.w);
    } else {
        while (!utf8.empty()) {
            size.width = std::max(size.width, text_width(next_line(utf8, item.h, item.w), item.h));
            size.height += line_height(item.h);
        }
    }
    if (item.w > 0.0F) size.width = item.w;
    return size;
}

}  // namespace

EffectKind effect_kind(DrawKind kind) noexcept {
    switch (kind) {
        case DrawKind::sprite:
            return EffectKind::image;
        case DrawKind::text:
            return EffectKind::text;
        case DrawKind::mesh:
            return EffectKind::mesh;
        case DrawKind::rectangle:
        case DrawKind::circle:
        case DrawKind::line:
        case DrawKind::arc:
            break;
    }
    return EffectKind::shape;
}

TextPart text_part_of(const DrawItem& item, std::string_view utf8, const TextLook* look, const View& view) {
    const TextSize size = size_of(item, utf8, look);
    const double cosine = std::cos(item.angle_radians()), sine = std::sin(item.angle_radians());
    const double xx = view.xx * cosine + view.xy * sine, xy = view.xy * cosine - view.xx * sine;
    const double yx = view.yx * cosine + view.yy * sine, yy = view.yy * cosine - view.yx * sine;
    const double across = (xx * yy - xy * yx) * size.width, down = (xx * yy - xy * yx) * size.height;
    if (!(std::fabs(across) > 1e-12) || !(std::fabs(down) > 1e-12)) return {};
    const double x0 = view.xx * double{item.x} + view.xy * double{item.y} + view.x0;
    const double y0 = view.yx * double{item.x} + view.yy * double{item.y} + view.y0;
    const auto row = [&](double a, double b) {
        return std::array{static_cast<float>(a), static_cast<float>(b),
                          static_cast<float>(-(a * x0 + b * y0))};
    };
    return {row(yy / across, -xy / across), row(-yx / down, xx / down)};
}

void add_with_places(std::span<const MeshPoint> mesh, std::vector<MeshPoint>& points) {
    if (mesh.empty()) return;
    const auto [left, right] = std::ranges::minmax(mesh, {}, &MeshPoint::x);
    const auto [top, bottom] = std::ranges::minmax(mesh, {}, &MeshPoint::y);
    const auto part = [](float at, float low, float high) {
        return high > low ? (at - low) / (high - low) : 0;
    };
    for (MeshPoint point : mesh) {
        point.u = part(point.x, left.x, right.x);
        point.v = part(point.y, top.y, bottom.y);
        points.push_back(point);
    }
}

}  // namespace perigee::gl
