// Rays past both sides of each corner: between two neighbours of them one and the same wall is the nearest.
#include "engine/draw/shapes/visible_area.h"

#include "engine/draw/shapes/internal/vec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace perigee {
namespace {

bool meets_square(const Wall& wall, float reach) {
    return std::max(wall.from.x, wall.to.x) >= -reach && std::min(wall.from.x, wall.to.x) <= reach &&
           std::max(wall.from.y, wall.to.y) >= -reach && std::min(wall.from.y, wall.to.y) <= reach;
}

void add_corner(Vec corner, std::vector<double>& angles) {
    const double angle = std::atan2(corner.y, corner.x);
    angles.push_back(angle - kVisibleAngleStep);
    angles.push_back(angle + kVisibleAngleStep);
}

// Where walls cross, another one may be the nearest from there on.
void add_crossing(const Wall& a, const Wall& b, std::vector<double>& angles) {
    if (std::max(a.from.x, a.to.x) < std::min(b.from.x, b.to.x) ||
        std::max(b.from.x, b.to.x) < std::min(a.from.x, a.to.x) ||
        std::max(a.from.y, a.to.y) < std::min(b.from.y, b.to.y) ||
        std::max(b.from.y, b.to.y) < std::min(a.from.y, a.to.y))
        return;
    const Vec along_a = vec_of(a.to) - vec_of(a.from);
    const Vec along_b = vec_of(b.to) - vec_of(b.from);
    const double area = cross(along_a, along_b);
    if (area == 0.0) return;
    const Vec between = vec_of(b.from) - vec_of(a.from);
    const double on_a = cross(between, along_b) / area;
    const double on_b = cross(between, along_a) / area;
    if (on_a < 0.0 || on_a > 1.0 || on_b < 0.0 || on_b > 1.0) return;
    add_corner({double{a.from.x} + on_a * along_a.x, double{a.from.y} + on_a * along_a.y}, angles);
}

double distance_to(const Wall& wall) {
    const Vec from = vec_of(wall.from), along = vec_of(wall.to) - from;
    const double length = along.x * along.x + along.y * along.y;
    const double part =
        length > 0.0 ? std::clamp(-(from.x * along.x + from.y * along.y) / length, 0.0, 1.0) : 0.0;
    return std::hypot(from.x + along.x * part, from.y + along.y * part);
}

// Expects: walls by rising distance.
double nearest_along(Vec ray, double reach, const std::vector<VisibleAreaScratch::SeenWall>& walls) {
    double nearest = reach / std::max(std::abs(ray.x), std::abs(ray.y));
    for (const auto& [wall, distance] : walls) {
        if (distance > nearest) break;
        const Vec from = vec_of(wall.from), to = vec_of(wall.to);
        if (cross(ray, from) * cross(ray, to) > 0.0) continue;  // both ends are on one side of the ray
        const Vec along = to - from;
        const double area = cross(ray, along);
        if (area == 0.0) continue;
        const double on_ray = cross(from, along) / area;
        if (on_ray >= 0.0) nearest = std::min(nearest, on_ray);
    }
    return nearest;
}

}  // namespace

void add_visible_area(Point eye, float reach, std::span<const Wall> walls, VisibleAreaScratch& scratch,
                      std::vector<Point>& out) {
    if (!is_drawable(eye) || !is_drawable(reach) || !(reach > 0.0F)) return;
    auto& near = scratch.walls;
    std::vector<double>& angles = scratch.angles;
    near.clear();
    angles.clear();
    // The sides of the square, which nearest_along() knows, too.
    const std::array<Point, 4> corners{Point{-reach, -reach}, Point{reach, -reach}, Point{reach, reach},
                                       Point{-reach, reach}};
    for (std::size_t i = 0; i < 4; ++i) near.push_back({{corners[i], corners[(i + 1) % 4]}, 0.0});
    for (const Wall& wall : walls) {
        if (!is_drawable(wall.from) || !is_drawable(wall.to)) continue;
        const Wall seen{{wall.from.x - eye.x, wall.from.y - eye.y}, {wall.to.x - eye.x, wall.to.y - eye.y}};
        if (meets_square(seen, reach)) near.push_back({seen, distance_to(seen)});
    }
    const auto by_distance = [](const VisibleAreaScratch::SeenWall& seen) { return seen.distance; };
    std::ranges::sort(near.begin() + 4, near.end(), {}, by_distance);
    for (std::size_t i = 0; i < near.size(); ++i) {
        add_corner(vec_of(near[i].wall.from), angles);
        add_corner(vec_of(near[i].wall.to), angles);
        for (std::size_t j = std::max<std::size_t>(i + 1, 4); j < near.size(); ++j) {
            add_crossing(near[i].wall, near[j].wall, angles);
        }
    }
    std::ranges::sort(angles);
    const auto repeated = std::ranges::unique(angles);
    angles.erase(repeated.begin(), repeated.end());
    near.erase(near.begin(), near.begin() + 4);
    for (const double angle : angles) {
        const Vec ray{std::cos(angle), std::sin(angle)};
        const double distance = nearest_along(ray, double{reach}, near);
        out.push_back(
            {static_cast<float>(eye.x + distance * ray.x), static_cast<float>(eye.y + distance * ray.y)});
    }
}

}  // namespace perigee
