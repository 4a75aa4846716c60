// A box is four triangles around its middle: two would show the diagonal at which they meet.
#include "engine/draw/shapes/gradient.h"

#include <algorithm>
#include <cmath>

namespace perigee {
namespace {

std::uint32_t mixed_color(std::uint32_t from, std::uint32_t to, double part) {
    std::uint32_t mixed = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const double a = from >> shift & 0xFFU;
        const double b = to >> shift & 0xFFU;
        mixed |= static_cast<std::uint32_t>(a + (b - a) * part + 0.5) << shift;
    }
    return mixed;
}

}  // namespace

void add_corner_gradient(const Box& box, const CornerColors& colors, std::vector<MeshPoint>& out) {
    const Point first{box.x, box.y};
    const Point last{box.x + box.width, box.y + box.height};
    if (!is_drawable(first) || !is_drawable(last) || first.x == last.x || first.y == last.y) return;
    const MeshPoint corners[] = {{first.x, first.y, 0.0F, 0.0F, colors.top_left},
                                 {last.x, first.y, 1.0F, 0.0F, colors.top_right},
                                 {last.x, last.y, 1.0F, 1.0F, colors.bottom_right},
                                 {first.x, last.y, 0.0F, 1.0F, colors.bottom_left}};
    const std::uint32_t average = mixed_color(mixed_color(colors.top_left, colors.bottom_right, 0.5),
                                              mixed_color(colors.top_right, colors.bottom_left, 0.5), 0.5);
    const MeshPoint middle{(first.x + last.x) / 2.0F, (first.y + last.y) / 2.0F, 0.5F, 0.5F, average};
    const bool is_mirrored = (last.x < first.x) != (last.y < first.y);
    for (std::size_t i = 0; i < 4; ++i) {
        const MeshPoint& a = corners[i];
        const MeshPoint& b = corners[(i + 1) % 4];
        out.insert(out.end(), {middle, is_mirrored ? b : a, is_mirrored ? a : b});
    }
}

void add_linear_gradient(const Box& box, std::uint32_t from, std::uint32_t to, float angle,
                         std::vector<MeshPoint>& out) {
    if (!is_drawable(box.width) || !is_drawable(box.height)) return;
    const double turn = is_drawable(angle) ? double{angle} : 0.0;
    const double along_x = std::cos(turn) * std::abs(double{box.width});
    const double along_y = std::sin(turn) * std::abs(double{box.height});
    const double whole = std::abs(along_x) + std::abs(along_y);
    if (!(whole > 0.0)) return;
    // Where a corner lies, seen from the middle.
    const auto color_at = [&](double x, double y) {
        return mixed_color(from, to, std::clamp(0.5 + (along_x * x + along_y * y) / (2.0 * whole), 0.0, 1.0));
    };
    const double x = box.width < 0.0F ? 1.0 : -1.0;
    const double y = box.height < 0.0F ? 1.0 : -1.0;
    add_corner_gradient(box, {color_at(x, y), color_at(-x, y), color_at(-x, -y), color_at(x, -y)}, out);
}

}  // namespace perigee
