// The shake is that of Squirrel Eiserloh's talk "Math for Game Programmers: Juicing Your Cameras With Math":
// smooth noise, times the square of the trauma.
#include "engine/extract/views.h"

#include "ecs/base/contract.h"
#include "ecs/base/random.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

namespace perigee {

namespace {

float noise_at(std::uint64_t lane, std::int64_t place) noexcept {
    const std::uint64_t bits = Random{lane ^ static_cast<std::uint64_t>(place) << 32U}.next();
    return static_cast<float>(bits >> 40U) * 0x1p-23F - 1.0F;
}

// From -1 to 1; smooth, and another one for each lane.
float noise(std::uint64_t lane, double place) noexcept {
    const double whole = std::floor(place);
    const auto part = static_cast<float>(place - whole);
    const auto first = static_cast<std::int64_t>(whole);
    const float a = noise_at(lane, first), b = noise_at(lane, first + 1);
    return a + (b - a) * part * part * (3.0F - 2.0F * part);
}

void add_shake(DrawCamera& camera, const Shake& shake, Entity entity, double seconds,
               float strength) noexcept {
    const float trauma = shake.trauma > 0.0F ? std::min(shake.trauma, 1.0F) : 0.0F;
    const float amount = trauma * trauma * strength;
    const double place = seconds * double{shake.frequency};
    if (!(amount > 0.0F) || !(std::fabs(place) < 1e15)) return;
    const std::uint64_t lane = entity.bits * 4;
    DrawCamera shaken = camera;
    shaken.x += shake.distance * amount * noise(lane, place) / camera.zoom;
    shaken.y += shake.distance * amount * noise(lane + 1, place) / camera.zoom;
    shaken.rotation += shake.angle * amount * noise(lane + 2, place);
    if (shaken.is_drawable()) camera = shaken;
}

}  // namespace

const ShownView* ViewTable::find(const std::vector<ShownView>& views, Entity entity) noexcept {
    const auto found = std::ranges::find(views, entity, &ShownView::entity);
    return found != views.end() ? &*found : nullptr;
}

const ShownView* ViewTable::at(double x, double y) const noexcept {
    for (std::size_t i = after_step.size(); i-- > 0;)
        if (after_step[i].canvas == 0 && after_step[i].shows(x, y)) return &after_step[i];
    return nullptr;
}

const ShownView* ViewTable::first() const noexcept {
    const auto found = std::ranges::find(after_step, 0U, &ShownView::canvas);
    return found != after_step.end() ? &*found : nullptr;
}

ViewPoint to_world(const DrawCamera& camera, const DrawClip& viewport, ViewPoint screen) noexcept {
    const double x = (screen.x - double{viewport.x} - double{viewport.width} / 2) / double{camera.zoom};
    const double y = (screen.y - double{viewport.y} - double{viewport.height} / 2) / double{camera.zoom};
    if (camera.rotation == 0.0F) return {x + double{camera.x}, y + double{camera.y}};
    const double cosine = std::cos(double{camera.rotation}), sine = std::sin(double{camera.rotation});
    return {x * cosine - y * sine + double{camera.x}, x * sine + y * cosine + double{camera.y}};
}

ViewPoint to_screen(const DrawCamera& camera, const DrawClip& viewport, ViewPoint world) noexcept {
    double x = world.x - double{camera.x}, y = world.y - double{camera.y};
    if (camera.rotation != 0.0F) {
        const double cosine = std::cos(double{camera.rotation}), sine = std::sin(double{camera.rotation});
        const double turned = x * cosine + y * sine;
        y = y * cosine - x * sine;
        x = turned;
    }
    return {x * double{camera.zoom} + double{viewport.width} / 2 + double{viewport.x},
            y * double{camera.zoom} + double{viewport.height} / 2 + double{viewport.y}};
}

DrawClip viewport_of(const CameraView& view, float width, float height) noexcept {
    // False for NaN, which has no part of the screen.
    const auto edge = [](float fraction, float size) {
        return fraction > 0.0F ? std::round(std::min(fraction, 1.0F) * size) : 0.0F;
    };
    DrawClip part{edge(view.left, width), edge(view.top, height), 0.0F, 0.0F};
    part.width = std::max(0.0F, edge(view.left + view.width, width) - part.x);
    part.height = std::max(0.0F, edge(view.top + view.height, height) - part.y);
    return part;
}

DrawCamera usable_camera(float x, float y, float zoom, float rotation) noexcept {
    DrawCamera camera;
    camera.x = std::isfinite(x) ? x : 0.0F;
    camera.y = std::isfinite(y) ? y : 0.0F;
    camera.zoom = zoom > 0.001F ? std::min(zoom, 1000.0F) : 0.001F;
    camera.rotation = std::isfinite(rotation) ? rotation : 0.0F;
    return camera;
}

Views::Views(World& world, const EngineComponents& components, const PositionColumn& position)
    : world_(world), components_(components), position_(position) {
    const Result<Query*> query =
        world.query({.terms = {{position.component, Access::read}, {components.view, Access::read}},
                     .any = {},
                     .without = {}});
    ECS_INVARIANT(query.ok(), query ? "" : query.error().message);
    query_ = query.value();
}

void Views::collect(std::vector<EntityView>& views) const {
    views.clear();
    world_.each_chunk(*query_, [&](ChunkView& chunk) {
        const std::byte* const positions = chunk.column_data(0);
        const auto* const looks = reinterpret_cast<const CameraView*>(chunk.column_data(1));
        for (std::uint32_t row = 0; row < chunk.row_count(); ++row) {
            const auto [x, y] = position_.at(positions, row);
            const CameraView& look = looks[row];
            views.push_back({chunk.entities()[row], usable_camera(x, y, look.zoom, look.rotation), look});
        }
    });
    std::ranges::sort(
        views, {}, [](const EntityView& view) { return std::tuple(view.look.order, view.entity.index()); });
    if (views.size() > kMax) views.resize(kMax);
}

void Views::collect_between(const PreviousPositions& previous, float alpha, double seconds, float shake,
                            std::vector<EntityView>& views) const {
    collect(views);
    const float back = 1.0F - alpha;
    for (EntityView& view : views) {
        DrawCamera& camera = view.camera;
        const auto [x, y] = previous.between(view.entity, camera.x, camera.y, alpha);
        camera.x = x;
        camera.y = y;
        const auto before = std::ranges::find(before_, view.entity, &Before::entity);
        if (before != before_.end()) {
            camera.zoom -= (camera.zoom - before->zoom) * back;
            const float turn = camera.rotation - before->rotation;
            if (std::fabs(turn) < kMaxCameraTurn) camera.rotation -= turn * back;
        }
        const std::byte* const cell = world_.get(view.entity, components_.shake);
        if (cell == nullptr) continue;
        Shake now;
        std::memcpy(&now, cell, sizeof now);
        add_shake(camera, now, view.entity, seconds, shake);
    }
}

void Views::remember() {
    before_.clear();
    world_.each_chunk(*query_, [&](ChunkView& chunk) {
        const auto* const looks = reinterpret_cast<const CameraView*>(chunk.column_data(1));
        for (std::uint32_t row = 0; row < chunk.row_count(); ++row) {
            const DrawCamera camera = usable_camera(0, 0, looks[row].zoom, looks[row].rotation);
            before_.push_back({chunk.entities()[row], camera.zoom, camera.rotation});
        }
    });
}

}  // namespace perigee
