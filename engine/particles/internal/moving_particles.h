// One step of particles without walls, and the loops that both kinds of steps share.
//
// Invariant: each loop is vector code over columns that do not overlap. What a preset does not use costs
// nothing: its loop does not run. Not here: the step among walls (walled_particles.h), and which loops a
// preset needs (particle_pool.h).
#pragma once

#include "engine/particles/particle_preset.h"

#include <cstddef>
#include <cstdint>

namespace perigee::internal {

using SpeedCurve = std::array<float, ParticlePreset::kCurveSteps>;

/// What goes in blocks has this many particles in one, so that it stays in the cache.
inline constexpr std::size_t kParticleBlock = 256;

/// Columns of a pool.
struct MovingColumns {
    float *x, *y, *vx, *vy, *age;
    const float* pace;
};

/// What a step does to the speed of each particle, and how fast it moves with it.
struct MovingStep {
    float dt;                           ///< seconds
    float kept;                         ///< the part of the speed that drag leaves
    float ax, ay;                       ///< px a second, added to the speed
    const SpeedCurve* curve = nullptr;  ///< multiplies the speed as it moves; null: 1 at any age
};

/// The step of a life at this age. What is dead has any.
inline std::int32_t life_step(float age) noexcept {
    constexpr std::int32_t kSteps = ParticlePreset::kCurveSteps;
    static_assert((kSteps & (kSteps - 1)) == 0);
    return static_cast<std::int32_t>(age * static_cast<float>(kSteps)) & (kSteps - 1);
}

// What the loops over particles with and without walls do with each; inlined, it is vector code.
[[gnu::always_inline]] inline void move_one(float& x, float& y, float speed_x, float speed_y,
                                            float dt) noexcept {
    x += speed_x * dt;
    y += speed_y * dt;
}
/// 1: it is dead.
[[gnu::always_inline]] inline std::int32_t age_one(float& age, float pace, float dt) noexcept {
    const float now = age + pace * dt;
    age = now;
    return now >= 1.0F ? 1 : 0;
}

/// The values of a curve at the age that each particle has after `dt` seconds.
void read_curve(std::size_t count, const SpeedCurve& curve, const float* __restrict age,
                const float* __restrict pace, float dt, float* __restrict values) noexcept;

/// Returns how many are dead.
std::size_t move_particles(std::size_t count, const MovingColumns& columns, const MovingStep& step) noexcept;

/// Where particles are pulled, away from a centre and around it: px a second, each second.
struct PullColumns {
    const float *center_x, *center_y, *radial, *tangential;
};
/// Changes the speeds alone.
void pull_particles(std::size_t count, const MovingColumns& columns, const PullColumns& pull,
                    float dt) noexcept;

/// Turns to the way in which they have moved, in turns / 65536. What hardly moves keeps its angle. `curve`:
/// as of the step.
void face_particles(std::size_t count, const MovingColumns& columns, const SpeedCurve* curve,
                    float* __restrict facing) noexcept;

void turn_particles(std::size_t count, float* __restrict angle, const float* __restrict spin,
                    float dt) noexcept;

}  // namespace perigee::internal
