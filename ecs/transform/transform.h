// Transforms of entities that move with their parent: the game writes LocalTransform, the transform system
// computes WorldTransform.
//
// Invariant: after the system ran, the WorldTransform of an entity is that of its parent times its own
// LocalTransform; a parent without a transform counts as the identity. Chunks in which nothing can have
// changed are neither computed nor marked as changed. It does not interpolate and draws nothing.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schedule/schedule.h"
#include "ecs/transform/internal/sin_cos.h"

#include <string_view>

namespace perigee {

class World;

/// Transform of an entity relative to its parent: scale, then rotation, then translation.
struct LocalTransform {
    float x = 0, y = 0;              ///< px
    float rotation = 0;              ///< rad, clockwise on the screen
    float scale_x = 1, scale_y = 1;  ///< negative flips
    bool operator==(const LocalTransform&) const = default;
};

/// The affine map from an entity's own space to the world's: a point (u, v) is at
/// (xx * u + yx * v + x, xy * u + yy * v + y).
struct WorldTransform {
    float xx = 1, xy = 0;  ///< direction of the local x axis, times its scale
    float yx = 0, yy = 1;
    float x = 0, y = 0;
    bool operator==(const WorldTransform&) const = default;
};

/// Declares and binds both, and the components of the hierarchy. LocalTransform requires WorldTransform.
/// Errors: one of the names is already used for something else.
Result<void> declare_transforms(World& world);

/// Declares them and adds the system "engine:transforms". Its group, `transforms`, runs in every step after
/// `simulation` has played back its commands, so that entities that they spawn or move are up to date for the
/// frame. Cost: about one pass over the moved entities in plain arrays; almost none when nothing moved.
/// Errors: those of declare_transforms and Schedule::add.
Result<SystemId> add_transform_system(World& world, Schedule& schedule);

/// The map of one transform. The result is the same on every machine.
inline WorldTransform world_from_local(const LocalTransform& local) noexcept {
    const internal::SinCos turn = internal::sin_cos(local.rotation);
    return {turn.cos * local.scale_x,
            turn.sin * local.scale_x,
            -turn.sin * local.scale_y,
            turn.cos * local.scale_y,
            local.x,
            local.y};
}

/// Applies `inner`, then `outer`.
inline WorldTransform combined(const WorldTransform& outer, const WorldTransform& inner) noexcept {
    return {
        outer.xx * inner.xx + outer.yx * inner.xy,         outer.xy * inner.xx + outer.yy * inner.xy,
        outer.xx * inner.yx + outer.yx * inner.yy,         outer.xy * inner.yx + outer.yy * inner.yy,
        outer.xx * inner.x + outer.yx * inner.y + outer.x, outer.xy * inner.x + outer.yy * inner.y + outer.y};
}

}  // namespace perigee
