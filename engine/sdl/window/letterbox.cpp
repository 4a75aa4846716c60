// The largest scale that fits, or the half step below it.
#include "engine/sdl/window/letterbox.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

// A half step below the largest scale is taken when the bars it costs stay under a sixteenth of the picture.
constexpr double kMinScaleKept = 15.0 / 16.0;

}  // namespace

Letterbox letterbox_of(PixelSize logical, PixelSize window) noexcept {
    const double logical_width = std::max(logical.width, 1);
    const double logical_height = std::max(logical.height, 1);
    const double window_width = std::max(window.width, 1);
    const double window_height = std::max(window.height, 1);

    double scale = std::min(window_width / logical_width, window_height / logical_height);
    const double half_step = std::floor(scale * 2.0) / 2.0;
    if (half_step >= scale * kMinScaleKept) scale = half_step;

    Letterbox box;
    box.scale = static_cast<float>(scale);
    box.width = std::max(1, static_cast<int>(std::lround(logical_width * scale)));
    box.height = std::max(1, static_cast<int>(std::lround(logical_height * scale)));
    box.x = (static_cast<int>(window_width) - box.width) / 2;
    box.y = (static_cast<int>(window_height) - box.height) / 2;
    return box;
}

}  // namespace perigee
