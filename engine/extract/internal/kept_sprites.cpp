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

bool is_seen(const KeptChunk& chunk, const SeenLayer& seen) noexcept {
    return chunk.right >= seen.left && chunk.left <= seen.right && chunk.bottom >= seen.top &&
           chunk.top <= seen.bottom;
}

bool is_worth_a_range(const KeptChunk& chunk, const SeenLayer& seen) noexcept {
    if (seen.sort == LayerSort::y || chunk.ranges.size() * kItemsOfRange > chunk.items->items.size())
        return false;
    const float seen_width = std::min(chunk.right, seen.right) - std::max(chunk.left, seen.left);
    const float seen_height = std::min(chunk.bottom, seen.bottom) - std::max(chunk.top, seen.top);
    return seen_width * seen_height >= kSeenPart * (chunk.right - chunk.left) * (chunk.bottom - chunk.top);
}

void add_copies(const KeptItems& kept, std::span<const KeptRange> ranges, const SeenLayer& seen,
                DrawList& list) {
    std::size_t count = 0;
    for (const KeptRange& range : ranges) count += range.count;
    const DrawList::Batch batch = list.begin_batch(count);
    std::size_t written = 0;
    for (const KeptRange& range : ranges) {
        const std::size_t end = range.first + range.count;
        for (std::size_t i = range.first; i < end && written < batch.count; ++i) {
            const DrawItem& item = kept.items[i];
            if (!seen.sees(item.x, item.y, reach_of(item))) continue;
            batch.items[written] = item;
            const std::uint64_t order = seen.sort == LayerSort::y ? seen.order_at(item.y) : 0;
            batch.entries[written] = {range.key | order << 24U, kept.ties[i],
                                      batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
    }
    list.end_batch(batch, written);
}

// Ranges of layers that are seen alike.
void add_ranges(const KeptChunk& chunk, std::span<const KeptRange> ranges, const SeenLayer& seen,
                DrawList& list) {
    if (!is_seen(chunk, seen)) return;
    if (!is_worth_a_range(chunk, seen)) {
        add_copies(*chunk.items, ranges, seen, list);
        return;
    }
    for (const KeptRange& range : ranges) list.add_kept(chunk.items, range);
}

}  // namespace

KeptSprites::Known KeptSprites::next(const ExtractFrame& frame, const ChunkView& view) {
    if (next_ == chunks_.size()) chunks_.emplace_back();
    KeptChunk& chunk = chunks_[next_++];
    const void* const memory = view.entities().data();
    const bool is_unchanged = chunk.memory == memory && !view.changed_since(0, chunk.seen) &&
                              !view.changed_since(1, chunk.seen) && chunk.images == frame.images.version() &&
                              chunk.ordered == frame.ordered_version;
    const bool is_still = is_unchanged && !view.changed_since(0, frame.remembered);
    if (!is_unchanged) {
        chunk.items.reset();
        chunk.memory = memory;
        chunk.images = frame.images.version();
        chunk.ordered = frame.ordered_version;
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
    const std::span<const KeptRange> ranges{chunk.ranges};
    if (frame.layers.empty()) {
        add_ranges(chunk, ranges, frame.seen, frame.list);
        return;
    }
    for (const KeptRange& range : ranges)
        add_ranges(chunk, {&range, 1}, frame.seen_of(layer_of(range.key)), frame.list);
}

}  // namespace perigee::internal
