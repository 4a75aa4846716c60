// Each combination of layout and options is a function, chosen once per frame.
#include "engine/extract/internal/sprites.h"

#include "ecs/world/world.h"
#include "engine/assets/image_table.h"
#include "engine/extract/components.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perigee::internal {

namespace {

struct SpriteColumns {
    const Entity* entities;
    const std::byte* positions;
    const Sprite* sprites;
    std::size_t count;
};

std::uint8_t flags_of(const Sprite& sprite) noexcept {
    std::uint8_t flags = blend_bits(sprite.blend);
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

constexpr PositionColumn kPackedPosition{{}, 2 * sizeof(float), 0, sizeof(float)};

// Writes the visible rows to items and entries; returns how many.
template <bool kIsPacked, bool kIsBetween, bool kSortsByY>
std::size_t extract_rows(const ExtractFrame& view, const SpriteColumns& columns, const DrawList::Batch& batch,
                         std::size_t written) {
    const PositionColumn position = kIsPacked ? kPackedPosition : view.position;
    FrameCache frame{view.images};

    for (std::size_t row = 0; row < columns.count; ++row) {
        const Sprite& sprite = columns.sprites[row];
        if (sprite.image == 0) continue;
        auto [x, y] = position.at(columns.positions, row);
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
        if (!view.sees(x, y, reach)) {
            if (!ExtractFrame::is_drawable(x, y, reach)) view.undrawn.add(columns.entities[row]);
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
        if constexpr (kSortsByY) order.order = view.order_at(y);
        batch.entries[written] = {draw_key(item, order, frame.texture), columns.entities[row].index(),
                                  batch.first_item + static_cast<std::uint32_t>(written)};
        ++written;
    }
    return written;
}

using ExtractRows = std::size_t (*)(const ExtractFrame&, const SpriteColumns&, const DrawList::Batch&,
                                    std::size_t);

ExtractRows choose_loop(bool is_packed, bool is_between, bool sorts_by_y) {
    static constexpr ExtractRows kLoops[2][2][2] = {
        {{extract_rows<false, false, false>, extract_rows<false, false, true>},
         {extract_rows<false, true, false>, extract_rows<false, true, true>}},
        {{extract_rows<true, false, false>, extract_rows<true, false, true>},
         {extract_rows<true, true, false>, extract_rows<true, true, true>}}};
    return kLoops[is_packed][is_between][sorts_by_y];
}

}  // namespace

void extract_sprites(const ExtractFrame& frame, const Query& query) {
    const ExtractRows extract_chunk =
        choose_loop(frame.position.is_packed(), frame.alpha < 1.0F, frame.sorts_by_y);
    const DrawList::Batch batch = frame.list.begin_batch(query.entity_count());
    std::size_t written = 0;
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const std::size_t room = batch.count - written;
        const SpriteColumns columns{chunk.entities().data(), chunk.column_data(0),
                                    reinterpret_cast<const Sprite*>(chunk.column_data(1)),
                                    std::min<std::size_t>(chunk.row_count(), room)};
        written = extract_chunk(frame, columns, batch, written);
    });
    frame.list.end_batch(batch, written);
}

}  // namespace perigee::internal
