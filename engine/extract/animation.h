// The system that advances gfx:Animation in each step, and shows its frame in gfx:Sprite.
//
// Invariant: it is part of the simulation: what it writes depends on the components, the clips and the length
// of a step alone. It runs in the group transforms, after what the simulation decided in the step. An
// animation enters at most one round of its clip in a step, whatever its speed. Not here: what clips are
// (animation_clips.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/extract/components.h"

namespace perigee {

class AnimationClips;
class Schedule;
class World;
struct AnimationClip;

/// What an animation enters while it advances.
class AnimationListener {
public:
    virtual ~AnimationListener() = default;
    virtual void enters(std::uint16_t position) = 0;
    virtual void ends(std::uint16_t position) = 0;
};

/// Advances one animation of this clip by `seconds`, which may be negative. A time that a script wrote is
/// where it goes on from. `key` identifies the clip; another one than before starts at its beginning, or at
/// its end if it goes backwards.
void advance(Animation& animation, const AnimationClip& clip, std::uint32_t key, float seconds,
             AnimationListener& listener);

/// Adds the system "gfx:animate". Lifetime: `clips` must outlive the schedule.
Result<void> add_animation_system(Schedule& schedule, const EngineComponents& components,
                                  AnimationClips& clips);

}  // namespace perigee
