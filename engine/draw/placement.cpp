// A matrix that scales evenly without mirroring has the form (a -b / b a).
#include "engine/draw/placement.h"

#include <cmath>

namespace perigee {

namespace {

bool is_even(const DrawMatrix& m) noexcept {
    const float size = std::fabs(m.xx) + std::fabs(m.yx);
    const float tolerance = size * 1e-5F;
    return std::fabs(m.xx - m.yy) <= tolerance && std::fabs(m.xy + m.yx) <= tolerance &&
           m.determinant() > 0.0F;
}

// Whether it scales all directions alike; it may mirror.
bool is_similar(const DrawMatrix& m) noexcept {
    const float x = m.xx * m.xx + m.yx * m.yx, y = m.xy * m.xy + m.yy * m.yy;
    const float tolerance = (x + y) * 1e-5F;
    return std::fabs(x - y) <= tolerance && std::fabs(m.xx * m.xy + m.yx * m.yy) <= tolerance;
}

}  // namespace

Placement::Placement(const DrawMatrix& matrix) noexcept
    : matrix_(matrix), is_identity_(matrix == DrawMatrix{}) {
    if (is_identity_) return;
    scale_ = std::sqrt(std::fabs(matrix.determinant()));
    is_applied_ = is_even(matrix);
    if (is_applied_) {
        angle_ = quantised_angle(std::atan2(matrix.yx, matrix.xx));
    } else {
        state_matrix_ = matrix;
        is_uneven_ = !is_similar(matrix);
    }
}

void Placement::move(DrawItem& item) const noexcept {
    const DrawMatrix::Point at = matrix_.apply(item.x, item.y);
    if (item.kind == DrawKind::line) {
        const DrawMatrix::Point end = matrix_.apply(item.w, item.h);
        item.w = end.x;
        item.h = end.y;
    } else {
        item.w *= scale_;
        item.h *= scale_;
        item.angle = static_cast<std::uint16_t>(item.angle + angle_);
        if (item.kind == DrawKind::rectangle && item.ref != 0)
            item.ref = quantised_corner(item.corner_pixels() * scale_);
    }
    item.x = at.x;
    item.y = at.y;
    if (item.stroke != 0) item.stroke = quantised_stroke(item.stroke_pixels() * scale_);
}

}  // namespace perigee
