// 3D transforms of entities that move with their parent: the game writes Translation, Rotation and Scale, the
// 3D transform system computes LocalToWorld.
//
// Invariant: after the system ran, the LocalToWorld of an entity is that of its parent times its own
// translation, rotation and scale. Each of the three may be missing, and a parent without a LocalToWorld
// counts as the identity. Chunks in which nothing can have changed are neither computed nor marked as
// changed. It does not interpolate and draws nothing. transform.h is the same in 2D; a game may use both.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/bind.h"

namespace perigee {

class World;

/// Where an entity is, as seen from its parent.
struct Translation {
    Vec3 value;
    bool operator==(const Translation&) const = default;
};

/// How it is turned. The length of the quaternion does not matter; all zeros turn nothing.
struct Rotation {
    Quat value;
    bool operator==(const Rotation&) const = default;
};

/// How it is scaled along its own axes, before it is turned; negative mirrors.
struct Scale {
    Vec3 value{1, 1, 1};
    bool operator==(const Scale&) const = default;
};

/// The map from an entity's own space to the world's.
struct LocalToWorld {
    Mat4 value;
    bool operator==(const LocalToWorld&) const = default;
};

/// Declares and binds the four, and the components of the hierarchy. The first three require LocalToWorld.
/// Errors: one of the names is already used for something else.
Result<void> declare_transforms_3d(World& world);

/// Declares them and adds the system "engine:transforms_3d" to the group `transforms`, which runs in every
/// step after `simulation` has played back its commands. Cost: about one pass over the moved entities in
/// plain arrays; almost none when nothing moved. Errors: those of declare_transforms_3d and Schedule::add.
Result<SystemId> add_transform_3d_system(World& world, Schedule& schedule);

// The results of the following functions are the same on every machine.

/// A turn by `angle` (rad) around `axis`, counter-clockwise when the axis points to the viewer. The length of
/// the axis does not matter; without one nothing is turned.
Quat rotation_about(const Vec3& axis, float angle) noexcept;

/// Turns by `inner`, then by `outer`.
Quat combined(const Quat& outer, const Quat& inner) noexcept;

/// Scales, then turns, then moves.
inline Mat4 matrix_from(const Vec3& translation, const Quat& rotation, const Vec3& scale) noexcept {
    const Quat& q = rotation;
    const float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    const float k = length2 > 1e-36f ? 2 / length2 : 0;  // below, 2 / length2 could be infinite
    const float x = q.x * k, y = q.y * k, z = q.z * k;
    const float xx = x * q.x, yy = y * q.y, zz = z * q.z, xy = x * q.y, xz = x * q.z, yz = y * q.z;
    const float wx = x * q.w, wy = y * q.w, wz = z * q.w;
    const auto& [sx, sy, sz] = scale;
    return {(1 - (yy + zz)) * sx, (xy + wz) * sx,       (xz - wy) * sx,       0,
            (xy - wz) * sy,       (1 - (xx + zz)) * sy, (yz + wx) * sy,       0,
            (xz + wy) * sz,       (yz - wx) * sz,       (1 - (xx + yy)) * sz, 0,
            translation.x,        translation.y,        translation.z,        1};
}

/// Applies `inner`, then `outer`: the matrix product.
inline Mat4 combined(const Mat4& outer, const Mat4& inner) noexcept {
    // A column is a linear combination of the outer columns. As vectors, since g++ does not find them itself.
    using Vector = float __attribute__((vector_size(16)));
    const Vector x = {outer.xx, outer.xy, outer.xz, outer.xw}, y = {outer.yx, outer.yy, outer.yz, outer.yw};
    const Vector z = {outer.zx, outer.zy, outer.zz, outer.zw}, w = {outer.wx, outer.wy, outer.wz, outer.ww};
    const Vector a = x * inner.xx + y * inner.xy + z * inner.xz + w * inner.xw;
    const Vector b = x * inner.yx + y * inner.yy + z * inner.yz + w * inner.yw;
    const Vector c = x * inner.zx + y * inner.zy + z * inner.zz + w * inner.zw;
    const Vector d = x * inner.wx + y * inner.wy + z * inner.wz + w * inner.ww;
    return {a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3], d[0], d[1], d[2], d[3]};
}

/// Where a point of the matrix's own space is in the world's.
inline Vec3 transformed(const Mat4& matrix, const Vec3& point) noexcept {
    const auto& [x, y, z] = point;
    return {matrix.xx * x + matrix.yx * y + matrix.zx * z + matrix.wx,
            matrix.xy * x + matrix.yy * y + matrix.zy * z + matrix.wy,
            matrix.xz * x + matrix.yz * y + matrix.zz * z + matrix.wz};
}

}  // namespace perigee
