// Fields in their ranges, and curves.
#include "engine/particles/particle_preset.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace perigee;

TEST_CASE("each field of a preset is clamped to its range, whatever the number") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double number : {kNan, kInfinity, -kInfinity, -1.0, 0.0, 1e300}) {
        ParticlePreset preset;
        for (std::size_t field = 0; field < kParticleFields.size(); ++field)
            set_particle_field(preset, field, number, -number);
        CHECK(preset.rate >= 0);
        CHECK(preset.area.shape <= AreaShape::cloud);
        CHECK(preset.area.width >= 0);
        CHECK(preset.area.height >= 0);
        CHECK(preset.size_variation >= 0);
        CHECK(preset.size_variation <= 1);
        CHECK(std::isfinite(preset.radial.low + preset.radial.high + preset.tangential.low +
                            preset.tangential.high));
        CHECK(preset.lifetime.low > 0);
        CHECK(preset.lifetime.high >= preset.lifetime.low);
        CHECK(preset.drag <= 1);
        CHECK(preset.collisions.cell >= ParticleCollisions::kMinCell);
        CHECK(preset.collisions.cell <= ParticleCollisions::kMaxCell);
        CHECK(preset.collisions.bounce <= 1);
        CHECK(preset.collisions.friction <= 1);
        CHECK(preset.collisions.response <= HitResponse::die);
        CHECK(std::isfinite(preset.collisions.x + preset.collisions.y));
        CHECK(std::isfinite(preset.rate + preset.lifetime.high + preset.speed.low + preset.speed.high +
                            preset.spin.low + preset.rotation.high + preset.direction + preset.spread +
                            preset.area.width + preset.area.height + preset.area.rotation + preset.gravity_x +
                            preset.gravity_y + preset.drag));
    }
    ParticlePreset preset;
    set_particle_field(preset, 3, 200, 100);  // the order of a range does not matter
    CHECK(preset.speed.low == 100);
    CHECK(preset.speed.high == 200);
    set_particle_field(preset, 9, 1, 2);
    CHECK(preset.gravity_x == 1);
    CHECK(preset.gravity_y == 2);
}

TEST_CASE("a curve goes evenly from value to value") {
    const float sizes[] = {0.0F, 10.0F, 4.0F};
    const auto curve = size_curve(sizes);
    CHECK(curve.front() == 0);
    CHECK(curve.back() == 4);
    CHECK(curve[31] == Approx(10).margin(0.2));
    CHECK(curve[16] == Approx(5).margin(0.2));
    const float one[] = {3.0F};
    CHECK(size_curve(one)[40] == 3);
    const float odd[] = {-5.0F, std::numeric_limits<float>::quiet_NaN()};
    for (const float size : size_curve(odd)) CHECK(size == 0);

    const float factors[] = {1.0F, -0.5F};
    CHECK(speed_curve(factors).front() == 1);
    CHECK(speed_curve(factors).back() == -0.5F);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float wild[] = {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), 1e30F};
    for (const float factor : speed_curve(wild)) CHECK(std::fabs(factor) <= 1000);
    ParticlePreset preset;
    CHECK_FALSE(preset.has_speed_curve());
    preset.speed_factors = speed_curve(factors);
    CHECK(preset.has_speed_curve());

    const std::uint32_t colors[] = {0xFF0000FFU, 0x0000FF00U};
    const auto gradient = color_curve(colors);
    CHECK(gradient.front() == 0xFF0000FFU);
    CHECK(gradient.back() == 0x0000FF00U);
    CHECK((gradient[32] >> 24U) == 125);
}

TEST_CASE("frames share a life in equal parts") {
    const std::uint16_t frames[] = {5, 6, 7, 8};
    const auto curve = frame_curve(frames);
    for (std::size_t step = 0; step < curve.size(); ++step) CHECK(curve[step] == 5 + step / 16);
    const std::uint16_t one[] = {9};
    for (const std::uint16_t frame : frame_curve(one)) CHECK(frame == 9);
}
