// FrameTimes: how long the stages of a frame took. For tools; the game does not see it.
#pragma once

#include <cstdint>

namespace perigee {

/// Units: nanoseconds.
struct FrameTimes {
    std::uint64_t steps = 0;    ///< all steps of the frame
    std::uint64_t draw = 0;     ///< presentation systems and draw()
    std::uint64_t extract = 0;  ///< from components to the draw list
    std::uint64_t sort = 0;     ///< of the draw list
};

}  // namespace perigee
