// One function per kind of shape. Local coordinates are pixels along the axes of the item, from its middle.
#include "engine/sdl/mesh/shape_outline.h"

#include "engine/draw/draw_budget.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace perigee {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kLevel = 1e-4F;  // a line with less slope than this fills whole pixels

// Enough corners that a side is never more than a quarter of a pixel away from the circle.
int circle_corners(float radius_pixels) noexcept {
    // From 8192 pixels on there are no more than kMaxCircleCorners, and the formula below runs out of digits.
    const float radius = std::clamp(radius_pixels, 0.5F, 8192.0F);
    const float corners = kPi / std::acos(1.0F - 0.25F / radius);
    return std::clamp(static_cast<int>(std::ceil(corners)), 8, kMaxCircleCorners);
}

// Corners of a part of the circle, without the first. Twice as many, since parts are small and meet straight
// edges.
int arc_corners(float radius_pixels, float angle) noexcept {
    const float share = std::clamp(std::fabs(angle) / kPi, 0.0F, 2.0F);
    const auto corners = static_cast<float>(circle_corners(radius_pixels));
    return std::clamp(static_cast<int>(std::ceil(corners * share)), 1, kMaxCircleCorners);
}

// 0: filled.
float stroke_in_window(const DrawItem& item, const View& view) noexcept {
    return item.stroke == 0 ? 0.0F : std::max(1.0F, item.stroke_pixels() * view.scale);
}

bool is_finite(WindowPoint point) noexcept { return std::isfinite(point.x) && std::isfinite(point.y); }

// Where the line from `start` at `slope` per unit is inside, narrowed into first .. last (0 to 1).
void cut_line(float start, float slope, float& first, float& last) noexcept {
    if (slope == 0.0F) {
        if (std::fabs(start) > kFarthest) last = -1.0F;
        return;
    }
    const float at_low = (-kFarthest - start) / slope;
    const float at_high = (kFarthest - start) / slope;
    first = std::max(first, std::min(at_low, at_high));
    last = std::min(last, std::max(at_low, at_high));
}

}  // namespace

struct ShapeOutline::Axes {
    WindowPoint middle, across, down;

    Axes(WindowPoint at, WindowPoint right, WindowPoint below) noexcept
        : middle(at), across(right), down(below) {}
    // Turned clockwise by this many radians, then by the view.
    Axes(WindowPoint at, const View& view, double radians) noexcept : middle(at) {
        const auto cosine = static_cast<float>(std::cos(radians));
        const auto sine = static_cast<float>(std::sin(radians));
        across = {(view.xx * cosine + view.xy * sine) / view.scale,
                  (view.yx * cosine + view.yy * sine) / view.scale};
        down = {(view.xy * cosine - view.xx * sine) / view.scale,
                (view.yy * cosine - view.yx * sine) / view.scale};
    }
    WindowPoint at(float x, float y) const noexcept {
        return {middle.x + (across.x * x + down.x * y), middle.y + (across.y * x + down.y * y)};
    }
    WindowPoint at_angle(float radians, float radius) const noexcept {
        return at(std::cos(radians) * radius, std::sin(radians) * radius);
    }
    // Pixels per local pixel, in the direction in which there are most.
    float longest() const noexcept {
        return std::max(std::hypot(across.x, across.y), std::hypot(down.x, down.y));
    }
};

void ShapeOutline::set(const DrawItem& item, const View& view) {
    form = Form::nothing;
    boxes.clear();
    outer.clear();
    inner.clear();
    switch (item.kind) {
        case DrawKind::rectangle:
            set_rectangle(item, view);
            break;
        case DrawKind::circle:
            set_ellipse(item, view);
            break;
        case DrawKind::arc:
            set_arc(item, view);
            break;
        case DrawKind::line:
            set_line(item, view);
            break;
        case DrawKind::mesh:
        case DrawKind::sprite:
        case DrawKind::text:
            break;  // not shapes
    }
    if (!std::ranges::all_of(outer, is_finite) || !std::ranges::all_of(inner, is_finite))
        form = Form::nothing;
}

// ---- rectangles -------------------------------------------------------------------------------------------

void ShapeOutline::set_rectangle(const DrawItem& item, const View& view) {
    const float left = -item.w * static_cast<float>(item.origin_x) / 128.0F;
    const float top = -item.h * static_cast<float>(item.origin_y) / 128.0F;
    // Round corners are stretched with the rest.
    const bool is_level = item.angle == 0 && view.is_upright && (item.ref == 0 || view.is_similar);
    float stroke = stroke_in_window(item, view);
    Axes axes{{}, {1.0F, 0.0F}, {0.0F, 1.0F}};
    WindowPoint half;
    if (is_level) {
        const WindowPoint a = view.placed(item.x + left, item.y + top);
        const WindowPoint b = view.placed(item.x + left + item.w, item.y + top + item.h);
        if (!is_finite(a) || !is_finite(b)) return;
        const WindowBox box{snapped(std::min(a.x, b.x)), snapped(std::min(a.y, b.y)),
                            snapped(std::max(a.x, b.x)), snapped(std::max(a.y, b.y))};
        if (item.ref == 0) {
            form = Form::boxes;
            if (stroke == 0.0F)
                boxes.push_back(box);
            else
                set_bars(box, std::max(1.0F, snapped(stroke)));
            return;
        }
        axes.middle = {(box.left + box.right) * 0.5F, (box.top + box.bottom) * 0.5F};
        half = {(box.right - box.left) * 0.5F, (box.bottom - box.top) * 0.5F};
    } else {
        const double radians = item.angle_radians();
        const auto cosine = static_cast<float>(std::cos(radians));
        const auto sine = static_cast<float>(std::sin(radians));
        const float x = left + item.w * 0.5F;
        const float y = top + item.h * 0.5F;
        axes = {view.placed(item.x + x * cosine - y * sine, item.y + x * sine + y * cosine), view, radians};
        half = {std::fabs(item.w) * 0.5F * view.scale, std::fabs(item.h) * 0.5F * view.scale};
    }
    const float shorter = std::min(half.x, half.y);
    const float radius = std::min(item.corner_pixels() * view.scale, shorter);
    if (!(shorter > 0.0F) || !is_finite(half)) return;
    if (stroke >= shorter) stroke = 0.0F;
    add_corners(axes, half, radius, 0.0F, outer);
    form = Form::fan;
    if (stroke == 0.0F) return;
    add_corners(axes, half, radius, stroke, inner);
    form = Form::ring;
}

// The corners are rounded by the radius without the inset, so that each point has a partner.
void ShapeOutline::add_corners(const Axes& axes, WindowPoint half, float radius, float inset,
                               std::vector<WindowPoint>& points) const {
    const int count = radius > 0.0F ? arc_corners(radius * axes.longest(), kPi / 2.0F) : 0;
    const float kept = std::max(0.0F, radius - inset);
    const WindowPoint center{half.x - inset - kept, half.y - inset - kept};
    constexpr float kSigns[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int corner = 0; corner < 4; ++corner)
        for (int i = 0; i <= count; ++i) {
            const float part = count == 0 ? 0.0F : static_cast<float>(i) / static_cast<float>(count);
            const float angle = kPi * (1.0F + 0.5F * (static_cast<float>(corner) + part));
            points.push_back(axes.at(kSigns[corner][0] * center.x + std::cos(angle) * kept,
                                     kSigns[corner][1] * center.y + std::sin(angle) * kept));
        }
}

// Four bars that meet without overlapping.
void ShapeOutline::set_bars(const WindowBox& box, float stroke) {
    const float top = std::min(box.top + stroke, box.bottom);
    const float bottom = std::max(box.bottom - stroke, top);
    const float left = std::min(box.left + stroke, box.right);
    const float right = std::max(box.right - stroke, left);
    boxes.assign({{box.left, box.top, box.right, top},
                  {box.left, bottom, box.right, box.bottom},
                  {box.left, top, left, bottom},
                  {right, top, box.right, bottom}});
}

// ---- ellipses and arcs ------------------------------------------------------------------------------------

void ShapeOutline::set_ellipse(const DrawItem& item, const View& view) {
    const WindowPoint radii{std::fabs(item.w) * view.scale, std::fabs(item.h) * view.scale};
    const double turn = radii.x == radii.y ? 0.0 : item.angle_radians();
    const Axes axes{view.placed(item.x, item.y), view, turn};
    const float stroke = stroke_in_window(item, view);
    if (!(std::min(radii.x, radii.y) > 0.0F)) return;
    form = stroke > 0.0F && stroke < std::min(radii.x, radii.y) ? Form::ring : Form::fan;
    const int corners = circle_corners(std::max(radii.x, radii.y) * axes.longest());
    for (int i = 0; i < corners; ++i) {
        const float angle = 2.0F * kPi * static_cast<float>(i) / static_cast<float>(corners);
        const float x = std::cos(angle);
        const float y = std::sin(angle);
        outer.push_back(axes.at(x * radii.x, y * radii.y));
        if (form == Form::ring) inner.push_back(axes.at(x * (radii.x - stroke), y * (radii.y - stroke)));
    }
}

void ShapeOutline::set_arc(const DrawItem& item, const View& view) {
    constexpr float kRadians = 2.0F * kPi / 65536.0F;
    const std::uint32_t from = item.ref & 0xFFFFU;
    const std::uint32_t turn = ((item.ref >> 16U) - from) & 0xFFFFU;
    const float half = (turn == 0 ? 65536.0F : static_cast<float>(turn)) * kRadians / 2.0F;
    const float middle = static_cast<float>(from) * kRadians + half;
    const float radius = std::fabs(item.w) * view.scale;
    Axes axes{view.placed(item.x, item.y), view, item.angle_radians()};
    // An arc of an ellipse is that of a circle, stretched.
    const float stretch = item.h == item.w ? 1.0F : std::fabs(item.h / item.w);
    axes.down = {axes.down.x * stretch, axes.down.y * stretch};
    if (!(radius > 0.0F && stretch > 0.0F)) return;
    const float stroke = stroke_in_window(item, view);
    auto shape = static_cast<ArcShape>(item.origin_x);
    if (shape == ArcShape::pie && turn == 0)
        shape = ArcShape::closed;  // a circle, without a line to its edge
    if (shape == ArcShape::pie)
        set_pie(axes, radius, stroke, middle, half);
    else if (shape == ArcShape::open && stroke > 0.0F)
        set_open_arc(axes, radius, stroke, middle, half, item.origin_y == static_cast<int>(LineCap::round));
    else
        set_segment(axes, radius, stroke, middle, half);
}

void ShapeOutline::set_pie(const Axes& axes, float radius, float stroke, float middle, float half) {
    const int corners = arc_corners(radius * axes.longest(), 2.0F * half);
    // The stroke leaves a smaller pie, whose edges are parallel. Without one, all is stroke.
    const float inner_radius = radius - stroke;
    const float inner_half = stroke < inner_radius ? half - std::asin(stroke / inner_radius) : 0.0F;
    const bool is_filled = stroke == 0.0F || !(inner_half > 0.0F);
    form = is_filled ? Form::fan : Form::ring;
    const auto add = [&](WindowPoint out, WindowPoint in) {
        outer.push_back(out);
        if (!is_filled) inner.push_back(in);
    };
    if (is_filled || half <= kPi / 2.0F) {
        add(axes.middle, is_filled ? WindowPoint{} : axes.at_angle(middle, stroke / std::sin(half)));
    } else {  // the tip points inwards: its stroke is round
        const float side = half - kPi / 2.0F;
        const int pieces = arc_corners(stroke * axes.longest(), 2.0F * side);
        for (int i = 0; i <= pieces; ++i) {
            const float part = 1.0F - 2.0F * static_cast<float>(i) / static_cast<float>(pieces);
            add(axes.middle, axes.at_angle(middle + side * part, stroke));
        }
    }
    for (int i = 0; i <= corners; ++i) {
        const float part = 2.0F * static_cast<float>(i) / static_cast<float>(corners) - 1.0F;
        add(axes.at_angle(middle + half * part, radius),
            axes.at_angle(middle + inner_half * part, inner_radius));
    }
}

void ShapeOutline::set_segment(const Axes& axes, float radius, float stroke, float middle, float half) {
    const int corners = arc_corners(radius * axes.longest(), 2.0F * half);
    // The stroke leaves a smaller segment, whose chord is parallel. Without one, all is stroke.
    const float inner_radius = radius - stroke;
    const float chord = radius * std::cos(half) + stroke;
    const bool is_filled = stroke == 0.0F || !(chord < inner_radius);
    const float inner_half = is_filled ? 0.0F : std::acos(std::max(-1.0F, chord / inner_radius));
    form = is_filled ? Form::fan : Form::ring;
    for (int i = 0; i <= corners; ++i) {
        const float part = 2.0F * static_cast<float>(i) / static_cast<float>(corners) - 1.0F;
        outer.push_back(axes.at_angle(middle + half * part, radius));
        if (!is_filled) inner.push_back(axes.at_angle(middle + inner_half * part, inner_radius));
    }
}

void ShapeOutline::set_open_arc(const Axes& axes, float radius, float stroke, float middle, float half,
                                bool has_round_ends) {
    const float side = stroke / 2.0F;
    const float outside = radius + side;
    const float inside = std::max(0.0F, radius - side);
    const int corners = arc_corners(outside * axes.longest(), 2.0F * half);
    const bool is_closed = half >= kPi * 0.99999F;
    form = is_closed ? Form::ring : Form::band;
    const auto add_end = [&](float angle, float direction) {
        const float x = std::cos(angle), y = std::sin(angle);
        const int pieces = arc_corners(side * axes.longest(), kPi / 2.0F);
        for (int i = 0; i < pieces; ++i) {
            // From the tip to the arc at the first end, back at the last.
            const int step = direction < 0.0F ? i : pieces - 1 - i;
            const float turn = kPi / 2.0F * (1.0F - static_cast<float>(step) / static_cast<float>(pieces));
            const float along = side * std::sin(turn) * direction;
            const float beside = side * std::cos(turn);
            const auto at = [&](float r) { return axes.at(x * r - y * along, y * r + x * along); };
            outer.push_back(at(radius + beside));
            inner.push_back(at(radius - std::min(beside, radius)));
        }
    };
    const bool has_ends = !is_closed && has_round_ends;
    if (has_ends) add_end(middle - half, -1.0F);
    for (int i = 0; i <= corners - (is_closed ? 1 : 0); ++i) {
        const float part = 2.0F * static_cast<float>(i) / static_cast<float>(corners) - 1.0F;
        outer.push_back(axes.at_angle(middle + half * part, outside));
        inner.push_back(axes.at_angle(middle + half * part, inside));
    }
    if (has_ends) add_end(middle + half, 1.0F);
}

// ---- lines ------------------------------------------------------------------------------------------------

std::optional<WindowLine> line_in_window(const DrawItem& item, const View& view) noexcept {
    auto [x0, y0] = view.placed(item.x, item.y);
    auto [x1, y1] = view.placed(item.w, item.h);
    if (!std::isfinite(x1 - x0) || !std::isfinite(y1 - y0)) return std::nullopt;
    float first = 0.0F;
    float last = 1.0F;
    cut_line(x0, x1 - x0, first, last);
    cut_line(y0, y1 - y0, first, last);
    if (!(first < last)) return std::nullopt;
    if (last < 1.0F) {
        x1 = x0 + (x1 - x0) * last;
        y1 = y0 + (y1 - y0) * last;
    }
    if (first > 0.0F) {
        x0 += (x1 - x0) * (first / last);
        y0 += (y1 - y0) * (first / last);
    }
    const bool is_butt = static_cast<LineCap>(item.origin_x) == LineCap::butt;
    if (is_butt && x0 == x1 && y0 == y1) return std::nullopt;
    const float width = std::max(1.0F, stroke_in_window(item, view));
    return WindowLine{x0, y0, x1, y1, std::min(width, 2 * kFarthest)};
}

void ShapeOutline::set_line(const DrawItem& item, const View& view) {
    const auto line = line_in_window(item, view);
    if (!line) return;
    const auto cap = static_cast<LineCap>(item.origin_x);
    const float half = line->width / 2.0F;
    const float length = std::hypot(line->x1 - line->x0, line->y1 - line->y0);
    const WindowPoint along =
        length > 0.0F ? WindowPoint{(line->x1 - line->x0) / length, (line->y1 - line->y0) / length}
                      : WindowPoint{1.0F, 0.0F};
    const bool is_level = std::fabs(along.y) < kLevel;
    if (cap == LineCap::butt && (is_level || std::fabs(along.x) < kLevel)) {
        const float whole = std::max(1.0F, snapped(line->width));
        WindowBox box{snapped(std::min(line->x0, line->x1) - std::fabs(along.y) * half),
                      snapped(std::min(line->y0, line->y1) - std::fabs(along.x) * half),
                      snapped(std::max(line->x0, line->x1) + std::fabs(along.y) * half),
                      snapped(std::max(line->y0, line->y1) + std::fabs(along.x) * half)};
        if (is_level)
            box.bottom = box.top + whole;
        else
            box.right = box.left + whole;
        boxes.push_back(box);
        form = Form::boxes;
        return;
    }
    form = Form::band;
    // `beside`: of the line, half its width or less; `before`: along it, towards an end.
    const auto add = [&](float x, float y, float before, float beside) {
        const WindowPoint at{x + along.x * before, y + along.y * before};
        outer.push_back({at.x - along.y * beside, at.y + along.x * beside});
        inner.push_back({at.x + along.y * beside, at.y - along.x * beside});
    };
    const float extra = cap == LineCap::square ? half : 0.0F;
    const int pieces = cap == LineCap::round ? arc_corners(half, kPi / 2.0F) : 0;
    const auto turn = [pieces](int i) {
        return kPi / 2.0F * static_cast<float>(i) / static_cast<float>(pieces);
    };
    for (int i = 0; i < pieces; ++i)
        add(line->x0, line->y0, -half * std::cos(turn(i)), half * std::sin(turn(i)));
    add(line->x0, line->y0, -extra, half);
    add(line->x1, line->y1, extra, half);
    for (int i = pieces; i-- > 0;)
        add(line->x1, line->y1, half * std::cos(turn(i)), half * std::sin(turn(i)));
}

}  // namespace perigee
