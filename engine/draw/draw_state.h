// DrawState: what applies to all immediate drawing from one moment on, until it is changed: the camera, a
// matrix, the rectangle outside of which nothing is drawn, the shader of images, and a mask.
//
// Invariant: plain data, compared by value. A list stores a state once for all items that it applies to
// (draw_list.h). Not here: colour, layer, blend mode and line width, which each item has itself.
#pragma once

#include <cmath>
#include <cstdint>

namespace perigee {

/// The visible part of the world. screen = turned(world - (x, y), -rotation) * zoom + logical size / 2.
struct DrawCamera {
    float x = 0.0F;  ///< world point in the middle of the screen
    float y = 0.0F;
    float zoom = 1.0F;
    float rotation = 0.0F;  ///< radians, clockwise: the picture turns the other way

    bool is_drawable() const noexcept {
        return std::isfinite(x) && std::isfinite(y) && std::isfinite(zoom) && zoom > 0.0F &&
               std::isfinite(rotation);
    }
    friend bool operator==(const DrawCamera&, const DrawCamera&) = default;
};

/// An affine map: (x, y) -> (xx * x + xy * y + x0, yx * x + yy * y + y0).
struct DrawMatrix {
    float xx = 1.0F, xy = 0.0F, x0 = 0.0F;
    float yx = 0.0F, yy = 1.0F, y0 = 0.0F;

    struct Point {
        float x, y;
    };
    Point apply(float x, float y) const noexcept { return {xx * x + xy * y + x0, yx * x + yy * y + y0}; }
    /// The factor by which it scales areas; negative if it mirrors.
    float determinant() const noexcept { return xx * yy - xy * yx; }
    bool is_finite() const noexcept {
        return std::isfinite(xx) && std::isfinite(xy) && std::isfinite(x0) && std::isfinite(yx) &&
               std::isfinite(yy) && std::isfinite(y0);
    }

    /// First `right`, then `left`.
    friend DrawMatrix operator*(const DrawMatrix& left, const DrawMatrix& right) noexcept {
        return {left.xx * right.xx + left.xy * right.yx,
                left.xx * right.xy + left.xy * right.yy,
                left.xx * right.x0 + left.xy * right.y0 + left.x0,
                left.yx * right.xx + left.yy * right.yx,
                left.yx * right.xy + left.yy * right.yy,
                left.yx * right.x0 + left.yy * right.y0 + left.y0};
    }
    friend bool operator==(const DrawMatrix&, const DrawMatrix&) = default;
};

/// A rectangle of the logical screen, in its pixels.
struct DrawClip {
    float x = 0.0F;
    float y = 0.0F;
    float width = -1.0F;  ///< negative: everything is drawn
    float height = -1.0F;

    bool is_everything() const noexcept { return width < 0.0F; }
    friend bool operator==(const DrawClip&, const DrawClip&) = default;
};

/// The matrix from the world to a screen of this size.
inline DrawMatrix camera_matrix(const DrawCamera& camera, float width, float height) noexcept {
    DrawMatrix m{camera.zoom, 0.0F, 0.0F, 0.0F, camera.zoom, 0.0F};
    if (camera.rotation != 0.0F) {
        const float cosine = std::cos(camera.rotation), sine = std::sin(camera.rotation);
        m = {camera.zoom * cosine, camera.zoom * sine, 0.0F, -camera.zoom * sine, camera.zoom * cosine, 0.0F};
    }
    m.x0 = width / 2 - m.xx * camera.x - m.xy * camera.y;
    m.y0 = height / 2 - m.yx * camera.x - m.yy * camera.y;
    return m;
}

struct DrawState {
    DrawCamera camera;  ///< for items of the world
    DrawMatrix matrix;  ///< applied to the coordinates of an item, before the camera
    DrawClip clip;
    std::uint32_t shader = 0;  ///< a number of DrawList::shader(); 0: none
    std::uint32_t mask = 0;    ///< a number of DrawList::mask(); 0: none

    friend bool operator==(const DrawState&, const DrawState&) = default;
};

}  // namespace perigee
