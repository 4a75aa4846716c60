// View: from the coordinates of items to pixels of the target, for one state.
//
// Invariant: computed in double, since far from the origin two large terms nearly cancel. Pixels count from
// the top left.
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/window/letterbox.h"

#include <cmath>

namespace perigee {

struct WindowPoint {
    float x = 0.0F;
    float y = 0.0F;
};

/// Tolerance for rounding errors of positions at half pixels, in pixels.
inline constexpr float kSnapRoom = 1.0F / 512.0F;
/// Rounds an edge to the boundary between two pixels, as the shaders do. Halves go up, so an item that is
/// a whole number of pixels wide keeps its width everywhere.
inline float snapped(float pixels) noexcept { return std::floor(pixels + (0.5F + kSnapRoom)); }

struct View {
    // pixel = (xx * x + xy * y + x0, yx * x + yy * y + y0)
    float xx = 1.0F, xy = 0.0F, x0 = 0.0F;
    float yx = 0.0F, yy = 1.0F, y0 = 0.0F;
    float scale = 1.0F;      ///< pixels per unit, on average over the directions; not negative
    bool is_upright = true;  ///< level lines stay level
    bool is_similar = true;  ///< circles stay circles

    WindowPoint placed(float x, float y) const noexcept {
        return {xx * x + xy * y + x0, yx * x + yy * y + y0};
    }

    friend bool operator==(const View&, const View&) = default;
};

/// Units of pixels, from the top left of the target.
struct PixelBox {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;

    friend bool operator==(const PixelBox&, const PixelBox&) = default;
};

/// The overlap of two boxes; width and height are 0 if there is none.
PixelBox intersection(const PixelBox& a, const PixelBox& b) noexcept;

View view_of(const DrawState& state, bool is_screen, const Letterbox& box, PixelSize logical) noexcept;

/// The view of what is drawn at the item's place, with its angle, and its size as scales.
View placed(const View& view, const DrawItem& item) noexcept;

/// The pixels of a part of the logical screen, as the box of what is drawn there. Expects: it is inside.
Letterbox part_of(const Letterbox& box, const DrawClip& part) noexcept;

/// The part of the letterbox that the state draws into.
PixelBox clip_of(const DrawState& state, const Letterbox& box) noexcept;

}  // namespace perigee
