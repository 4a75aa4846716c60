// The target is read from the world row by row; cameras are few.
#include "engine/extract/camera_moves.h"

#include "ecs/base/contract.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/extract/internal/extract_frame.h"
#include "engine/extract/views.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perigee {

namespace {

using EntityPoint = PreviousPositions::Point;

// How far `goal` is outside of a box of this width around `at`.
float outside(float at, float goal, float width) noexcept {
    const float half = width > 0.0F ? width / 2.0F : 0.0F;
    return goal - std::clamp(goal, at - half, at + half);
}

float inside_bounds(float at, float low, float high, float half) noexcept {
    if (!(high > low)) return at;
    return 2.0F * half < high - low ? std::clamp(at, low + half, high - half) : (low + high) / 2.0F;
}

// Half the size of what a view shows; zero for none.
EntityPoint half_of_view(const std::byte* cell, float screen_width, float screen_height) noexcept {
    if (cell == nullptr) return {};
    CameraView view;
    std::memcpy(&view, cell, sizeof view);
    if (view.canvas.index != 0) return {};
    const DrawClip part = viewport_of(view, screen_width, screen_height);
    const DrawCamera camera = usable_camera(0, 0, view.zoom, view.rotation);
    const EntityPoint half{part.width / 2.0F / camera.zoom, part.height / 2.0F / camera.zoom};
    if (camera.rotation == 0.0F) return half;
    const float cosine = std::fabs(std::cos(camera.rotation)), sine = std::fabs(std::sin(camera.rotation));
    return {half.x * cosine + half.y * sine, half.x * sine + half.y * cosine};
}

class Follower {
public:
    Follower(const World& world, const EngineComponents& components, const PositionColumn& position,
             const ScreenSize& screen)
        : world_(world), components_(components), position_(position), screen_(screen) {}

    void move(Entity camera, Follow& follow, std::byte* place, float dt) const {
        const std::byte* const target =
            follow.target != camera ? world_.get(follow.target, position_.component) : nullptr;
        if (target == nullptr) return;
        const EntityPoint half =
            half_of_view(world_.get(camera, components_.view), screen_.width, screen_.height);
        const EntityPoint to = position_.at(target, 0);
        if (!std::isfinite(to.x) || !std::isfinite(to.y)) return;
        const EntityPoint next = followed(follow, position_.at(place, 0), to, half.x, half.y, dt);
        follow.arrived = true;
        if (!std::isfinite(next.x) || !std::isfinite(next.y)) return;
        std::memcpy(place + position_.x_offset, &next.x, sizeof next.x);
        std::memcpy(place + position_.y_offset, &next.y, sizeof next.y);
    }
    std::uint32_t stride() const noexcept { return position_.stride; }

private:
    const World& world_;
    EngineComponents components_;
    PositionColumn position_;
    const ScreenSize& screen_;
};

void calm(Shake& shake, float dt) noexcept {
    const float trauma = shake.trauma > 0.0F ? std::min(shake.trauma, 1.0F) : 0.0F;
    shake.trauma = std::max(0.0F, trauma - (shake.decay > 0.0F ? shake.decay * dt : 0.0F));
}

SystemDesc system_of(const char* name) {
    SystemDesc desc;
    desc.name = name;
    desc.group = kTransforms;
    desc.after = {"engine:transforms"};
    desc.ignores_unknown_names = true;
    desc.needs_rows = true;
    return desc;
}

}  // namespace

PreviousPositions::Point followed(const Follow& follow, EntityPoint at, EntityPoint target, float half_width,
                                  float half_height, float dt) noexcept {
    const EntityPoint goal{target.x + follow.offset_x, target.y + follow.offset_y};
    if (!follow.arrived || !std::isfinite(at.x) || !std::isfinite(at.y)) {
        at = goal;
    } else {
        const float part = follow.lag > 0.0F ? 1.0F - std::exp(-dt / follow.lag) : 1.0F;
        at.x += outside(at.x, goal.x, follow.dead_width) * part;
        at.y += outside(at.y, goal.y, follow.dead_height) * part;
    }
    return {inside_bounds(at.x, follow.bounds_left, follow.bounds_right, half_width),
            inside_bounds(at.y, follow.bounds_top, follow.bounds_bottom, half_height)};
}

Result<void> add_camera_systems(World& world, Schedule& schedule, const EngineComponents& components,
                                const PositionColumn& position, const ScreenSize& screen) {
    SystemDesc follow = system_of("gfx:follow");
    follow.query.terms = {{position.component, Access::write}, {components.follow, Access::write}};
    follow.access.read = {components.view};
    const Follower follower(world, components, position, screen);
    follow.run = [follower](SystemContext& context) -> Result<void> {
        const auto dt = static_cast<float>(context.time.dt);
        context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
            std::byte* const places = chunk.column_data(0);
            auto* const follows = reinterpret_cast<Follow*>(chunk.column_data(1));
            for (std::uint32_t row = 0; row < chunk.row_count(); ++row)
                follower.move(chunk.entities()[row], follows[row],
                              places + std::size_t{row} * follower.stride(), dt);
        });
        return {};
    };
    const Result<SystemId> followed_system = schedule.add(std::move(follow));
    if (!followed_system) return followed_system.error();

    SystemDesc shake = system_of("gfx:shake");
    shake.query.terms = {{components.shake, Access::write}};
    shake.run = [](SystemContext& context) -> Result<void> {
        const auto dt = static_cast<float>(context.time.dt);
        context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
            auto* const shakes = reinterpret_cast<Shake*>(chunk.column_data(0));
            for (std::uint32_t row = 0; row < chunk.row_count(); ++row) calm(shakes[row], dt);
        });
        return {};
    };
    const Result<SystemId> shake_system = schedule.add(std::move(shake));
    if (!shake_system) return shake_system.error();
    return {};
}

}  // namespace perigee
