// Places of each shape, before they are turned.
#include "engine/particles/particle_area.h"

#include "engine/draw/shapes/point.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {}  // namespace

AreaPlaces::AreaPlaces(const ParticleArea& area, float turn) noexcept
    : shape_(area.shape),
      half_width_(area.width * 0.5F),
      half_height_(area.height * 0.5F),
      cos_(std::cos(area.rotation + turn)),
      sin_(std::sin(area.rotation + turn)) {}

// Even angles are dense where an ellipse bends, so some are refused: as many as the border there is shorter.
AreaPlace AreaPlaces::on_ring(Random& random) const noexcept {
    constexpr int kTries = 32;
    const float longest = std::max(half_width_, half_height_);
    for (int left = kTries;; --left) {
        const float around = kFullTurn<float> * unit_of(random);
        const float across = std::cos(around), along = std::sin(around);
        const bool is_even = half_width_ == half_height_;
        if (is_even || left == 0 ||
            unit_of(random) * longest <= std::hypot(half_width_ * along, half_height_ * across))
            return {half_width_ * across, half_height_ * along};
    }
}

AreaPlace AreaPlaces::on_frame(Random& random) const noexcept {
    const float at = unit_of(random) * (half_width_ + half_height_) * 2.0F;
    const float side = unit_of(random) < 0.5F ? -1.0F : 1.0F;
    if (at < 2.0F * half_width_) return {at - half_width_, side * half_height_};
    return {side * half_width_, at - 2.0F * half_width_ - half_height_};
}

AreaPlace AreaPlaces::next(Random& random) const noexcept {
    AreaPlace at;
    switch (shape_) {
        case AreaShape::disc: {
            const float around = kFullTurn<float> * unit_of(random);
            const float away = std::sqrt(unit_of(random));
            at = {half_width_ * away * std::cos(around), half_height_ * away * std::sin(around)};
            break;
        }
        case AreaShape::ring:
            at = on_ring(random);
            break;
        case AreaShape::rectangle:
            at.x = half_width_ * (2.0F * unit_of(random) - 1.0F);
            at.y = half_height_ * (2.0F * unit_of(random) - 1.0F);
            break;
        case AreaShape::frame:
            at = on_frame(random);
            break;
        case AreaShape::line:
            at.x = half_width_ * (2.0F * unit_of(random) - 1.0F);
            break;
        case AreaShape::cloud: {  // source: G. Box and M. Muller, 1958. Half of a side is two deviations.
            const float away = 0.5F * std::sqrt(-2.0F * std::log(1.0F - unit_of(random)));
            const float around = kFullTurn<float> * unit_of(random);
            at = {half_width_ * away * std::cos(around), half_height_ * away * std::sin(around)};
            break;
        }
    }
    return {at.x * cos_ - at.y * sin_, at.x * sin_ + at.y * cos_};
}

}  // namespace perigee
