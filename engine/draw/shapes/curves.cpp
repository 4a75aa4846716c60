// Curves are cut into pieces of equal steps of their parameter: the number of pieces is known before, so
// nothing is stored, and equal input gives equal points.
#include "engine/draw/shapes/curves.h"

#include "engine/draw/shapes/internal/vec.h"
#include "engine/draw/shapes/point.h"

#include <algorithm>
#include <cmath>

namespace perigee {
namespace {

double usable(float tolerance) {
    return tolerance > 0.0F && is_drawable(tolerance) ? tolerance : kCurveTolerance;
}

std::size_t piece_count(double wanted) {
    return static_cast<std::size_t>(std::clamp(std::ceil(wanted), 1.0, static_cast<double>(kMaxCurvePieces)));
}

Vec on_bezier(std::span<const Point> control, double t) {
    Vec points[kMaxControlPoints];
    std::ranges::transform(control, points, vec_of);
    for (std::size_t left = control.size() - 1; left > 0; --left) {
        for (std::size_t i = 0; i < left; ++i) points[i] = points[i] + (points[i + 1] - points[i]) * t;
    }
    return points[0];
}

bool is_drawable_ellipse(const Ellipse& ellipse) {
    return is_drawable(ellipse.center) && is_drawable(ellipse.radius_x) && is_drawable(ellipse.radius_y) &&
           (ellipse.radius_x != 0.0F || ellipse.radius_y != 0.0F);
}

// The arc of a circle is farthest from its chord in the middle: by r * (1 - cos(step / 2)).
double arc_step(const Ellipse& ellipse, float tolerance) {
    const double radius = std::max(std::abs(ellipse.radius_x), std::abs(ellipse.radius_y));
    return 2.0 * std::acos(std::max(1.0 - usable(tolerance) / radius, 0.5));
}

Point on_ellipse(const Ellipse& ellipse, double angle) {
    const Vec radii{std::abs(ellipse.radius_x) * std::cos(angle),
                    std::abs(ellipse.radius_y) * std::sin(angle)};
    return point_of(vec_of(ellipse.center) + radii);
}

}  // namespace

Point bezier_point(std::span<const Point> control, float t) { return point_of(on_bezier(control, t)); }

void add_bezier_points(std::span<const Point> control, float tolerance, std::vector<Point>& out) {
    if (control.size() < 2 || control.size() > kMaxControlPoints || !are_drawable(control)) return;
    double bend = 0.0;  // the largest second difference
    for (std::size_t i = 2; i < control.size(); ++i) {
        const Vec second = vec_of(control[i]) - vec_of(control[i - 1]) * 2.0 + vec_of(control[i - 2]);
        bend = std::max(bend, length(second));
    }
    const auto degree = static_cast<double>(control.size() - 1);
    const std::size_t pieces =
        piece_count(std::sqrt(degree * (degree - 1.0) / 8.0 * bend / usable(tolerance)));
    out.push_back(control.front());
    for (std::size_t i = 1; i < pieces; ++i) {
        out.push_back(point_of(on_bezier(control, static_cast<double>(i) / static_cast<double>(pieces))));
    }
    out.push_back(control.back());
}

void add_ellipse_points(const Ellipse& ellipse, float tolerance, std::vector<Point>& out) {
    if (!is_drawable_ellipse(ellipse)) return;
    // A multiple of four, so that the ellipse is as wide and as high as it should be.
    const std::size_t quarter =
        std::min(piece_count(kFullTurn<double> / 4.0 / arc_step(ellipse, tolerance)), kMaxCurvePieces / 4);
    for (std::size_t i = 0; i < 4 * quarter; ++i) {
        out.push_back(on_ellipse(
            ellipse, kFullTurn<double> * static_cast<double>(i) / static_cast<double>(4 * quarter)));
    }
}

void add_arc_points(const Ellipse& ellipse, float from, float to, float tolerance, std::vector<Point>& out) {
    if (!is_drawable_ellipse(ellipse) || !is_drawable(from) || !is_drawable(to)) return;
    const double sweep = std::clamp(double{to} - double{from}, -kFullTurn<double>, kFullTurn<double>);
    const std::size_t pieces = piece_count(std::abs(sweep) / arc_step(ellipse, tolerance));
    for (std::size_t i = 0; i <= pieces; ++i) {
        out.push_back(
            on_ellipse(ellipse, double{from} + sweep * static_cast<double>(i) / static_cast<double>(pieces)));
    }
}

}  // namespace perigee
