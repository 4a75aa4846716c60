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
    const double scale = (is_screen ? 1.0 : static_cast<double>(camera.zoom)) * box.scale;
    const double x = box.x + (is_screen ? 0.0 : 0.5 * logical.width * box.scale - camera.x * scale);
    const double y = box.y + (is_screen ? 0.0 : 0.5 * logical.height * box.scale - camera.y * scale);
    const DrawMatrix& m = state.matrix;
    View view;
    view.xx = static_cast<float>(m.xx * scale);
    view.xy = static_cast<float>(m.xy * scale);
    view.x0 = static_cast<float>(m.x0 * scale + x);
    view.yx = static_cast<float>(m.yx * scale);
    view.yy = static_cast<float>(m.yy * scale);
    view.y0 = static_cast<float>(m.y0 * scale + y);
    view.scale = static_cast<float>(std::sqrt(std::fabs(static_cast<double>(m.determinant()))) * scale);
    view.is_upright = m.xy == 0.0F && m.yx == 0.0F;
    view.is_similar = std::fabs(m.xx) == std::fabs(m.yy) && std::fabs(m.xy) == std::fabs(m.yx);
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

PixelBox clip_of(const DrawState& state, const Letterbox& box) noexcept {
    if (state.clip.is_everything()) return {box.x, box.y, box.width, box.height};
    // Whole pixels, inside of the letterbox whatever the numbers are.
    const auto edge = [&box](float logical, int start, int size) {
        const double pixel = start + static_cast<double>(logical) * box.scale;
        return static_cast<int>(std::nearbyint(std::clamp(pixel, double(start), double(start + size))));
    };
    const int left = edge(state.clip.x, box.x, box.width);
    const int top = edge(state.clip.y, box.y, box.height);
    const int right = edge(state.clip.x + state.clip.width, box.x, box.width);
    const int bottom = edge(state.clip.y + state.clip.height, box.y, box.height);
    return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

}  // namespace perigee
