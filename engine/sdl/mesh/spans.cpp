// Where edges cross the middle of each row, and from where to where the rows are inside.
#include "engine/sdl/mesh/spans.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace perigee {

namespace {

// The first pixel whose centre is not before this.
int first_pixel(double edge, int low, int high) noexcept {
    return static_cast<int>(std::clamp(std::ceil(edge - 0.5), double(low), double(high)));
}

}  // namespace

void Spans::add(const ShapeOutline& outline, const PixelBox& clip) {
    first_of_shape_ = boxes_.size();
    for (const WindowBox& box : outline.boxes) add_box(box, clip);
    if (outline.form == ShapeOutline::Form::nothing || outline.form == ShapeOutline::Form::boxes) return;

    crossings_.clear();
    const std::vector<WindowPoint>& outer = outline.outer;
    const std::vector<WindowPoint>& inner = outline.inner;
    const std::size_t count = outer.size();
    const bool is_band = outline.form == ShapeOutline::Form::band;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t next = (i + 1) % count;
        if (next == 0 && is_band) break;
        add_edge(outer[i], outer[next], clip);
        if (!inner.empty()) add_edge(inner[next], inner[i], clip);
    }
    if (is_band) {
        add_edge(outer.back(), inner.back(), clip);
        add_edge(inner.front(), outer.front(), clip);
    }
    std::ranges::sort(crossings_, [](const Crossing& a, const Crossing& b) {
        return std::tie(a.row, a.x) < std::tie(b.row, b.x);
    });
    int winding = 0;
    double start = 0.0;
    for (const Crossing& crossing : crossings_) {
        if (winding == 0) start = crossing.x;
        winding += crossing.winding;
        if (winding == 0) add_row(crossing.row, start, crossing.x, clip);
    }
    if (outline.form == ShapeOutline::Form::fan && boxes_.size() == first_of_shape_) add_speck(outline, clip);
}

void Spans::divide() {
    constexpr int kShort = 15;
    constexpr int kLong = 128;
    divided_.clear();
    for (PixelBox box : boxes_) {
        if (box.width < kLong)
            for (; box.width > kShort; box.x += kShort, box.width -= kShort)
                divided_.push_back({box.x, box.y, kShort, box.height});
        divided_.push_back(box);
    }
    boxes_.swap(divided_);
}

void Spans::add_box(const WindowBox& box, const PixelBox& clip) {
    const int left = first_pixel(box.left, clip.x, clip.x + clip.width);
    const int right = first_pixel(box.right, clip.x, clip.x + clip.width);
    const int top = first_pixel(box.top, clip.y, clip.y + clip.height);
    const int bottom = first_pixel(box.bottom, clip.y, clip.y + clip.height);
    if (left < right && top < bottom) boxes_.push_back({left, top, right - left, bottom - top});
}

void Spans::add_edge(WindowPoint from, WindowPoint to, const PixelBox& clip) {
    const int winding = from.y < to.y ? 1 : -1;
    if (winding < 0) std::swap(from, to);
    const int first = first_pixel(from.y, clip.y, clip.y + clip.height);
    const int last = first_pixel(to.y, clip.y, clip.y + clip.height);
    if (first >= last) return;
    const double x = from.x, y = from.y;
    const double slope = (double{to.x} - x) / (double{to.y} - y);
    for (int row = first; row < last; ++row)
        crossings_.push_back({row, x + (row + 0.5 - y) * slope, winding});
}

void Spans::add_row(int row, double from, double to, const PixelBox& clip) {
    const int left = first_pixel(from, clip.x, clip.x + clip.width);
    const int right = first_pixel(to, clip.x, clip.x + clip.width);
    if (left >= right) return;
    if (boxes_.size() > first_of_shape_) {
        PixelBox& last = boxes_.back();
        if (last.x == left && last.width == right - left && last.y + last.height == row) {
            ++last.height;
            return;
        }
    }
    boxes_.push_back({left, row, right - left, 1});
}

void Spans::add_speck(const ShapeOutline& outline, const PixelBox& clip) {
    const auto [left, right] = std::ranges::minmax(outline.outer, {}, &WindowPoint::x);
    const auto [top, bottom] = std::ranges::minmax(outline.outer, {}, &WindowPoint::y);
    if (!(right.x - left.x <= 2.0F && bottom.y - top.y <= 2.0F)) return;
    const float x = std::floor((left.x + right.x) * 0.5F);
    const float y = std::floor((top.y + bottom.y) * 0.5F);
    add_box({x, y, x + 1.0F, y + 1.0F}, clip);
}

}  // namespace perigee
