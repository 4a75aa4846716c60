// Ranges of the numbers, and curves between values.
#include "engine/particles/particle_preset.h"

#include <algorithm>
#include <cmath>

namespace perigee {

namespace {

// NaN becomes the lower end.
float in_range(double number, double low, double high) noexcept {
    return static_cast<float>(number > low ? std::min(number, high) : low);
}

constexpr double kFarthest = 1e6;  // px, or px a second
constexpr double kLongest = 3600;  // s
constexpr double kWidestAngle = 1e6;
constexpr double kLargestFactor = 1000;

ParticleRange range_of(double first, double second, double low, double high) noexcept {
    return {in_range(std::min(first, second), low, high), in_range(std::max(first, second), low, high)};
}

struct CurvePlace {
    std::size_t first;
    std::size_t second;
    float part;  // of the second
};

CurvePlace curve_place(std::size_t step, std::size_t points) noexcept {
    const float at =
        static_cast<float>(step) / (ParticlePreset::kCurveSteps - 1) * static_cast<float>(points - 1);
    const auto first = static_cast<std::size_t>(at);
    return {first, std::min(first + 1, points - 1), at - static_cast<float>(first)};
}

std::array<float, ParticlePreset::kCurveSteps> number_curve(std::span<const float> points, double low,
                                                            double high) noexcept {
    std::array<float, ParticlePreset::kCurveSteps> curve{};
    for (std::size_t step = 0; step < curve.size(); ++step) {
        const auto [first, second, part] = curve_place(step, points.size());
        const float from = in_range(points[first], low, high);
        curve[step] = from + (in_range(points[second], low, high) - from) * part;
    }
    return curve;
}

}  // namespace

void set_particle_field(ParticlePreset& preset, std::size_t field, double first, double second) noexcept {
    switch (field) {
        case 0:
            preset.rate = in_range(first, 0, kFarthest);
            break;
        case 1:
            preset.count = static_cast<std::uint32_t>(in_range(first, 0, kFarthest));
            break;
        case 2:
            preset.lifetime = range_of(first, second, 0.001, kLongest);
            break;
        case 3:
            preset.speed = range_of(first, second, -kFarthest, kFarthest);
            break;
        case 4:
            preset.spin = range_of(first, second, -1000, 1000);
            break;
        case 5:
            preset.rotation = range_of(first, second, -kWidestAngle, kWidestAngle);
            break;
        case 6:
            preset.direction = in_range(first, -kWidestAngle, kWidestAngle);
            break;
        case 7:
            preset.spread = in_range(first, 0, 6.2831853);
            break;
        case 8:
            preset.area = {};
            preset.area.width = preset.area.height = in_range(2 * first, 0, ParticleArea::kLargest);
            break;
        case 9:
            preset.gravity_x = in_range(first, -kFarthest, kFarthest);
            preset.gravity_y = in_range(second, -kFarthest, kFarthest);
            break;
        case 10:
            preset.drag = in_range(first, 0, 1);
            break;
        case 11:
            preset.frames.fill(static_cast<std::uint16_t>(in_range(first, 0, 65535)));
            break;
        case 12:
            preset.layer = static_cast<std::int16_t>(in_range(first, -32768, 32767));
            break;
        case 13:
            preset.kind = first > 0 ? DrawKind::rectangle : DrawKind::circle;
            break;
        case 14:
            preset.collisions.cell =
                in_range(first, ParticleCollisions::kMinCell, ParticleCollisions::kMaxCell);
            break;
        case 15:
            preset.collisions.x = in_range(first, -kFarthest, kFarthest);
            preset.collisions.y = in_range(second, -kFarthest, kFarthest);
            break;
        case 16:
            preset.collisions.bounce = in_range(first, 0, 1);
            break;
        case 17:
            preset.collisions.friction = in_range(first, 0, 1);
            break;
        case 18:
            preset.collisions.response =
                static_cast<HitResponse>(in_range(first, 0, kHitResponseNames.size() - 1));
            break;
        case 19:
            preset.area.shape = static_cast<AreaShape>(in_range(first, 0, kAreaShapeNames.size() - 1));
            break;
        case 20:
            preset.area.width = in_range(first, 0, ParticleArea::kLargest);
            preset.area.height = in_range(second, 0, ParticleArea::kLargest);
            break;
        case 21:
            preset.area.rotation = in_range(first, -kWidestAngle, kWidestAngle);
            break;
        case 22:
            preset.area.is_outward = first > 0;
            break;
        case 23:
            preset.size_variation = in_range(first, 0, 1);
            break;
        case 24:
            preset.faces_velocity = first > 0;
            break;
        case 25:
            preset.radial = range_of(first, second, -kFarthest, kFarthest);
            break;
        default:
            preset.tangential = range_of(first, second, -kFarthest, kFarthest);
            break;
    }
}

std::array<float, ParticlePreset::kCurveSteps> size_curve(std::span<const float> points) noexcept {
    return number_curve(points, 0, 16384);
}

std::array<float, ParticlePreset::kCurveSteps> speed_curve(std::span<const float> factors) noexcept {
    return number_curve(factors, -kLargestFactor, kLargestFactor);
}

std::array<std::uint32_t, ParticlePreset::kCurveSteps> color_curve(
    std::span<const std::uint32_t> points) noexcept {
    std::array<std::uint32_t, ParticlePreset::kCurveSteps> curve{};
    for (std::size_t step = 0; step < curve.size(); ++step) {
        const auto [first, second, part] = curve_place(step, points.size());
        for (unsigned shift = 0; shift < 32; shift += 8) {
            const auto low = static_cast<float>(points[first] >> shift & 0xFFU);
            const auto high = static_cast<float>(points[second] >> shift & 0xFFU);
            curve[step] |= static_cast<std::uint32_t>(std::lround(low + (high - low) * part)) << shift;
        }
    }
    return curve;
}

std::array<std::uint16_t, ParticlePreset::kCurveSteps> frame_curve(
    std::span<const std::uint16_t> frames) noexcept {
    std::array<std::uint16_t, ParticlePreset::kCurveSteps> curve{};
    for (std::size_t step = 0; step < curve.size(); ++step)
        curve[step] = frames[step * frames.size() / curve.size()];
    return curve;
}

}  // namespace perigee
