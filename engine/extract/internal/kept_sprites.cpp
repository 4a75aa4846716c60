// What is seen in part is copied item by item when copying it is less work than drawing all of it.
#include "engine/extract/internal/kept_sprites.h"

#include "ecs/query/chunk_view.h"
#include "ecs/world/world.h"
#include "engine/assets/image_table.h"
#include "engine/extract/internal/moved_places.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace perigee::internal {

namespace {

// Drawn whole if at least this part of their rectangle is seen: what lies outside costs the card little.
constexpr float kSeenPart = 0.25F;
// … and they have this many items a range on average: each range is a run of its own.
constexpr std::size_t kItemsOfRange = 8;
// Of items that moved, this part of the items. Scattered copies cost 90 ns each, since the items are not in
// the cache; the places of all cost 1 ns each (measured), and the card has to place what nobody sees.
constexpr float kSeenPartOfMoved = 0.1F;
// A run costs as much as 130 copies of neighbours: 10 ns each (measured).
constexpr std::size_t kItemsOfMovedRange = 128;
// Making items costs as much as extracting their rows six times.
constexpr std::uint32_t kExtractionsBefore = 8;

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

// Of each range what is seen is a range, or sorted by y item by item. `places`: empty, or of all items.
void add_copies(const KeptChunk& chunk, std::span<const KeptRange> ranges, const SeenLayer& seen,
                std::span<const ItemPlace> places, DrawList& list) {
    const KeptItems& kept = *chunk.items;
    std::size_t count = 0;
    for (const KeptRange& range : ranges) count += range.count;
    const DrawList::Batch batch = list.begin_batch(count);
    std::size_t written = 0;
    std::size_t entries = 0;
    for (const KeptRange& range : ranges) {
        const std::size_t first = written;
        const std::size_t end = range.first + range.count;
        for (std::size_t i = range.first; i < end && written < batch.count; ++i) {
            // Of most that are not seen, the place tells without the item.
            if (!places.empty() && !seen.sees(places[i].x, places[i].y, chunk.reach)) continue;
            DrawItem item = kept.items[i];
            if (!places.empty()) {
                item.x = places[i].x;
                item.y = places[i].y;
            }
            if (!seen.sees(item.x, item.y, reach_of(item))) continue;
            batch.items[written] = item;
            batch.ties[written] = kept.ties[i];
            if (seen.sort == LayerSort::y)
                batch.entries[entries++] = {range.key | std::uint64_t{seen.order_at(item.y)} << 24U,
                                            kept.ties[i],
                                            batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
        const auto seen_count = static_cast<std::uint32_t>(written - first);
        if (seen.sort == LayerSort::y || seen_count == 0) continue;
        const std::uint32_t item = batch.first_item + static_cast<std::uint32_t>(first);
        batch.entries[entries++] = {
            range.key, batch.ties[first],
            seen_count == 1 ? item : list.add_range(item, seen_count, batch.ties[written - 1])};
    }
    list.end_batch(batch, written, entries);
}

// Ranges of layers that are seen alike.
void add_ranges(const KeptChunk& chunk, std::span<const KeptRange> ranges, const SeenLayer& seen,
                DrawList& list) {
    if (!is_seen(chunk, seen)) return;
    if (!is_worth_a_range(chunk, seen)) {
        add_copies(chunk, ranges, seen, {}, list);
        return;
    }
    for (const KeptRange& range : ranges) list.add_kept(chunk.items, range);
}

// Returns whether the list refers to the places.
bool add_moved_ranges(const KeptChunk& chunk, std::span<const KeptRange> ranges, const SeenLayer& seen,
                      std::span<const ItemPlace> places, DrawList& list) {
    const std::size_t first = ranges.front().first;
    const std::size_t count = ranges.back().first + ranges.back().count - first;
    const std::size_t seen_count = count_seen(places.subspan(first, count), seen, chunk.reach);
    if (seen_count == 0) return false;
    const bool is_little = static_cast<float>(seen_count) < kSeenPartOfMoved * static_cast<float>(count);
    if (is_little || seen.sort == LayerSort::y || ranges.size() * kItemsOfMovedRange > count) {
        add_copies(chunk, ranges, seen, places, list);
        return false;
    }
    for (const KeptRange& range : ranges) list.add_moved(chunk.items, range, places);
    return true;
}

}  // namespace

// What is not at its place is later in the visit if the chunks between are gone, or else it is new.
KeptChunk& KeptSprites::find(const void* memory) {
    const auto is_it = [memory](const auto& chunk) { return chunk->memory == memory; };
    const auto place = chunks_.begin() + static_cast<std::ptrdiff_t>(next_++);
    if (place != chunks_.end() && is_it(*place)) return **place;
    const auto found = std::find_if(place, chunks_.end(), is_it);
    if (found != chunks_.end()) return **chunks_.erase(place, found);
    KeptChunk& added = **chunks_.insert(place, std::make_unique<KeptChunk>());
    added.memory = memory;
    return added;
}

KeptSprites::Known KeptSprites::next(const ExtractFrame& frame, const ChunkView& view) {
    KeptChunk& chunk = find(view.entities().data());
    const bool has_same_looks = !view.changed_since(1, chunk.seen) &&
                                chunk.images == frame.images.version() &&
                                chunk.ordered == frame.ordered_version;
    const bool has_moved = view.changed_since(0, chunk.seen);
    chunk.seen = frame.world.change_version() - 1;  // what is written next may have this version, too
    chunk.images = frame.images.version();
    chunk.ordered = frame.ordered_version;
    const auto count = [](std::uint32_t& extractions, bool is_same) {
        extractions = is_same ? std::min(extractions + 1, kExtractionsBefore) : 0;
    };
    count(chunk.same_looks, has_same_looks);
    count(chunk.same_places, has_same_looks && !has_moved);
    if (has_moved) chunk.is_placed = false;
    if (!has_same_looks || (has_moved && !chunk.has_all)) chunk.items.reset();
    if (!has_same_looks) return {chunk, Use::rows};

    // What moves now and then is not worth making each time.
    const bool is_still = !has_moved && !view.changed_since(0, frame.remembered);
    const bool is_kept =
        chunk.items != nullptr && (chunk.is_placed || chunk.same_places < kExtractionsBefore);
    if (is_still && !is_kept) chunk.items.reset();
    if (is_still && (!is_kept || chunk.is_placed)) return {chunk, Use::still};
    const bool may_move = chunk.items != nullptr || chunk.same_looks == kExtractionsBefore;
    return {chunk, may_move ? Use::moved : Use::rows};
}

void KeptSprites::make(KeptChunk& chunk, const ExtractFrame& frame, std::span<const DrawItem> items,
                       std::span<const std::uint32_t> rows, std::span<const DrawList::Entry> entries) {
    const auto kept = std::make_shared<KeptItems>();
    kept->stamp = new_stamp();
    kept->items.reserve(items.size());
    kept->ties.reserve(items.size());
    chunk.ranges.clear();
    chunk.rows.clear();
    chunk.reach = 0.0F;
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
        chunk.rows.push_back(rows[i]);
        const float reach = reach_of(item);
        chunk.reach = std::max(chunk.reach, reach);
        chunk.left = std::min(chunk.left, item.x - reach);
        chunk.top = std::min(chunk.top, item.y - reach);
        chunk.right = std::max(chunk.right, item.x + reach);
        chunk.bottom = std::max(chunk.bottom, item.y + reach);
    }
    chunk.items = kept;
    std::uint32_t next = 0;
    if (std::ranges::all_of(chunk.rows, [&next](std::uint32_t row) { return row == next++; }))
        chunk.rows.clear();
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

void KeptSprites::add_moved(const KeptChunk& chunk, const ExtractFrame& frame,
                            std::span<const ItemPlace> places) {
    frame.undrawn->add(chunk.undrawn);
    const std::span<const KeptRange> ranges{chunk.ranges};
    bool needs_places = false;
    if (ranges.empty()) {
    } else if (frame.layers.empty()) {
        needs_places = add_moved_ranges(chunk, ranges, frame.seen, places, frame.list);
    } else {
        for (const KeptRange& range : ranges)
            needs_places |=
                add_moved_ranges(chunk, {&range, 1}, frame.seen_of(layer_of(range.key)), places, frame.list);
    }
    if (!needs_places) frame.list.drop_places(places);
}

}  // namespace perigee::internal
