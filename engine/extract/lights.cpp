// The outline of what a light reaches is a fan of triangles, which show an image of the falloff.
#include "engine/extract/lights.h"

#include "ecs/base/contract.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/draw/color.h"
#include "engine/draw/shapes/point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace perigee {

namespace {

constexpr float kLargestRadius = 100'000.0F;
constexpr float kThinnest = 10.0F * static_cast<float>(kVisibleAngleStep);  // radians, of a triangle

// From 0 to the largest; 0 for NaN.
float within(float value, float largest) noexcept { return value > 0.0F ? std::min(value, largest) : 0.0F; }

Point turned(Point point, float angle) noexcept {
    if (angle == 0.0F) return point;
    const float cosine = std::cos(angle), sine = std::sin(angle);
    return {point.x * cosine - point.y * sine, point.x * sine + point.y * cosine};
}

float cross(Point a, Point b) noexcept { return a.x * b.y - a.y * b.x; }
float dot(Point a, Point b) noexcept { return a.x * b.x + a.y * b.y; }

/// The usable numbers of a light, whatever a script wrote.
Light usable(const Light& light) noexcept {
    Light usable = light;
    usable.radius = within(light.radius, kLargestRadius);
    usable.intensity = within(light.intensity, 255.0F);
    usable.softness = within(light.softness, usable.radius);
    usable.rotation = std::isfinite(light.rotation) ? std::remainder(light.rotation, kFullTurn<float>) : 0.0F;
    usable.cone = within(light.cone, kFullTurn<float>);
    return usable;
}

// One light of full strength makes things as bright as they are by day: it adds what ambient light lacks.
PackedColor added_by(const Color& color, float intensity, const Color& ambient) noexcept {
    const auto channel = [intensity](std::uint8_t value, std::uint8_t there) {
        const float share = intensity * static_cast<float>(255 - there) / 255.0F;
        return static_cast<std::uint8_t>(std::min(255.0F, static_cast<float>(value) * share + 0.5F));
    };
    return pack_color(channel(color.r, ambient.r), channel(color.g, ambient.g), channel(color.b, ambient.b));
}

// Both sides of a corner get one direction, so that no triangle between them is thinner than a pixel: some
// renderers draw a dotted line then.
void join_sides(std::vector<Point>& rim) {
    constexpr float kSamePlace = 0.05F;
    std::size_t kept = 0;
    for (Point point : rim) {
        if (kept > 0) {
            const Point before = rim[kept - 1];
            const float length = std::sqrt(dot(point, point)), length_before = std::sqrt(dot(before, before));
            if (length_before > 0.0F &&
                std::fabs(cross(before, point)) <= kThinnest * length * length_before) {
                if (std::fabs(length - length_before) < kSamePlace) continue;
                point = {before.x * length / length_before, before.y * length / length_before};
            }
        }
        rim[kept++] = point;
    }
    rim.resize(kept);
}

// The part of a triangle with a corner at 0, 0 within a wedge of half a turn at most.
struct Slice {
    Point from, to;
    bool is_seen = true;

    // Keeps what is clockwise of the direction, or what is anticlockwise of it.
    void cut(Point direction, float sign) noexcept {
        const float a = cross(direction, from) * sign, b = cross(direction, to) * sign;
        if (a < 0.0F && b < 0.0F) is_seen = false;
        if (!is_seen || (a >= 0.0F && b >= 0.0F)) return;
        const float part = a / (a - b);
        const Point between{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
        (a < 0.0F ? from : to) = between;
    }
};

}  // namespace

std::vector<PackedColor> falloff_pixels() {
    std::vector<PackedColor> pixels;
    constexpr float kMiddle = (kFalloffSide - 1) / 2.0F;
    for (int y = 0; y < kFalloffSide; ++y)
        for (int x = 0; x < kFalloffSide; ++x) {
            const float dx = (static_cast<float>(x) - kMiddle) / (kMiddle - 1.0F);
            const float dy = (static_cast<float>(y) - kMiddle) / (kMiddle - 1.0F);
            const float dark = std::min(1.0F, dx * dx + dy * dy);
            const auto bright = static_cast<std::uint8_t>(255.0F * (1.0F - dark) * (1.0F - dark) + 0.5F);
            pixels.push_back(pack_color(bright, bright, bright));
        }
    return pixels;
}

Lights::Lights(World& world, const EngineComponents& components, const PositionColumn& position)
    : world_(world), components_(components), position_(position) {
    const auto with = [&](ComponentId component) {
        const Result<Query*> query =
            world.query({.terms = {{position.component, Access::read}, {component, Access::read}},
                         .any = {},
                         .without = {}});
        ECS_INVARIANT(query.ok(), query ? "" : query.error().message);
        return query.value();
    };
    lights_query_ = with(components.light);
    casters_query_ = with(components.shadow_caster);
}

std::optional<Lighting> Lights::lighting() const {
    Lighting lighting;
    std::memcpy(&lighting, world_.resources().data(components_.lighting), sizeof lighting);
    if (lighting.ambient.r == 255 && lighting.ambient.g == 255 && lighting.ambient.b == 255) return {};
    return lighting;
}

void Lights::collect(const PreviousPositions& previous, float alpha) {
    lamps_.clear();
    casters_.clear();
    has_left_out_ = false;
    const auto each = [&](const Query& query, auto&& take) {
        world_.each_chunk(query, [&](ChunkView& chunk) {
            const std::byte* const positions = chunk.column_data(0);
            for (std::uint32_t row = 0; row < chunk.row_count(); ++row) {
                const auto now = position_.at(positions, row);
                const auto [x, y] = previous.between(chunk.entities()[row], now.x, now.y, alpha);
                if (is_drawable(Point{x, y})) take(chunk, row, Point{x, y});
            }
        });
    };
    each(*lights_query_, [&](ChunkView& chunk, std::uint32_t row, Point at) {
        const Light light = usable(reinterpret_cast<const Light*>(chunk.column_data(1))[row]);
        if (light.radius <= 0.0F || light.intensity <= 0.0F || light.cone <= 0.0F) return;
        if (lamps_.size() == kMaxLights)
            has_left_out_ = true;
        else
            lamps_.push_back({light, at});
    });
    if (lamps_.empty()) return;
    each(*casters_query_, [&](ChunkView& chunk, std::uint32_t row, Point at) {
        Caster caster{reinterpret_cast<const ShadowCaster*>(chunk.column_data(1))[row], at};
        ShadowCaster& shape = caster.shape;
        shape.radius = within(shape.radius, kLargestRadius);
        shape.width = within(shape.width, kLargestRadius);
        shape.height = within(shape.height, kLargestRadius);
        shape.rotation =
            std::isfinite(shape.rotation) ? std::remainder(shape.rotation, kFullTurn<float>) : 0.0F;
        caster.reach = shape.radius > 0.0F ? shape.radius : std::hypot(shape.width, shape.height) / 2.0F;
        if (caster.reach <= 0.0F) return;
        if (casters_.size() == kMaxCasters)
            has_left_out_ = true;
        else
            casters_.push_back(caster);
    });
}

void Lights::find_casters(const Lamp& lamp) {
    near_.clear();
    if (!lamp.light.shadows) return;
    for (const Caster& caster : casters_) {
        const float dx = std::fabs(caster.at.x - lamp.at.x), dy = std::fabs(caster.at.y - lamp.at.y);
        const float reach = lamp.light.radius + caster.reach;
        if (dx < reach && dy < reach) near_.push_back(&caster);
    }
}

// Of each caster the sides that face away from the light.
void Lights::add_walls(Point eye) {
    walls_.clear();
    for (const Caster* const caster : near_) {
        const ShadowCaster& shape = caster->shape;
        const Point away{caster->at.x - eye.x, caster->at.y - eye.y};
        if (shape.radius > 0.0F) {  // one wall behind it, as wide as it looks
            const float distance = std::sqrt(dot(away, away));
            if (distance <= shape.radius) continue;
            const float sine = shape.radius / distance;
            const float behind = distance + shape.radius;
            const float half = behind * sine / std::sqrt(std::max(1.0F - sine * sine, 1e-4F));
            const Point along{away.x / distance, away.y / distance};
            const Point middle{eye.x + along.x * behind, eye.y + along.y * behind};
            walls_.push_back({{middle.x - along.y * half, middle.y + along.x * half},
                              {middle.x + along.y * half, middle.y - along.x * half}});
            continue;
        }
        const float half_width = shape.width / 2.0F, half_height = shape.height / 2.0F;
        const Point seen = turned({-away.x, -away.y}, -shape.rotation);  // the light, from the box
        if (std::fabs(seen.x) <= half_width && std::fabs(seen.y) <= half_height) continue;
        const std::array<Point, 4> corners{Point{-half_width, -half_height}, Point{half_width, -half_height},
                                           Point{half_width, half_height}, Point{-half_width, half_height}};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Point a = corners[i], b = corners[(i + 1) % corners.size()];
            // Corners go clockwise, so a point outside of a side is on its left.
            if (cross(Point{b.x - a.x, b.y - a.y}, Point{seen.x - a.x, seen.y - a.y}) < 0.0F) continue;
            const Point from = turned(a, shape.rotation), to = turned(b, shape.rotation);
            walls_.push_back(
                {{caster->at.x + from.x, caster->at.y + from.y}, {caster->at.x + to.x, caster->at.y + to.y}});
        }
    }
}

void Lights::add_fan(const Lamp& lamp, Point eye, float cone, PackedColor color) {
    const Light& light = lamp.light;
    rim_.clear();
    add_visible_area(eye, light.radius, walls_, scratch_, rim_);
    for (Point& point : rim_) point = {point.x - eye.x, point.y - eye.y};
    join_sides(rim_);
    const auto corner = [&](Point point) {
        const float scale = 0.5F / (light.radius + light.softness);  // so that no corner is beside the image
        return MeshPoint{point.x, point.y, 0.5F + (point.x - lamp.at.x) * scale,
                         0.5F + (point.y - lamp.at.y) * scale, color};
    };
    const auto add = [&](Point from, Point to) {
        mesh_.push_back(corner(eye));
        mesh_.push_back(corner({eye.x + from.x, eye.y + from.y}));
        mesh_.push_back(corner({eye.x + to.x, eye.y + to.y}));
    };
    // A cone is two wedges, since one of more than half a turn is not what is between two lines.
    const float wedge = cone / 2.0F;
    const std::array<Point, 3> directions{turned({1.0F, 0.0F}, light.rotation - wedge),
                                          turned({1.0F, 0.0F}, light.rotation),
                                          turned({1.0F, 0.0F}, light.rotation + wedge)};
    for (std::size_t i = 0; i < rim_.size(); ++i) {
        const Point from = rim_[i], to = rim_[(i + 1) % rim_.size()];
        if (cone >= kFullTurn<float>) {
            add(from, to);
            continue;
        }
        for (std::size_t half = 0; half < 2; ++half) {
            Slice slice{from, to};
            slice.cut(directions[half], 1.0F);
            slice.cut(directions[half + 1], -1.0F);
            if (slice.is_seen) add(slice.from, slice.to);
        }
    }
}

void Lights::draw(const DrawCamera& camera, float width, float height, const Color& ambient,
                  std::uint32_t falloff, DrawList& map) {
    const float seen = std::hypot(width, height) / 2.0F / camera.zoom;
    for (std::size_t number = 0; number < lamps_.size(); ++number) {
        const Lamp& lamp = lamps_[number];
        const Light& light = lamp.light;
        const float reach = light.radius + seen;
        if (std::fabs(lamp.at.x - camera.x) > reach || std::fabs(lamp.at.y - camera.y) > reach) continue;
        find_casters(lamp);
        const bool is_cone = light.cone < kFullTurn<float>;
        const bool is_soft = is_cone || (light.softness > 0.0F && !near_.empty());
        const std::size_t steps = is_soft ? kSoftSteps : 1;
        const PackedColor color = added_by(light.color, light.intensity / static_cast<float>(steps), ambient);
        mesh_.clear();
        for (std::size_t step = 0; step < steps; ++step) {
            // Sources are spread over a disc (Vogel, "A better way to construct the sunflower head", 1979).
            const float part = (static_cast<float>(step) + 0.5F) / static_cast<float>(steps);
            const float turn = 2.399963F * static_cast<float>(step), away = light.softness * std::sqrt(part);
            const Point aside = turned({is_soft ? away : 0.0F, 0.0F}, turn);
            const Point eye{lamp.at.x + aside.x, lamp.at.y + aside.y};
            add_walls(eye);
            add_fan(lamp, eye,
                    is_cone ? std::min(light.cone * (0.8F + 0.4F * part), kFullTurn<float> * 0.999F)
                            : kFullTurn<float>,
                    color);
        }
        DrawItem item{.ref = map.add_mesh(mesh_, falloff), .kind = DrawKind::mesh};
        item.flags = static_cast<std::uint8_t>(BlendMode::add);
        if (item.ref != 0) map.add(item, {0, 0}, falloff, static_cast<std::uint32_t>(number));
    }
}

}  // namespace perigee
