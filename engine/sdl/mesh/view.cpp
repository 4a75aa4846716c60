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
    const bool is_turned = !is_screen && camera.rotation != 0.0F;
    const double along = is_turned ? scale * std::cos(static_cast<double>(camera.rotation)) : scale;
    const double aside = is_turned ? scale * std::sin(static_cast<double>(camera.rotation)) : 0.0;
    double x = box.x, y = box.y;
    if (!is_screen) {
        x += 0.5 * logical.width * box.scale - camera.x * along - camera.y * aside;
        y += 0.5 * logical.height * box.scale + camera.x * aside - camera.y * along;
    }
    const DrawMatrix& m = state.matrix;
    View view;
    view.xx = static_cast<float>(m.xx * along + m.yx * aside);
    view.xy = static_cast<float>(m.xy * along + m.yy * aside);
    view.x0 = static_cast<float>(m.x0 * along + m.y0 * aside + x);
    view.yx = static_cast<float>(m.yx * along - m.xx * aside);
    view.yy = static_cast<float>(m.yy * along - m.xy * aside);
    view.y0 = static_cast<float>(m.y0 * along - m.x0 * aside + y);
    view.scale = static_cast<float>(std::sqrt(std::fabs(static_cast<double>(m.determinant()))) * scale);
    view.is_upright = view.xy == 0.0F && view.yx == 0.0F;
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

Letterbox part_of(const Letterbox& box, const DrawClip& part) noexcept {
    if (part.is_everything()) return box;
    const auto edge = [&box](float logical) {
        return static_cast<int>(std::lround(std::clamp(logical * box.scale, 0.0F, 1e6F)));
    };
    Letterbox found = box;
    found.x += edge(part.x);
    found.y += edge(part.y);
    found.width = std::max(0, edge(part.x + part.width) - edge(part.x));
    found.height = std::max(0, edge(part.y + part.height) - edge(part.y));
    return found;
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
