// The systems that move cameras: gfx:Follow goes after another entity, and gfx:Shake calms down.
//
// Invariant: they are part of the simulation: what they write depends on the components, the size of the
// screen and the length of a step alone. They run in the group transforms, after what the simulation decided
// in the step. Not here: what a camera shows (views.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/base/screen.h"
#include "engine/extract/components.h"
#include "engine/extract/interpolation.h"

namespace perigee {

class Schedule;
class World;
struct PositionColumn;

/// Where a camera at `at` goes in a step of `dt` seconds. `half_width`, `half_height`: of what it shows.
PreviousPositions::Point followed(const Follow& follow, PreviousPositions::Point at,
                                  PreviousPositions::Point target, float half_width, float half_height,
                                  float dt) noexcept;

/// Adds the systems "gfx:follow" and "gfx:shake". Lifetime: `screen`, its size in the step, that of the
/// world. The bounds of a camera with a View on a canvas hold for its middle alone.
Result<void> add_camera_systems(World& world, Schedule& schedule, const EngineComponents& components,
                                const PositionColumn& position, const ScreenSize& screen);

}  // namespace perigee
