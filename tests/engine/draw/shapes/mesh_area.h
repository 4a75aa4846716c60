// Measures triangles: their areas, their opacity, and how many of them cover a point.
//
// For tests of meshes. It knows no shape.
#pragma once

#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace perigee::test {

inline double doubled(Point a, Point b, Point c) {
    return (double{b.x} - a.x) * (double{c.y} - a.y) - (double{b.y} - a.y) * (double{c.x} - a.x);
}
inline Point place_of(const MeshPoint& point) { return {point.x, point.y}; }

struct MeshMeasure {
    double area = 0.0;
    double opacity = 0.0;  // the area of each triangle times its mean alpha
    double smallest = 1e30;
};

inline MeshMeasure measure(const std::vector<MeshPoint>& mesh) {
    MeshMeasure sum;
    for (std::size_t i = 0; i + 2 < mesh.size(); i += 3) {
        const double area = doubled(place_of(mesh[i]), place_of(mesh[i + 1]), place_of(mesh[i + 2])) / 2.0;
        const double alpha =
            ((mesh[i].color >> 24U) + (mesh[i + 1].color >> 24U) + (mesh[i + 2].color >> 24U)) /
            (3.0 * 255.0);
        sum.area += area;
        sum.opacity += area * alpha;
        sum.smallest = std::min(sum.smallest, area);
    }
    return sum;
}

/// Triangles that contain the point, those excepted that have it within `border` of a side.
inline int cover_count(const std::vector<MeshPoint>& mesh, Point at, double border = 1e-3) {
    int count = 0;
    for (std::size_t i = 0; i + 2 < mesh.size(); i += 3) {
        bool is_in = true;
        for (std::size_t k = 0; k < 3 && is_in; ++k) {
            const Point a = place_of(mesh[i + k]);
            const Point b = place_of(mesh[i + (k + 1) % 3]);
            is_in = doubled(a, b, at) > border * std::hypot(double{b.x} - a.x, double{b.y} - a.y);
        }
        count += is_in;
    }
    return count;
}

/// 0 .. 1 at a point of triangles that do not overlap; 0 outside.
inline double opacity_at(const std::vector<MeshPoint>& mesh, Point at) {
    double most = 0.0;
    for (std::size_t i = 0; i + 2 < mesh.size(); i += 3) {
        const Point p[] = {place_of(mesh[i]), place_of(mesh[i + 1]), place_of(mesh[i + 2])};
        const double whole = doubled(p[0], p[1], p[2]);
        double alpha = 0.0;
        bool is_in = whole > 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double part = doubled(p[(k + 1) % 3], p[(k + 2) % 3], at) / whole;
            is_in = is_in && part >= -1e-9;
            alpha += part * (mesh[i + k].color >> 24U) / 255.0;
        }
        if (is_in) most = std::max(most, alpha);
    }
    return most;
}

inline double distance_to_segment(Point at, Point a, Point b) {
    const double dx = double{b.x} - a.x;
    const double dy = double{b.y} - a.y;
    const double whole = dx * dx + dy * dy;
    const double along = whole > 0.0 ? ((double{at.x} - a.x) * dx + (double{at.y} - a.y) * dy) / whole : 0.0;
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(at.x - (a.x + t * dx), at.y - (a.y + t * dy));
}

class ShapeRandom {
public:
    explicit ShapeRandom(unsigned seed) : random_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(random_()) / 4294967295.0);
    }
    Point point(double size) {
        const auto x = static_cast<float>(between(-size, size));
        return {x, static_cast<float>(between(-size, size))};
    }

private:
    std::mt19937 random_;
};

/// Seen from 0, 0 the corners lie in order around it, so the polygon is simple; its corners come and go.
inline std::vector<Point> star_polygon(ShapeRandom& random, std::size_t count, double low = 20.0,
                                       double high = 100.0) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(count);
        const double radius = random.between(low, high);
        points.push_back(
            {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))});
    }
    return points;
}

/// Positive, whichever way around.
inline double polygon_area(const std::vector<Point>& points) {
    double sum = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point a = points[i];
        const Point b = points[(i + 1) % points.size()];
        sum += double{a.x} * b.y - double{a.y} * b.x;
    }
    return std::abs(sum) / 2.0;
}

/// By the even-odd rule.
inline bool is_inside(const std::vector<Point>& points, Point at) {
    bool is_in = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point a = points[i];
        const Point b = points[(i + 1) % points.size()];
        if ((a.y > at.y) == (b.y > at.y)) continue;
        const double x = a.x + (double{b.x} - a.x) * (double{at.y} - a.y) / (double{b.y} - a.y);
        if (at.x < x) is_in = !is_in;
    }
    return is_in;
}

inline double distance_to_border(const std::vector<Point>& points, Point at) {
    double nearest = 1e30;
    for (std::size_t i = 0; i < points.size(); ++i) {
        nearest = std::min(nearest, distance_to_segment(at, points[i], points[(i + 1) % points.size()]));
    }
    return nearest;
}

}  // namespace perigee::test
