// Shapes of any number of points: as triangles with a soft edge of one pixel (engine/draw/shapes/).
#include "ecs/base/contract.h"
#include "engine/draw/internal/path_scratch.h"
#include "engine/draw/painter.h"
#include "engine/draw/shapes/curves.h"
#include "engine/draw/shapes/gradient.h"
#include "engine/draw/shapes/polygon.h"
#include "engine/draw/shapes/polyline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perigee {

namespace {

// A polygon's outline lies inside of it for rectangles and circles; here it is in the middle, as in other
// libraries.
PolylineStyle style_of(const PaintState& state, bool is_closed, float pixel) noexcept {
    PolylineStyle style;
    style.width = state.line_width;
    style.is_closed = is_closed;
    style.join = state.join;
    style.cap = state.cap;
    style.color = kWhite;
    style.fringe = pixel;
    style.tolerance = pixel / 4;
    return style;
}

// At most the part of a triangle that is in a picture of this size, wherever it is: no more than of its box
// fits, and than of the band along its longest side.
double visible_area(const MeshPoint& a, const MeshPoint& b, const MeshPoint& c, double area, double width,
                    double height) noexcept {
    const auto [left, right] = std::minmax({a.x, b.x, c.x});
    const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
    if (right - left <= width && bottom - top <= height) return area;
    const auto length = [](const MeshPoint& from, const MeshPoint& to) {
        return std::hypot(double{to.x} - from.x, double{to.y} - from.y);
    };
    const double longest = std::max({length(a, b), length(b, c), length(c, a)});
    const double band = 2 * area / longest * std::hypot(width, height);
    return std::min(
        {area, band, std::min(double{right} - left, width) * std::min(double{bottom} - top, height)});
}

}  // namespace

Painter::Painter() : block_(new perigee_draw_block{}), paths_(new PathScratch) {}
Painter::~Painter() = default;

// The size of a logical pixel of the screen, in the units of the points.
float Painter::pixel_size() const noexcept {
    const float zoom = is_item_screen_ ? 1.0F : item_camera().zoom;
    const float scale = placement_.scale() * zoom;
    return scale > 1e-6F ? 1.0F / scale : 0.0F;
}

void Painter::begin_path() {
    ECS_EXPECTS(is_open());
    close_block();
    prepare();
    paths_->triangles.clear();
}

void Painter::end_path(std::uint32_t image) {
    std::vector<MeshPoint>& points = paths_->triangles;
    if (points.empty() || (image != 0 && image == target_.canvas)) return;
    const bool is_placed_here = !placement_.is_identity() && placement_.state_matrix() == DrawMatrix{};
    if (is_placed_here) {
        for (MeshPoint& point : points) {
            const DrawMatrix::Point at = placement_.matrix().apply(point.x, point.y);
            point.x = at.x;
            point.y = at.y;
        }
    }
    DrawSurface surface = surface_;
    if (!is_item_screen_) surface.zoom = item_camera().zoom;
    if (!is_placed_here) surface.zoom *= std::max(placement_.scale(), 1e-6F);
    const double width = double{surface.width} / surface.zoom, height = double{surface.height} / surface.zoom;
    double area = 0.0;
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
        const MeshPoint &a = points[i], &b = points[i + 1], &c = points[i + 2];
        const double twice =
            (double{b.x} - a.x) * (double{c.y} - a.y) - (double{b.y} - a.y) * (double{c.x} - a.x);
        if (!std::isfinite(twice)) return;
        area += visible_area(a, b, c, std::fabs(twice) / 2, width, height);
    }
    if (budget_ != nullptr && !budget_->take_triangles(points.size(), area, surface)) return;
    DrawItem item{.ref = list_->add_mesh(points, image), .kind = DrawKind::mesh};
    item.color = color;
    item.flags = static_cast<std::uint8_t>(static_cast<unsigned>(blend) |
                                           (is_item_screen_ ? unsigned{kDrawScreen} : 0U));
    list_->add_immediate(item, item_layer_, image);
}

void Painter::polygon(bool is_filled, std::span<const Point> points) {
    begin_path();
    if (is_filled)
        add_polygon(points, kWhite, pixel_size(), paths_->polygon, paths_->triangles);
    else
        add_polyline(points, style_of(*this, true, pixel_size()), paths_->triangles);
    end_path();
}

void Painter::polyline(std::span<const Point> points, bool is_closed) {
    begin_path();
    add_polyline(points, style_of(*this, is_closed, pixel_size()), paths_->triangles);
    end_path();
}

void Painter::bezier(std::span<const Point> control) {
    begin_path();
    paths_->points.clear();
    add_bezier_points(control, pixel_size() / 4, paths_->points);
    add_polyline(paths_->points, style_of(*this, false, pixel_size()), paths_->triangles);
    end_path();
}

void Painter::points(std::span<const Point> points) {
    const float half = point_size / 2;
    for (const Point point : points) rectangle(true, point.x - half, point.y - half, point_size, point_size);
}

void Painter::gradient(float x, float y, float width, float height, PackedColor from, PackedColor to,
                       float angle) {
    begin_path();
    add_linear_gradient({x, y, width, height}, from, to, angle, paths_->triangles);
    const PackedColor usual = color;
    color = kWhite;
    end_path();
    color = usual;
}

void Painter::mesh(const std::shared_ptr<const VertexMesh>& mesh, float x, float y, float rotation,
                   float scale_x, float scale_y, std::optional<std::uint32_t> image) {
    begin_path();
    if (mesh->indices().empty()) return;
    if (budget_ != nullptr) {
        DrawSurface surface = surface_;
        if (!is_item_screen_) surface.zoom = item_camera().zoom;
        const double scale = double{placement_.scale()} * placement_.scale();
        const double area = mesh->area() * std::fabs(double{scale_x} * scale_y) * scale;
        const double finite = std::isfinite(area) ? area : std::numeric_limits<float>::max();
        if (!budget_->take_triangles(mesh->indices().size(), finite, surface)) return;
    }
    const std::uint32_t shown = image.value_or(mesh->image);
    DrawItem item{.x = x,
                  .y = y,
                  .w = scale_x,
                  .h = scale_y,
                  .ref = list_->add_mesh(mesh, shown),
                  .kind = DrawKind::mesh};
    item.angle = quantised_angle(rotation);
    add(item, shown);
}

}  // namespace perigee
