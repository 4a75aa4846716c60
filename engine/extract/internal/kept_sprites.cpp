// What is seen in part is copied item by item when copying it is less work than drawing all of it.
#include "engine/extract/internal/kept_sprites.h"

#include "ecs/query/chunk_view.h"
#include "ecs/world/world.h"
#include "engine/assets/image_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace perigee::internal {

namespace {

// Drawn whole if at least this part of their rectangle is seen: what lies outside costs the card little.
constexpr float kSeenPart = 0.25F;
// … and they have this many items a range on average: each range is a run of its own.
constexpr std::size_t kItemsOfRange = 8;

// With any rotation and origin (at most one size away), a sprite stays within this distance.
float reach_of(const DrawItem& item) noexcept { return 2.0F * (item.w + item.h); }

bool is_worth_a_range(const KeptChunk& chunk, const ExtractFrame& frame) noexcept {
    if (frame.sorts_by_y || chunk.ranges.size() * kItemsOfRange > chunk.items->items.size()) return false;
    const float seen_width = std::min(chunk.right, frame.right) - std::max(chunk.left, frame.left);
    const float seen_height = std::min(chunk.bottom, frame.bottom) - std::max(chunk.top, frame.top);
    return seen_width * seen_height >= kSeenPart * (chunk.right - chunk.left) * (chunk.bottom - chunk.top);
}

void add_copies(const KeptChunk& chunk, const ExtractFrame& frame) {
    const KeptItems& kept = *chunk.items;
    const DrawList::Batch batch = frame.list.begin_batch(kept.items.size());
    std::size_t written = 0;
    for (const KeptRange& range : chunk.ranges) {
        const std::size_t end = range.first + range.count;
        for (std::size_t i = range.first; i < end && written < batch.count; ++i) {
            const DrawItem& item = kept.items[i];
            if (!frame.sees(item.x, item.y, reach_of(item))) continue;
            batch.items[written] = item;
            batch.entries[written] = {range.key | std::uint64_t{frame.order_at(item.y)} << 24U, kept.ties[i],
                                      batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
    }
    frame.list.end_batch(batch, written);
}

}  // namespace

KeptSprites::Known KeptSprites::next(const ExtractFrame& frame, const ChunkView& view) {
    if (next_ == chunks_.size()) chunks_.emplace_back();
    KeptChunk& chunk = chunks_[next_++];
    const void* const memory = view.entities().data();
    const bool is_unchanged = chunk.memory == memory && !view.changed_since(0, chunk.seen) &&
                              !view.changed_since(1, chunk.seen) && chunk.images == frame.images.version();
    const bool is_still = is_unchanged && !view.changed_since(0, frame.remembered);
    if (!is_unchanged) {
        chunk.items.reset();
        chunk.memory = memory;
        chunk.images = frame.images.version();
    }
    chunk.seen = frame.world.change_version();
    return {chunk, is_still};
}

void KeptSprites::make(KeptChunk& chunk, const ExtractFrame& frame, std::span<const DrawItem> items,
                       std::span<const DrawList::Entry> entries) {
    const auto kept = std::make_shared<KeptItems>();
    kept->stamp = new_stamp();
    kept->items.reserve(items.size());
    kept->ties.reserve(items.size());
    chunk.ranges.clear();
    chunk.left = chunk.top = std::numeric_limits<float>::max();
    chunk.right = chunk.bottom = std::numeric_limits<float>::lowest();

    std::vector<std::uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return entries[a].key != entries[b].key ? entries[a].key < entries[b].key
                                                : entries[a].tie < entries[b].tie;
    });
    std::uint32_t last_image = 0;
    for (const std::uint32_t i : order) {
        const DrawItem& item = items[i];
        const std::uint32_t image = frame.images[item.ref].image;
        if (chunk.ranges.empty() || chunk.ranges.back().key != entries[i].key || image != last_image)
            chunk.ranges.push_back({entries[i].key, static_cast<std::uint32_t>(kept->items.size()), 0});
        last_image = image;
        ++chunk.ranges.back().count;
        kept->items.push_back(item);
        kept->ties.push_back(entries[i].tie);
        const float reach = reach_of(item);
        chunk.left = std::min(chunk.left, item.x - reach);
        chunk.top = std::min(chunk.top, item.y - reach);
        chunk.right = std::max(chunk.right, item.x + reach);
        chunk.bottom = std::max(chunk.bottom, item.y + reach);
    }
    chunk.items = kept;
}

void KeptSprites::add(const KeptChunk& chunk, const ExtractFrame& frame) {
    frame.undrawn->add(chunk.undrawn);
    const bool is_seen = chunk.right >= frame.left && chunk.left <= frame.right &&
                         chunk.bottom >= frame.top && chunk.top <= frame.bottom;
    if (!is_seen) return;
    if (!is_worth_a_range(chunk, frame)) {
        add_copies(chunk, frame);
        return;
    }
    for (const KeptRange& range : chunk.ranges) frame.list.add_kept(chunk.items, range);
}

}  // namespace perigee::internal
