// Places of entities that move with their parent: LocalTransform as the game writes it, WorldTransform as the
// transform system works it out.
//
// Invariant: after the system ran, the WorldTransform of an entity is that of its parent times its own
// LocalTransform; a parent without a transform counts as standing at the origin. Chunks in which nothing can
// have changed are neither computed nor marked as changed. It does not interpolate and draws nothing.
#pragma once

#include "ecs/internal/sin_cos.h"
#include "ecs/result.h"
#include "ecs/schedule.h"

#include <string_view>

namespace perigee {

class World;

/// Where an entity is, as seen from its parent: scaled, then turned, then moved.
struct LocalTransform {
    float x = 0, y = 0;              ///< px
    float rotation = 0;              ///< rad, clockwise on the screen
    float scale_x = 1, scale_y = 1;  ///< negative flips
    bool operator==(const LocalTransform&) const = default;
};

/// The affine map from an entity's own space to the world's: a point (u, v) is at
/// (xx * u + yx * v + x, xy * u + yy * v + y).
struct WorldTransform {
    float xx = 1, xy = 0;  ///< where the own x axis points, times its scale
    float yx = 0, yy = 1;
    float x = 0, y = 0;
    bool operator==(const WorldTransform&) const = default;
};

/// Declares and binds both, and the components of the hierarchy. LocalTransform brings WorldTransform along.
/// Errors: one of the names stands for something else.
Result<void> declare_transforms(World& world);

/// Declares them and adds the system "engine:transforms". Its group, `transforms`, runs in every step after
/// `simulation` has played back its commands, so that what they spawn and move is in place for the picture.
/// Cost: about that of one pass over the moved entities in plain arrays; next to nothing when none moved.
/// Errors: those of declare_transforms and Schedule::add.
Result<SystemId> add_transform_system(World& world, Schedule& schedule);

/// The map of one transform. The same on every machine.
inline WorldTransform world_from_local(const LocalTransform& local) noexcept {
    const internal::SinCos turn = internal::sin_cos(local.rotation);
    return {turn.cos * local.scale_x,
            turn.sin * local.scale_x,
            -turn.sin * local.scale_y,
            turn.cos * local.scale_y,
            local.x,
            local.y};
}

/// First `inner`, then `outer`.
inline WorldTransform combined(const WorldTransform& outer, const WorldTransform& inner) noexcept {
    return {
        outer.xx * inner.xx + outer.yx * inner.xy,         outer.xy * inner.xx + outer.yy * inner.xy,
        outer.xx * inner.yx + outer.yx * inner.yy,         outer.xy * inner.yx + outer.yy * inner.yy,
        outer.xx * inner.x + outer.yx * inner.y + outer.x, outer.xy * inner.x + outer.yy * inner.y + outer.y};
}

}  // namespace perigee
