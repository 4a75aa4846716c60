// ParticlePreset: how the particles of one kind are made, move and look, as plain data.
//
// Invariant: all numbers are finite and in their ranges, whatever a script said; curves are tables over a
// particle's life, filled from up to kMaxCurvePoints values at even distances. Not here: the particles
// (particle_pool.h).
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/particles/particle_area.h"
#include "engine/particles/particle_collisions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perigee {

/// A number is chosen evenly between the two.
struct ParticleRange {
    float low = 0.0F;
    float high = 0.0F;
};

struct ParticlePreset {
    static constexpr std::size_t kMaxCurvePoints = 16;
    static constexpr std::size_t kCurveSteps = ParticleLooks::kSteps;

    std::string name;
    std::uint32_t image = 0;             ///< asset handle; 0 draws `kind`
    DrawKind kind = DrawKind::circle;    ///< or rectangle
    float rate = 50.0F;                  ///< particles a second of an emitter
    std::uint32_t count = 20;            ///< particles of a burst
    ParticleRange lifetime{1.0F, 1.0F};  ///< seconds
    ParticleRange speed{50.0F, 100.0F};  ///< px a second, at first
    ParticleRange spin;                  ///< radians a second
    ParticleRange rotation;              ///< radians, at first
    float direction = 0.0F;              ///< radians, clockwise from the right
    float spread = 6.2831853F;           ///< radians: the angle around `direction` in which particles start
    ParticleArea area;                   ///< in which they start
    float gravity_x = 0.0F, gravity_y = 0.0F;  ///< px a second, each second
    ParticleRange radial,
        tangential;     ///< the same, away from where its emitter was at first, and clockwise around it
    float drag = 0.0F;  ///< the part of its speed that a particle loses in a second, 0 .. 1
    std::int16_t layer = 0;
    BlendMode blend = BlendMode::alpha;
    bool is_local = false;        ///< particles follow their emitter
    bool faces_velocity = false;  ///< their angle counts from the way in which they move
    float size_variation = 0.0F;  ///< the part by which a particle is smaller or larger at most, 0 .. 1
    ParticleCollisions collisions;
    /// Width in px, and colour, of each step of a life.
    std::array<float, kCurveSteps> sizes = constant_curve(8.0F);
    std::array<std::uint32_t, kCurveSteps> colors = constant_curve(0xFFFF'FFFFU);
    /// The factor of a particle's speed, for each step of its life.
    std::array<float, kCurveSteps> speed_factors = constant_curve(1.0F);
    bool has_speed_curve() const noexcept {
        return std::ranges::any_of(speed_factors, [](float factor) { return factor != 1.0F; });
    }

    /// The frame of the image, for each step of a life.
    std::array<std::uint16_t, kCurveSteps> frames{};

    bool turns() const noexcept { return !is_zero(spin) || !is_zero(rotation); }
    bool pulls() const noexcept { return !is_zero(radial) || !is_zero(tangential); }

    template <typename T> static std::array<T, kCurveSteps> constant_curve(T value) {
        std::array<T, kCurveSteps> curve{};
        curve.fill(value);
        return curve;
    }

private:
    static bool is_zero(const ParticleRange& range) noexcept {
        return range.low == 0.0F && range.high == 0.0F;
    }
};

/// The names of the numbers of a preset, for set_particle_field; those of two numbers are ranges or vectors.
inline constexpr std::array<std::string_view, 27> kParticleFields{
    "rate",          "count",        "lifetime",       "speed",          "spin",   "rotation",   "direction",
    "spread",        "radius",       "gravity",        "drag",           "frame",  "layer",      "shape",
    "cell",          "grid_place",   "bounce",         "friction",       "on_hit", "area_shape", "area_size",
    "area_rotation", "area_outward", "size_variation", "faces_velocity", "radial", "tangential"};

/// Sets the field of this number in kParticleFields, clamped to its range. `second`: of ranges and vectors.
void set_particle_field(ParticlePreset& preset, std::size_t field, double first, double second) noexcept;

/// Fills a table between these values. Expects: 1 .. kMaxCurvePoints of them.
std::array<float, ParticlePreset::kCurveSteps> size_curve(std::span<const float> points) noexcept;
std::array<float, ParticlePreset::kCurveSteps> speed_curve(std::span<const float> factors) noexcept;
/// The same, for each part of the colours.
std::array<std::uint32_t, ParticlePreset::kCurveSteps> color_curve(
    std::span<const std::uint32_t> points) noexcept;

/// The frames follow each other in a life, each for the same time. Expects: 1 .. kCurveSteps of them.
std::array<std::uint16_t, ParticlePreset::kCurveSteps> frame_curve(
    std::span<const std::uint16_t> frames) noexcept;

}  // namespace perigee
