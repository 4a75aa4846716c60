// Each combination of layout and options is a function, chosen once per chunk.
#include "engine/extract/internal/sprites.h"

#include "ecs/world/world.h"
#include "engine/assets/image_table.h"
#include "engine/extract/components.h"
#include "engine/extract/internal/kept_sprites.h"
#include "engine/extract/internal/moved_places.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace perigee::internal {

namespace {

struct SpriteColumns {
    const Entity* entities;
    const std::byte* positions;
    const Sprite* sprites;
    std::size_t count;
};

std::uint8_t flags_of(const Sprite& sprite) noexcept {
    const unsigned flip_x = sprite.scale_x < 0.0F ? kDrawFlipX : 0U;
    const unsigned flip_y = sprite.scale_y < 0.0F ? kDrawFlipY : 0U;
    return static_cast<std::uint8_t>(blend_bits(sprite.blend) | flip_x | flip_y);
}

std::uint8_t origin_of(float origin, float scale) noexcept {
    const std::uint8_t quantised = quantised_origin(origin);
    return scale < 0.0F ? mirrored_origin(quantised) : quantised;
}

// Neighbours mostly show the same image, so what was found last is kept.
class FrameCache {
public:
    explicit FrameCache(const ImageTable& images) noexcept : images_(images) {}
    void look_up(std::uint32_t image, std::uint32_t frame) noexcept {
        if (image == image_ && frame == frame_) return;
        if (image != image_) frames_ = images_.frames_of(image);
        image_ = image;
        frame_ = frame;
        id = frames_[frame];
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
    ImageTable::Frames frames_;
    std::uint32_t image_ = 0;  // never looked up for sprites without an image
    std::uint32_t frame_ = 0;
};

// A DrawItem as words: made in registers and stored at once. Narrow stores followed by a wide load of the
// same memory, as copying a struct is, cost a quarter of the loop.
struct ItemWords {
    float x, y, w, h;
    std::uint32_t color, ref;
    std::uint64_t rest;
};
static_assert(sizeof(ItemWords) == sizeof(DrawItem) &&
              offsetof(ItemWords, rest) == offsetof(DrawItem, angle) && offsetof(DrawItem, flags) == 31 &&
              std::endian::native == std::endian::little);

constexpr PositionColumn kPackedPosition{{}, 2 * sizeof(float), 0, sizeof(float)};

// Rows that the camera may see, that can be drawn where they are, or that can be drawn somewhere.
enum class Rows : std::uint8_t { visible, drawable, any };

// How layers are seen and sorted: all alike, in either way, or each on its own.
enum class Layers : std::uint8_t { alike, alike_by_y, each };

struct Written {
    std::size_t items = 0;
    std::size_t entries = 0;
};

// Joins neighbours of one key, whose ties rise, to one entry.
class RangeWriter {
public:
    RangeWriter(DrawList& list, const DrawList::Batch& batch) : list_(list), batch_(batch) {}

    // Inlined in each loop: the compiler would keep its numbers in memory instead of registers, a fifth of
    // the loop.
    [[gnu::always_inline]] void add(std::size_t item, std::uint64_t key, std::uint32_t tie) {
        if (key != key_ || tie < last_tie_) {
            end(item);
            key_ = key;
            first_ = item;
        }
        last_tie_ = tie;
        batch_.ties[item] = tie;
    }
    /// How many entries there are before this item.
    [[gnu::always_inline]] std::size_t end(std::size_t item) {
        const auto count = static_cast<std::uint32_t>(item - first_);
        if (count == 0) return entries_;
        const std::uint32_t first = batch_.first_item + static_cast<std::uint32_t>(first_);
        batch_.entries[entries_++] = {key_, batch_.ties[first_],
                                      count == 1 ? first : list_.add_range(first, count, last_tie_)};
        return entries_;
    }

private:
    DrawList& list_;
    const DrawList::Batch& batch_;
    std::uint64_t key_ = 0;
    std::uint32_t last_tie_ = 0;
    std::size_t first_ = 0;
    std::size_t entries_ = 0;
};

// Writes rows to the batch. All but visible ones have the number of their row as tie in the batch.
template <Rows kRows, bool kIsPacked, bool kIsBetween, Layers kLayers>
Written extract_rows(const ExtractFrame& view, const SpriteColumns& columns, const DrawList::Batch& batch) {
    // Each has a key of its own, or its place is still open.
    constexpr bool kHasOwnEntry = kLayers == Layers::alike_by_y || kRows != Rows::visible;
    LayerCursor layers{view};
    RangeWriter ranges{view.list, batch};
    std::size_t written = 0;
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
        const SeenLayer& seen = kLayers == Layers::each ? layers.of(sprite.layer) : view.seen;
        const bool is_taken = kRows == Rows::visible    ? seen.sees(x, y, reach)
                              : kRows == Rows::drawable ? ExtractFrame::is_drawable(x, y, reach)
                                                        : std::isfinite(reach);
        if (!is_taken) {
            if (!ExtractFrame::is_drawable(x, y, reach)) view.undrawn->add(columns.entities[row]);
            continue;
        }

        const auto flags = static_cast<std::uint8_t>(flags_of(sprite) | seen.flags);
        ItemWords item{x, y, width, height, 0, frame.id, 0};
        std::memcpy(&item.color, &sprite.color, sizeof item.color);
        item.rest = std::uint64_t{quantised_angle(sprite.rotation)} |
                    std::uint64_t{origin_of(sprite.origin_x, sprite.scale_x)} << 32U |
                    std::uint64_t{origin_of(sprite.origin_y, sprite.scale_y)} << 40U |
                    std::uint64_t{static_cast<std::uint8_t>(DrawKind::sprite)} << 48U |
                    std::uint64_t{flags} << 56U;
        batch.items[written] = std::bit_cast<DrawItem>(item);

        DrawOrder order{sprite.layer, 0};
        if constexpr (kLayers == Layers::alike_by_y) {
            order.order = seen.order_at(y);
        } else if constexpr (kLayers == Layers::each) {
            // Where kept items are on the screen is not known yet.
            if (kRows == Rows::visible || seen.sort != LayerSort::y)
                order.order = seen.order_of(y, sprite.order);
        }
        const std::uint64_t key = draw_key(DrawKind::sprite, flags, order, frame.texture);
        const std::uint32_t tie = columns.entities[row].index();
        if constexpr (kRows != Rows::visible) batch.ties[written] = static_cast<std::uint32_t>(row);
        if constexpr (kHasOwnEntry)
            batch.entries[written] = {key, tie, batch.first_item + static_cast<std::uint32_t>(written)};
        else
            ranges.add(written, key, tie);
        ++written;
    }
    return {written, kHasOwnEntry ? written : ranges.end(written)};
}

using ExtractRows = Written (*)(const ExtractFrame&, const SpriteColumns&, const DrawList::Batch&);

template <bool kIsPacked, bool kIsBetween> ExtractRows choose_loop(const ExtractFrame& frame) {
    constexpr Rows kSeen = Rows::visible;
    if (!frame.layers.empty()) return extract_rows<kSeen, kIsPacked, kIsBetween, Layers::each>;
    if (frame.seen.sort == LayerSort::y)
        return extract_rows<kSeen, kIsPacked, kIsBetween, Layers::alike_by_y>;
    return extract_rows<kSeen, kIsPacked, kIsBetween, Layers::alike>;
}

ExtractRows choose_loop(const ExtractFrame& frame, bool is_between) {
    if (frame.position.is_packed())
        return is_between ? choose_loop<true, true>(frame) : choose_loop<true, false>(frame);
    return is_between ? choose_loop<false, true>(frame) : choose_loop<false, false>(frame);
}

template <Rows kRows> ExtractRows choose_making(const ExtractFrame& frame) {
    return frame.layers.empty() ? extract_rows<kRows, false, false, Layers::alike>
                                : extract_rows<kRows, false, false, Layers::each>;
}

// `is_placed`: they are still. Else an item has no place, and each row that could be drawn has an item.
void make_kept(KeptChunk& chunk, const ExtractFrame& frame, const SpriteColumns& columns, bool is_placed) {
    std::vector<DrawItem> items(columns.count);
    std::vector<std::uint32_t> rows(columns.count);
    std::vector<DrawList::Entry> entries(columns.count);
    chunk.undrawn = {};
    ExtractFrame all = frame;
    all.undrawn = &chunk.undrawn;
    const auto extract = is_placed ? choose_making<Rows::drawable>(frame) : choose_making<Rows::any>(frame);
    const std::size_t count =
        extract(all, columns, {items.data(), rows.data(), entries.data(), 0, columns.count}).items;
    KeptSprites::make(chunk, frame, std::span{items}.first(count), std::span{rows}.first(count),
                      std::span{entries}.first(count));
    chunk.is_placed = is_placed;
    chunk.has_all = !is_placed || chunk.undrawn.count == 0;
}

// False if it has to be drawn row by row, since the place of a row cannot be drawn.
bool add_moved(const KeptChunk& kept, const ExtractFrame& frame, const ChunkView& chunk, bool is_between) {
    const std::span<ItemPlace> places = frame.list.add_places(kept.items->items.size());
    if (!find_places(frame, chunk, kept.rows, is_between, places)) {
        frame.list.drop_places(places);
        return false;
    }
    KeptSprites::add_moved(kept, frame, places);
    return true;
}

}  // namespace

void extract_sprites(const ExtractFrame& frame, const Query& query, KeptSprites& kept) {
    kept.begin();
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const SpriteColumns columns{chunk.entities().data(), chunk.column_data(0),
                                    reinterpret_cast<const Sprite*>(chunk.column_data(1)), chunk.row_count()};
        // What was not written since the step before is where it was.
        const bool is_between = frame.alpha < 1.0F && chunk.changed_since(0, frame.remembered);
        const auto [known, use] = kept.next(frame, chunk);
        if (use != KeptSprites::Use::rows && known.items == nullptr)
            make_kept(known, frame, columns, use == KeptSprites::Use::still);
        if (use == KeptSprites::Use::still) {
            KeptSprites::add(known, frame);
            return;
        }
        if (use == KeptSprites::Use::moved && add_moved(known, frame, chunk, is_between)) return;
        const DrawList::Batch batch = frame.list.begin_batch(columns.count);
        const Written written = choose_loop(frame, is_between)(
            frame, {columns.entities, columns.positions, columns.sprites, batch.count}, batch);
        frame.list.end_batch(batch, written.items, written.entries);
    });
    kept.end();
}

}  // namespace perigee::internal
