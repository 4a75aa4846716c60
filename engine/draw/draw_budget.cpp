// Boxes of items, clipped to the size of the frame. The position of an item does not matter.
#include "engine/draw/draw_budget.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

constexpr double kVerticesOfBox = 4;

// The part of a box of this size that fits into the picture.
double visible(double width, double height, const DrawSurface& surface) noexcept {
    return std::min(std::fabs(width), double{surface.width}) *
           std::min(std::fabs(height), double{surface.height});
}

double line_pixels(double width, double height, double stroke, const DrawSurface& surface) noexcept {
    const double length =
        std::hypot(std::min(width, double{surface.width}), std::min(height, double{surface.height}));
    return std::min(length * stroke, visible(width + stroke, height + stroke, surface));
}

// Inlined, it stays in registers.
[[gnu::always_inline]] inline DrawCost cost_of(const DrawItem& item, const DrawSurface& surface,
                                               std::size_t parts) noexcept {
    const double scale = (item.flags & kDrawScreen) != 0 ? 1.0 : double{surface.zoom};
    const double width = std::fabs(item.w) * scale;
    const double height = std::fabs(item.h) * scale;
    const auto stroke_pixels = [&] { return std::max(1.0, item.stroke_pixels() * scale); };
    DrawCost cost;
    switch (item.kind) {
        case DrawKind::rectangle:
            cost = {kVerticesOfBox, visible(width, height, surface)};
            if (item.stroke != 0) {
                const double stroke = stroke_pixels();
                cost.vertices *= 4;
                cost.pixels = std::min(
                    cost.pixels, 2 * visible(width, stroke, surface) + 2 * visible(stroke, height, surface));
            }
            break;
        case DrawKind::mesh:
            break;  // charged by its points, see DrawBudget::take_triangles
        case DrawKind::arc:
        case DrawKind::circle:
            // A picture of 0.25 px precision; a ring has twice as many vertices.
            cost.vertices =
                std::min(double{kMaxCircleCorners}, 8 + 4 * std::sqrt(width)) * (item.stroke != 0 ? 2 : 1);
            cost.pixels = visible(2 * width, 2 * width, surface);
            break;
        case DrawKind::line:
            cost = {kVerticesOfBox,
                    line_pixels(std::fabs(item.w - item.x) * scale, std::fabs(item.h - item.y) * scale,
                                stroke_pixels(), surface)};
            break;
        case DrawKind::sprite:
            cost = {kVerticesOfBox * static_cast<double>(std::max<std::size_t>(parts, 1)),
                    visible(width, height, surface)};
            break;
        case DrawKind::text:
            cost = {kVerticesOfBox * static_cast<double>(parts),
                    static_cast<double>(parts) * visible(height / 2, height, surface)};
            break;
    }
    return std::isfinite(cost.pixels) && std::isfinite(cost.vertices) ? cost : DrawCost{};
}

}  // namespace

DrawCost draw_cost(const DrawItem& item, const DrawSurface& surface, std::size_t parts) noexcept {
    return cost_of(item, surface, parts);
}

void DrawBudget::begin_frame() noexcept {
    taken_ = {};
    size_count_ = 0;
    is_used_up_ = false;
}

// Glyphs are made in whole pixels.
bool DrawBudget::takes_size(float pixels, std::uint32_t glyphs) noexcept {
    const float size = std::floor(pixels + 0.5F);
    const auto end = sizes_.begin() + static_cast<std::ptrdiff_t>(size_count_);
    if (std::find(sizes_.begin(), end, Size{size, glyphs}) != end) return true;
    if (size_count_ >= std::min(allowance_.font_sizes, kMaxFontSizes)) {
        exceeded_ = Limit::text_sizes;
        return false;
    }
    sizes_[size_count_++] = {size, glyphs};
    return true;
}

bool DrawBudget::is_within(const DrawCost& taken, double screen) noexcept {
    const bool has_too_many_vertices = taken.vertices > allowance_.vertices;
    is_used_up_ = has_too_many_vertices || taken.pixels > allowance_.screens * screen;
    if (is_used_up_) exceeded_ = has_too_many_vertices ? Limit::vertices : Limit::pixels;
    return !is_used_up_;
}

std::size_t DrawBudget::take(std::span<const DrawItem> items, const DrawSurface& surface, std::size_t parts,
                             std::uint32_t glyphs) noexcept {
    if (is_used_up_) return 0;
    const double screen = double{surface.width} * surface.height;
    DrawCost taken = taken_;
    std::size_t count = 0;
    for (const DrawItem& item : items) {
        const DrawCost cost = cost_of(item, surface, parts);
        taken.vertices += cost.vertices;
        taken.pixels += cost.pixels;
        if (!is_within(taken, screen)) break;
        if (item.kind == DrawKind::text) {
            const float zoom = (item.flags & kDrawScreen) != 0 ? 1.0F : surface.zoom;
            is_used_up_ = !takes_size(item.h * zoom, glyphs);
            if (is_used_up_) break;
        }
        ++count;
    }
    taken_ = taken;
    return count;
}

bool DrawBudget::take_triangles(std::size_t points, double area, const DrawSurface& surface) noexcept {
    if (is_used_up_) return false;
    const double screen = double{surface.width} * surface.height;
    const double pixels = area * double{surface.zoom} * surface.zoom;
    // Triangles may cover the screen any number of times, and may lie outside of it.
    taken_.vertices += static_cast<double>(points);
    taken_.pixels += std::min(pixels, static_cast<double>(points) / 3 * screen);
    return is_within(taken_, screen);
}

}  // namespace perigee
