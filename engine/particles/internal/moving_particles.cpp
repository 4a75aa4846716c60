// Columns are passed as restrict pointers, so that the loops become vector code.
#include "engine/particles/internal/moving_particles.h"

#include <algorithm>
#include <array>

namespace perigee::internal {

namespace {

template <bool kHasCurve>
std::size_t move_freely(std::size_t count, float* __restrict x, float* __restrict y, float* __restrict vx,
                        float* __restrict vy, float* __restrict age, const float* __restrict pace,
                        const float* __restrict factors, float dt, float kept, float ax, float ay) noexcept {
    std::int32_t dead = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float speed_x = vx[i] * kept + ax;
        const float speed_y = vy[i] * kept + ay;
        vx[i] = speed_x;
        vy[i] = speed_y;
        if constexpr (kHasCurve) {
            x[i] += speed_x * factors[i] * dt;
            y[i] += speed_y * factors[i] * dt;
        } else {
            x[i] += speed_x * dt;
            y[i] += speed_y * dt;
        }
        const float now = age[i] + pace[i] * dt;
        age[i] = now;
        dead += now >= 1.0F ? 1 : 0;
    }
    return static_cast<std::size_t>(dead);
}

}  // namespace

// Two loops, since vector code has no table.
void read_curve(std::size_t count, const SpeedCurve& curve, const float* __restrict age,
                const float* __restrict pace, float dt, float* __restrict values) noexcept {
    std::array<std::int32_t, kParticleBlock> steps;
    for (std::size_t first = 0; first < count; first += kParticleBlock) {
        const std::size_t part = std::min(kParticleBlock, count - first);
        for (std::size_t i = 0; i < part; ++i) steps[i] = life_step(age[first + i] + pace[first + i] * dt);
        for (std::size_t i = 0; i < part; ++i) values[first + i] = curve[static_cast<std::size_t>(steps[i])];
    }
}

std::size_t move_particles(std::size_t count, const MovingColumns& c, const MovingStep& step) noexcept {
    if (step.curve == nullptr)
        return move_freely<false>(count, c.x, c.y, c.vx, c.vy, c.age, c.pace, nullptr, step.dt, step.kept,
                                  step.ax, step.ay);
    std::array<float, kParticleBlock> factors;
    std::size_t dead = 0;
    for (std::size_t at = 0; at < count; at += kParticleBlock) {
        const std::size_t part = std::min(kParticleBlock, count - at);
        read_curve(part, *step.curve, c.age + at, c.pace + at, step.dt, factors.data());
        dead += move_freely<true>(part, c.x + at, c.y + at, c.vx + at, c.vy + at, c.age + at, c.pace + at,
                                  factors.data(), step.dt, step.kept, step.ax, step.ay);
    }
    return dead;
}

void turn_particles(std::size_t count, float* __restrict angle, const float* __restrict spin,
                    float dt) noexcept {
    for (std::size_t i = 0; i < count; ++i) angle[i] += spin[i] * dt;
}

}  // namespace perigee::internal
