// The loop over sprites, compiled once per combination of the game's Position layout and camera options.
#include "engine/extract/extract.h"

#include "ecs/base/contract.h"
#include "ecs/schema/schema.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perigee {

namespace {

constexpr std::uint32_t kPackedStride = 2 * sizeof(float);  // Position is exactly { x, y }
constexpr float kOrdersPerPixel = 16.0F;

// The data of one extraction that is computed before its rows.
struct View {
    float left, top, right, bottom;  // the part of the world that the camera shows
    float alpha;
    const ImageTable& images;
    const PreviousPositions& previous;
    SpriteExtractor::Undrawn& undrawn;
};

struct Columns {
    const Entity* entities;
    const std::byte* positions;
    const Sprite* sprites;
    std::size_t count;
    std::uint32_t stride, x_offset, y_offset;
};

float float_at(const std::byte* bytes) noexcept {
    float value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

std::uint8_t flags_of(const Sprite& sprite) noexcept {
    std::uint8_t flags = std::min<std::uint8_t>(sprite.blend, kBlendNames.size() - 1);
    if (sprite.scale_x < 0.0F) flags |= kDrawFlipX;
    if (sprite.scale_y < 0.0F) flags |= kDrawFlipY;
    return flags;
}

// Neighbours mostly show the same image, so the last result is cached.
class FrameCache {
public:
    explicit FrameCache(const ImageTable& images) noexcept : images_(images) {}
    void look_up(std::uint32_t image, std::uint32_t frame) noexcept {
        if (image == image_ && frame == frame_) return;
        image_ = image;
        frame_ = frame;
        id = images_.frame_of(image, frame);
        width = images_[id].width;
        height = images_[id].height;
        texture = images_[id].image;
    }
    FrameId id = 0;
    std::uint32_t texture = 0;
    float width = 0.0F;
    float height = 0.0F;

private:
    const ImageTable& images_;
    std::uint32_t image_ = 0;  // never looked up for sprites without an image
    std::uint32_t frame_ = 0;
};

// Writes the visible rows to items and entries; returns how many.
template <bool kIsPacked, bool kIsBetween, bool kSortsByY>
std::size_t extract_rows(const View& view, const Columns& columns, const DrawList::Batch& batch,
                         std::size_t written) {
    const std::uint32_t stride = kIsPacked ? kPackedStride : columns.stride;
    const std::uint32_t x_offset = kIsPacked ? 0 : columns.x_offset;
    const std::uint32_t y_offset = kIsPacked ? sizeof(float) : columns.y_offset;
    FrameCache frame{view.images};

    for (std::size_t row = 0; row < columns.count; ++row) {
        const Sprite& sprite = columns.sprites[row];
        if (sprite.image == 0) continue;
        const std::byte* position = columns.positions + row * stride;
        float x = float_at(position + x_offset);
        float y = float_at(position + y_offset);
        if constexpr (kIsBetween) {
            const auto [bx, by] = view.previous.between(columns.entities[row], x, y, view.alpha);
            x = bx;
            y = by;
        }

        frame.look_up(sprite.image, sprite.frame);
        const float width = frame.width * std::fabs(sprite.scale_x);
        const float height = frame.height * std::fabs(sprite.scale_y);
        // With any rotation and origin (at most one size away), the sprite stays within this distance.
        const float reach = 2.0F * (width + height);
        // The comparison is false for NaN, which drops the sprite.
        const bool is_seen = x + reach >= view.left && x - reach <= view.right && y + reach >= view.top &&
                             y - reach <= view.bottom && std::isfinite(reach);
        if (!is_seen) {
            if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(reach)) {
                if (view.undrawn.count++ == 0) view.undrawn.first = columns.entities[row];
            }
            continue;
        }

        DrawItem& item = batch.items[written];
        item = {.x = x,
                .y = y,
                .w = width,
                .h = height,
                .ref = frame.id,
                .kind = DrawKind::sprite,
                .flags = flags_of(sprite)};
        std::memcpy(&item.color, &sprite.color, sizeof item.color);
        if (sprite.rotation != 0.0F) item.angle = quantised_angle(sprite.rotation);
        item.origin_x = quantised_origin(sprite.origin_x);
        item.origin_y = quantised_origin(sprite.origin_y);

        DrawOrder order{sprite.layer, 0};
        if constexpr (kSortsByY) {
            const float down =
                std::clamp((y - view.top) * kOrdersPerPixel + 65536.0F, 0.0F, kDrawOrderImmediate - 1.0F);
            order.order = static_cast<std::uint32_t>(down);
        }
        batch.entries[written] = {draw_key(item, order, frame.texture), columns.entities[row].index(),
                                  batch.first_item + static_cast<std::uint32_t>(written)};
        ++written;
    }
    return written;
}

using ExtractRows = std::size_t (*)(const View&, const Columns&, const DrawList::Batch&, std::size_t);

ExtractRows choose_loop(bool is_packed, bool is_between, bool sorts_by_y) {
    static constexpr ExtractRows kLoops[2][2][2] = {
        {{extract_rows<false, false, false>, extract_rows<false, false, true>},
         {extract_rows<false, true, false>, extract_rows<false, true, true>}},
        {{extract_rows<true, false, false>, extract_rows<true, false, true>},
         {extract_rows<true, true, false>, extract_rows<true, true, true>}}};
    return kLoops[is_packed][is_between][sorts_by_y];
}

Camera camera_of(const World& world, ComponentId id) {
    Camera camera;
    std::memcpy(&camera, world.resources().data(id), sizeof camera);
    // A script may write anything; an empty frame is useless.
    if (!std::isfinite(camera.x)) camera.x = 0.0F;
    if (!std::isfinite(camera.y)) camera.y = 0.0F;
    if (!(camera.zoom > 0.001F)) camera.zoom = 0.001F;
    camera.zoom = std::min(camera.zoom, 1000.0F);
    return camera;
}

}  // namespace

SpriteExtractor::SpriteExtractor(World& world, const EngineComponents& components)
    : world_(world), components_(components) {
    const std::optional<ComponentId> position = world.registry().find(kPositionName);
    if (!position) return;
    const Schema& schema = world.registry().info(*position).schema;
    const Field* x = schema.field("x");
    const Field* y = schema.field("y");
    const auto is_number = [](const Field* field) {
        return field != nullptr && field->type == FieldType::f32 && field->array_length == 0;
    };
    if (schema.kind != ComponentKind::component || !is_number(x) || !is_number(y)) {
        problem_ = engine_errors::kPositionShape;
        return;
    }
    position_stride_ = schema.size;
    x_offset_ = x->offset;
    y_offset_ = y->offset;
    const Result<Query*> query = world.query(
        {.terms = {{*position, Access::read}, {components.sprite, Access::read}}, .any = {}, .without = {}});
    ECS_INVARIANT(query.ok(), query ? "" : query.error().message);
    query_ = query.value();
}

DrawCamera SpriteExtractor::camera() const {
    const Camera camera = camera_of(world_, components_.camera);
    return {camera.x, camera.y, camera.zoom};
}

DrawCamera SpriteExtractor::camera_between(float alpha) const {
    const DrawCamera now = camera();
    constexpr float kMaxDistance = PreviousPositions::kMaxStepDistance;
    const float dx = now.x - previous_camera_.x;
    const float dy = now.y - previous_camera_.y;
    if (!has_previous_camera_ || !(std::fabs(dx) < kMaxDistance) || !(std::fabs(dy) < kMaxDistance))
        return now;
    const float back = 1.0F - alpha;
    return {now.x - dx * back, now.y - dy * back, now.zoom - (now.zoom - previous_camera_.zoom) * back};
}

void SpriteExtractor::remember() {
    previous_camera_ = camera();
    has_previous_camera_ = true;
    if (query_ == nullptr) return;
    world_.each_chunk(*query_, [this](ChunkView& chunk) {
        const std::byte* position = chunk.column_data(0);
        for (const Entity entity : chunk.entities()) {
            previous_.reserve(entity.index() + 1);
            previous_.remember(entity, float_at(position + x_offset_), float_at(position + y_offset_));
            position += position_stride_;
        }
    });
}

void SpriteExtractor::extract(const ImageTable& images, float alpha, float screen_width, float screen_height,
                              DrawList& list) {
    undrawn_ = {};
    if (query_ == nullptr) return;
    const DrawCamera camera = camera_between(alpha);
    const float half_width = screen_width / 2.0F / camera.zoom;
    const float half_height = screen_height / 2.0F / camera.zoom;
    const View view{camera.x - half_width,
                    camera.y - half_height,
                    camera.x + half_width,
                    camera.y + half_height,
                    alpha,
                    images,
                    previous_,
                    undrawn_};
    const bool is_packed = position_stride_ == kPackedStride && x_offset_ == 0 && y_offset_ == sizeof(float);
    const ExtractRows extract_chunk =
        choose_loop(is_packed, alpha < 1.0F, camera_of(world_, components_.camera).y_sort);

    const DrawList::Batch batch = list.begin_batch(query_->entity_count());
    std::size_t written = 0;
    world_.each_chunk(*query_, [&](ChunkView& chunk) {
        const std::size_t room = batch.count - written;
        const Columns columns{chunk.entities().data(),
                              chunk.column_data(0),
                              reinterpret_cast<const Sprite*>(chunk.column_data(1)),
                              std::min<std::size_t>(chunk.row_count(), room),
                              position_stride_,
                              x_offset_,
                              y_offset_};
        written = extract_chunk(view, columns, batch, written);
    });
    list.end_batch(batch, written);
}

}  // namespace perigee
