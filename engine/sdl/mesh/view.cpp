// Matrix first, then camera, then letterbox.
#include "engine/sdl/mesh/view.h"

#include <algorithm>
#include <cmath>

namespace perigee {

PixelBox intersection(const PixelBox& a, const PixelBox& b) noexcept {
    const int left = std::max(a.x, b.x), right = std::min(a.x + a.width, b.x + b.width);
    const int top = std::max(a.y, b.y), bottom = std::min(a.y + a.height, b.y + b.height);
    return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

View view_of(const DrawState& state, bool is_screen, const Letterbox& box, PixelSize logical) noexcept {
    const DrawCamera& camera = state.camera;
    const double zoom = is_screen ? 1.0 : static_cast<double>(camera.zoom);
    const bool is_turned = !is_screen && camera.rotation != 0.0F;
    const double along = is_turned ? zoom * std::cos(static_cast<double>(camera.rotation)) : zoom;
    const double aside = is_turned ? zoom * std::sin(static_cast<double>(camera.rotation)) : 0.0;
    // Of the camera, in pixels: the rows of its matrix, which the box may scale differently.
    const double x_along = along * box.scale_x, x_aside = aside * box.scale_x;
    const double y_along = along * box.scale_y, y_aside = aside * box.scale_y;
    double x = box.x, y = box.y;
    if (!is_screen) {
        x += 0.5 * logical.width * box.scale_x - camera.x * x_along - camera.y * x_aside;
        y += 0.5 * logical.height * box.scale_y + camera.x * y_aside - camera.y * y_along;
    }
    const DrawMatrix& m = state.matrix;
    View view;
    view.xx = static_cast<float>(m.xx * x_along + m.yx * x_aside);
    view.xy = static_cast<float>(m.xy * x_along + m.yy * x_aside);
    view.x0 = static_cast<float>(m.x0 * x_along + m.y0 * x_aside + x);
    view.yx = static_cast<float>(m.yx * y_along - m.xx * y_aside);
    view.yy = static_cast<float>(m.yy * y_along - m.xy * y_aside);
    view.y0 = static_cast<float>(m.y0 * y_along - m.x0 * y_aside + y);
    view.scale =
        static_cast<float>(std::sqrt(std::fabs(static_cast<double>(m.determinant()))) * (zoom * box.scale()));
    view.is_upright = view.xy == 0.0F && view.yx == 0.0F;
    view.is_similar = box.scale_x == box.scale_y && std::fabs(m.xx) == std::fabs(m.yy) &&
                      std::fabs(m.xy) == std::fabs(m.yx);
    return view;
}

View placed(const View& view, const DrawItem& item) noexcept {
    const double cosine = std::cos(item.angle_radians()), sine = std::sin(item.angle_radians());
    const DrawMatrix own{static_cast<float>(cosine * item.w), static_cast<float>(-sine * item.h),  item.x,
                         static_cast<float>(sine * item.w),   static_cast<float>(cosine * item.h), item.y};
    const DrawMatrix m = DrawMatrix{view.xx, view.xy, view.x0, view.yx, view.yy, view.y0} * own;
    View placed{m.xx, m.xy, m.x0, m.yx, m.yy, m.y0};
    placed.scale = static_cast<float>(std::sqrt(std::fabs(static_cast<double>(m.determinant()))));
    placed.is_upright = m.xy == 0.0F && m.yx == 0.0F;
    placed.is_similar = std::fabs(m.xx) == std::fabs(m.yy) && std::fabs(m.xy) == std::fabs(m.yx);
    return placed;
}

Letterbox part_of(const Letterbox& box, const DrawClip& part) noexcept {
    if (part.is_everything()) return box;
    const auto edge = [](float logical, float scale) {
        const float pixel = logical * scale;
        return pixel > 0.0F ? static_cast<int>(std::lround(std::min(pixel, 1e6F))) : 0;  // also for NaN
    };
    Letterbox found = box;
    found.x += edge(part.x, box.scale_x);
    found.y += edge(part.y, box.scale_y);
    found.width = std::max(0, edge(part.x + part.width, box.scale_x) - edge(part.x, box.scale_x));
    found.height = std::max(0, edge(part.y + part.height, box.scale_y) - edge(part.y, box.scale_y));
    return found;
}

PixelBox clip_of(const DrawState& state, const Letterbox& box) noexcept {
    if (state.clip.is_everything()) return {box.x, box.y, box.width, box.height};
    // Whole pixels, inside of the letterbox whatever the numbers are, NaN included.
    const auto edge = [](float logical, float scale, int start, int size) {
        const double pixel = start + static_cast<double>(logical) * scale;
        const double inside = pixel > start ? std::min(pixel, double(start + size)) : double(start);
        return static_cast<int>(snapped(static_cast<float>(inside)));
    };
    const int left = edge(state.clip.x, box.scale_x, box.x, box.width);
    const int top = edge(state.clip.y, box.scale_y, box.y, box.height);
    const int right = edge(state.clip.x + state.clip.width, box.scale_x, box.x, box.width);
    const int bottom = edge(state.clip.y + state.clip.height, box.scale_y, box.y, box.height);
    return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

}  // namespace perigee
