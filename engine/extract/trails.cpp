// Histories are found by entity index, and reused when their entity is gone.
#include "engine/extract/trails.h"

#include "ecs/query/query.h"
#include "ecs/world/world.h"
#include "engine/extract/components.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace perigee {

namespace {

constexpr float kNearest = 0.01F;  // px between two knots; nearer ones have no direction

std::uint32_t color_between(const Color& from, const Color& to, float part) noexcept {
    std::uint8_t a[4], b[4];
    std::memcpy(a, &from, sizeof a);
    std::memcpy(b, &to, sizeof b);
    // Fading out, in the colour that it has.
    if (b[3] == 0) std::copy_n(a, 3, b);
    std::uint32_t color = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const float value = a[i] + (static_cast<float>(b[i]) - a[i]) * part;
        color |= static_cast<std::uint32_t>(value + 0.5F) << (8 * i);
    }
    return color;
}

}  // namespace

Trails::History& Trails::history_of(Entity entity) {
    if (entity.index() >= slots_.size()) slots_.resize(std::size_t{entity.index()} + 1);
    std::uint32_t& slot = slots_[entity.index()];
    if (slot == 0) {
        if (free_.empty()) {
            histories_.emplace_back();
            slot = static_cast<std::uint32_t>(histories_.size());
        } else {
            slot = free_.back() + 1;
            free_.pop_back();
        }
        histories_[slot - 1].count = 0;
    }
    History& history = histories_[slot - 1];
    if (history.entity != entity || history.last_step + 1 != steps_) history.count = 0;
    history.entity = entity;
    return history;
}

void Trails::step(World& world, const PositionColumn& position, const Query& query) {
    ++steps_;
    world.each_chunk(query, [&](ChunkView& chunk) {
        const std::byte* const positions = chunk.column_data(0);
        for (std::uint32_t row = 0; row < chunk.row_count(); ++row) {
            History& history = history_of(chunk.entities()[row]);
            history.last_step = steps_;
            const Point now = position.at(positions, row);
            constexpr float kFar = PreviousPositions::kMaxStepDistance;
            const bool goes_on = history.count != 0 && std::fabs(now.x - history.points[0].x) < kFar &&
                                 std::fabs(now.y - history.points[0].y) < kFar;
            if (!goes_on) history.count = 0;
            if (!std::isfinite(now.x) || !std::isfinite(now.y)) continue;
            history.count = std::min(history.count + 1, history.points.size());
            std::copy_backward(history.points.begin(),
                               history.points.begin() + static_cast<std::ptrdiff_t>(history.count) - 1,
                               history.points.begin() + static_cast<std::ptrdiff_t>(history.count));
            history.points[0] = now;
        }
    });
    for (std::size_t i = 0; i < histories_.size(); ++i) {
        History& history = histories_[i];
        if (history.last_step == steps_ || history.entity == Entity{}) continue;
        slots_[history.entity.index()] = 0;
        history.entity = {};
        free_.push_back(static_cast<std::uint32_t>(i));
    }
}

// Between two steps the entity's end of the ribbon has moved a part of its way, and so has the other end.
std::size_t Trails::lay_knots(const internal::ExtractFrame& frame, const History& history,
                              std::size_t length) {
    const std::size_t last = std::min(history.count - 1, length);
    std::size_t count = 0;
    for (std::size_t i = 0; i <= last; ++i) {
        Point point = history.points[i];
        if (i == 0)
            point = frame.place(history.entity, point);
        else if (i == last && last == length)
            point = {point.x + (history.points[i - 1].x - point.x) * frame.alpha,
                     point.y + (history.points[i - 1].y - point.y) * frame.alpha};
        if (count != 0 &&
            std::fabs(point.x - knots_[count - 1].x) + std::fabs(point.y - knots_[count - 1].y) < kNearest)
            continue;
        knots_[count++] = {point.x, point.y, static_cast<float>(i) / static_cast<float>(length)};
    }
    return count;
}

void Trails::add_ribbon(const Trail& trail, std::size_t knot_count) {
    mesh_.clear();
    MeshPoint left_before, right_before;
    for (std::size_t i = 0; i < knot_count; ++i) {
        const Knot& knot = knots_[i];
        const Knot& before = knots_[i == 0 ? 0 : i - 1];
        const Knot& after = knots_[std::min(i + 1, knot_count - 1)];
        float dx = after.x - before.x, dy = after.y - before.y;
        const float distance = std::hypot(dx, dy);
        if (distance > 0.0F) dx /= distance, dy /= distance;
        const float half = (trail.width + (trail.end_width - trail.width) * knot.part) / 2.0F;
        const std::uint32_t color = color_between(trail.color, trail.end_color, knot.part);
        const MeshPoint left{knot.x - dy * half, knot.y + dx * half, 0, 0, color};
        const MeshPoint right{knot.x + dy * half, knot.y - dx * half, 0, 0, color};
        if (i != 0) mesh_.insert(mesh_.end(), {left_before, right_before, left, left, right_before, right});
        left_before = left;
        right_before = right;
    }
}

void Trails::draw(const internal::ExtractFrame& frame, const Query& query) {
    const DrawList::Batch batch = frame.list.begin_batch(query.entity_count());
    internal::LayerCursor layers{frame};
    std::size_t written = 0;
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const auto* const trails = reinterpret_cast<const Trail*>(chunk.column_data(1));
        for (std::uint32_t row = 0; row < chunk.row_count() && written < batch.count; ++row) {
            const Entity entity = chunk.entities()[row];
            const Trail& trail = trails[row];
            const std::uint32_t slot = entity.index() < slots_.size() ? slots_[entity.index()] : 0;
            if (slot == 0 || histories_[slot - 1].entity != entity || histories_[slot - 1].count < 2)
                continue;
            const float widest = std::max(trail.width, trail.end_width);
            if (!(trail.width >= 0.0F && trail.end_width >= 0.0F && widest > 0.0F) || trail.length == 0)
                continue;
            if (!std::isfinite(widest)) {
                frame.undrawn->add(entity);
                continue;
            }
            const std::size_t length = std::min<std::size_t>(trail.length, kMaxLength);
            const std::size_t count = lay_knots(frame, histories_[slot - 1], length);
            const internal::SeenLayer& seen = layers.of(trail.layer);
            const auto is_seen = [&](const Knot& knot) {
                return seen.sees(knot.x, knot.y, widest + PreviousPositions::kMaxStepDistance);
            };
            const auto end = knots_.begin() + static_cast<std::ptrdiff_t>(count);
            if (count < 2 || std::none_of(knots_.begin(), end, is_seen)) continue;
            add_ribbon(trail, count);
            DrawItem& item = batch.items[written];
            item = {.ref = frame.list.add_mesh(mesh_),
                    .kind = DrawKind::mesh,
                    .flags = static_cast<std::uint8_t>(internal::blend_bits(trail.blend) | seen.flags)};
            if (item.ref == 0) continue;
            batch.entries[written] = {
                draw_key(item, {trail.layer, seen.order_of(knots_[0].y, trail.order)}, 0), entity.index(),
                batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
    });
    frame.list.end_batch(batch, written);
}

void Trails::clear() noexcept {
    histories_.clear();
    slots_.clear();
    free_.clear();
}

}  // namespace perigee
