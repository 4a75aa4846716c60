// Letterbox: places the logical screen of a game in a window of any size.
//
// Invariant: the picture keeps its aspect ratio, is centred, and starts on a whole pixel; the rest is black
// bars. The scale is a multiple of one half if that costs little, so that pixel art has pixels of equal size.
// Plain arithmetic; it knows no window.
#pragma once

#include <cstdint>

namespace perigee {

struct PixelSize {
    int width = 0;
    int height = 0;

    friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

struct Letterbox {
    float scale = 1.0F;  ///< window pixels per logical pixel
    int x = 0;           ///< window pixel of the logical 0, 0
    int y = 0;
    int width = 0;  ///< of the picture, in window pixels
    int height = 0;

    float logical_x(float window_x) const noexcept { return (window_x - static_cast<float>(x)) / scale; }
    float logical_y(float window_y) const noexcept { return (window_y - static_cast<float>(y)) / scale; }

    friend bool operator==(const Letterbox&, const Letterbox&) = default;
};

/// Fits a logical screen into a window. Sides below 1 count as 1.
Letterbox letterbox_of(PixelSize logical, PixelSize window) noexcept;

}  // namespace perigee
