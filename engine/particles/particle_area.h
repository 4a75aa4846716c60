// The area in which particles begin: its shapes, and places in it.
//
// Invariant: places are spread evenly, but for a cloud, and are those that the random stream says. All are
// finite and, but for a cloud, within the area. Not here: which way particles go from there
// (particle_pool.h).
#pragma once

#include "ecs/base/random.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

/// A ring and a frame are the borders of a disc and of a rectangle. A cloud is dense in its middle: 95 of 100
/// places along each axis are in it, the others around it.
enum class AreaShape : std::uint8_t { disc, ring, rectangle, frame, line, cloud };
inline constexpr std::array<std::string_view, 6> kAreaShapeNames{"disc",  "ring", "rectangle",
                                                                 "frame", "line", "cloud"};

/// The part of a preset. Its middle is where the emitter is.
struct ParticleArea {
    static constexpr float kLargest = 2e6F;

    AreaShape shape = AreaShape::disc;
    float width = 0.0F, height = 0.0F;  ///< px; a line has no height
    float rotation = 0.0F;              ///< radians
    bool is_outward = false;            ///< directions count from the one away from its middle

    bool is_point() const noexcept { return !(width > 0.0F) && !(height > 0.0F); }
};

/// A place relative to the middle of the area, in pixels.
struct AreaPlace {
    float x = 0.0F, y = 0.0F;
};

/// An area for some particles.
class AreaPlaces {
public:
    /// `turn`: radians, added to its rotation.
    AreaPlaces(const ParticleArea& area, float turn) noexcept;

    AreaPlace next(Random& random) const noexcept;

private:
    AreaPlace on_ring(Random& random) const noexcept;
    AreaPlace on_frame(Random& random) const noexcept;

    AreaShape shape_;
    float half_width_, half_height_;
    float cos_, sin_;  // of its rotation
};

/// Uniform in [0, 1), 24 bits.
inline float unit_of(Random& random) noexcept { return static_cast<float>(random.next() >> 40U) * 0x1p-24F; }

}  // namespace perigee
