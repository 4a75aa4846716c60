// One scale for both directions, except for `stretch`; then what is left is bars or more of the screen.
#include "engine/sdl/window/letterbox.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

// A half step below the largest scale is taken when the bars it costs stay under a sixteenth of the picture.
constexpr double kMinScaleKept = 15.0 / 16.0;

PixelSize at_least_one(PixelSize size) noexcept {
    return {std::max(size.width, 1), std::max(size.height, 1)};
}

double scale_of(const ScreenDesc& screen, PixelSize window) noexcept {
    const double largest = std::min(static_cast<double>(window.width) / screen.logical.width,
                                    static_cast<double>(window.height) / screen.logical.height);
    const bool is_whole =
        screen.fit == ScreenFit::integer || (screen.fit == ScreenFit::expand && screen.is_pixel_art);
    if (is_whole) return largest >= 1.0 ? std::floor(largest) : largest;
    const double half_step = std::floor(largest * 2.0) / 2.0;
    return half_step >= largest * kMinScaleKept ? half_step : largest;
}

// Grown by as much on both sides, so that what was in the middle of a pixel stays there.
int grown(int side, int window, double scale) noexcept {
    constexpr double kRounding = 1e-6;
    const double more = std::ceil((window / scale - side) / 2.0 - kRounding);
    return std::clamp(side + 2 * static_cast<int>(std::max(more, 0.0)), side,
                      std::max<int>(side, kMaxScreenSide));
}

Letterbox centred(PixelSize logical, PixelSize window, double scale) noexcept {
    Letterbox box;
    box.scale_x = box.scale_y = static_cast<float>(scale);
    box.width = std::max(1, static_cast<int>(std::lround(logical.width * scale)));
    box.height = std::max(1, static_cast<int>(std::lround(logical.height * scale)));
    box.x = (window.width - box.width) / 2;
    box.y = (window.height - box.height) / 2;
    return box;
}

}  // namespace

ScreenLayout layout_of(const ScreenDesc& wanted, PixelSize window) noexcept {
    ScreenDesc screen = wanted;
    screen.logical = at_least_one(wanted.logical);
    window = at_least_one(window);
    if (screen.fit == ScreenFit::stretch)
        return {screen.logical,
                {static_cast<float>(window.width) / static_cast<float>(screen.logical.width),
                 static_cast<float>(window.height) / static_cast<float>(screen.logical.height), 0, 0,
                 window.width, window.height}};
    const double scale = scale_of(screen, window);
    PixelSize logical = screen.logical;
    if (screen.fit == ScreenFit::expand)
        logical = {grown(logical.width, window.width, scale), grown(logical.height, window.height, scale)};
    return {logical, centred(logical, window, scale)};
}

Letterbox letterbox_of(PixelSize logical, PixelSize window) noexcept {
    return layout_of(ScreenDesc{logical}, window).box;
}

}  // namespace perigee
