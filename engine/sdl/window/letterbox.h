// Letterbox: places the logical screen of a game in a window of any size, as its ScreenFit says.
//
// Invariant: the picture is centred and starts on a whole pixel; what it leaves is black bars. Only `stretch`
// changes its aspect ratio, and only `expand` its logical size. Each point of the window has one point of the
// screen, and back. Plain arithmetic; it knows no window.
#pragma once

#include "engine/base/screen.h"

#include <cmath>
#include <cstdint>

namespace perigee {

struct PixelSize {
    int width = 0;
    int height = 0;

    friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

struct Letterbox {
    float scale_x = 1.0F;  ///< window pixels per logical pixel
    float scale_y = 1.0F;
    int x = 0;  ///< window pixel of the logical 0, 0; below 0 where a part of a pixel is cut off
    int y = 0;
    int width = 0;  ///< of the picture, in window pixels
    int height = 0;

    /// Window pixels per logical pixel, on average.
    float scale() const noexcept { return scale_x == scale_y ? scale_x : std::sqrt(scale_x * scale_y); }
    float logical_x(float window_x) const noexcept { return (window_x - static_cast<float>(x)) / scale_x; }
    float logical_y(float window_y) const noexcept { return (window_y - static_cast<float>(y)) / scale_y; }

    friend bool operator==(const Letterbox&, const Letterbox&) = default;
};

/// The screen of a game, before it is placed in a window.
struct ScreenDesc {
    PixelSize logical;
    ScreenFit fit = ScreenFit::letterbox;
    /// It is drawn at its logical size, and that picture is scaled.
    bool is_pixel_art = false;

    ScreenDesc(PixelSize size, ScreenFit how = ScreenFit::letterbox, bool pixel_art = false) noexcept
        : logical(size), fit(how), is_pixel_art(pixel_art) {}
    friend bool operator==(const ScreenDesc&, const ScreenDesc&) = default;
};

struct ScreenLayout {
    PixelSize logical;  ///< grown, if the fit is `expand`
    Letterbox box;
};

/// Places a screen in a window. Sides below 1 count as 1.
ScreenLayout layout_of(const ScreenDesc& screen, PixelSize window) noexcept;

/// The same for `letterbox`.
Letterbox letterbox_of(PixelSize logical, PixelSize window) noexcept;

}  // namespace perigee
