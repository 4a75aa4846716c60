// Columns are passed as restrict pointers, so that the loops become vector code.
#include "engine/particles/internal/moving_particles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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
        if constexpr (kHasCurve)
            move_one(x[i], y[i], speed_x * factors[i], speed_y * factors[i], dt);
        else
            move_one(x[i], y[i], speed_x, speed_y, dt);
        dead += age_one(age[i], pace[i], dt);
    }
    return static_cast<std::size_t>(dead);
}

// Of the direction of x, y in turns / 65536, clockwise. Off by less than a part. Source: M. Abramowitz and I.
// Stegun, Handbook of Mathematical Functions, 4.4.49, with other coefficients.
float parts_towards(float x, float y) noexcept {
    constexpr float kQuarter = 16384.0F;
    constexpr float kPartsPerRadian = kQuarter * 2.0F / std::numbers::pi_v<float>;
    const float wide = std::fabs(x), high = std::fabs(y);
    const float t = std::min(wide, high) / std::max(wide, high);
    const float s = t * t;
    const float angle =
        t *
        (0.99997726F +
         s * (-0.33262347F + s * (0.19354346F + s * (-0.11643287F + s * (0.05265332F - s * 0.01172120F)))));
    const float within = angle * kPartsPerRadian;
    const float steep = high > wide ? kQuarter - within : within;
    const float across = x < 0.0F ? 2.0F * kQuarter - steep : steep;
    return y < 0.0F ? -across : across;
}

void face_block(std::size_t count, const float* __restrict vx, const float* __restrict vy,
                const float* __restrict factors, float* __restrict facing) noexcept {
    constexpr float kSlowest = 1.0F;  // px a second
    for (std::size_t i = 0; i < count; ++i) {
        const float x = vx[i] * factors[i], y = vy[i] * factors[i];
        const float towards = parts_towards(x, y);
        facing[i] = std::max(std::fabs(x), std::fabs(y)) > kSlowest ? towards : facing[i];
    }
}

void pull_each(std::size_t count, const float* __restrict x, const float* __restrict y, float* __restrict vx,
               float* __restrict vy, const PullColumns& pull, float dt) noexcept {
    constexpr float kNearest = 1e-6F;  // at its centre there is no way away from it
    const float* __restrict const center_x = pull.center_x;
    const float* __restrict const center_y = pull.center_y;
    const float* __restrict const radial = pull.radial;
    const float* __restrict const tangential = pull.tangential;
    for (std::size_t i = 0; i < count; ++i) {
        const float dx = x[i] - center_x[i], dy = y[i] - center_y[i];
        const float square = dx * dx + dy * dy;
        const float part = square > kNearest ? dt / std::sqrt(square) : 0.0F;
        vx[i] += (dx * radial[i] - dy * tangential[i]) * part;
        vy[i] += (dy * radial[i] + dx * tangential[i]) * part;
    }
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

void pull_particles(std::size_t count, const MovingColumns& c, const PullColumns& pull, float dt) noexcept {
    pull_each(count, c.x, c.y, c.vx, c.vy, pull, dt);
}

void face_particles(std::size_t count, const MovingColumns& c, const SpeedCurve* curve,
                    float* __restrict facing) noexcept {
    std::array<float, kParticleBlock> factors;
    factors.fill(1.0F);
    for (std::size_t at = 0; at < count; at += kParticleBlock) {
        const std::size_t part = std::min(kParticleBlock, count - at);
        if (curve != nullptr) read_curve(part, *curve, c.age + at, c.pace + at, 0.0F, factors.data());
        face_block(part, c.vx + at, c.vy + at, factors.data(), facing + at);
    }
}

void turn_particles(std::size_t count, float* __restrict angle, const float* __restrict spin,
                    float dt) noexcept {
    for (std::size_t i = 0; i < count; ++i) angle[i] += spin[i] * dt;
}

}  // namespace perigee::internal
