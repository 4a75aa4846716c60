// What lists refer to without items of their own: kept items, also where they are now, and particles.
#include "ecs/base/contract.h"
#include "engine/draw/draw_list.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace perigee {

// ---- kept items -------------------------------------------------------------------------------------------

std::uint64_t new_stamp() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void DrawList::add_kept(std::shared_ptr<const KeptItems> kept, const KeptRange& range) {
    const std::size_t end = std::size_t{range.first} + range.count;
    ECS_EXPECTS(end <= kept->items.size() && range.count != 0, range.first, range.count);
    entries_.push_back(
        {range.key, kept->ties[range.first], kRange | static_cast<std::uint32_t>(ranges_.size())});
    kept_count_ += range.count;
    const std::uint32_t last_tie = kept->ties[end - 1];
    ranges_.push_back({.first = range.first,
                       .count = range.count,
                       .last_tie = last_tie,
                       .has_ties = true,
                       .kept = std::move(kept)});
}

std::span<const DrawItem> DrawList::items_of(const Entry& entry) const noexcept {
    if ((entry.item & kRange) == 0) return items().subspan(entry.item, 1);
    const Range& range = ranges_[entry.item & ~kRange];
    const std::span<const DrawItem> items = range.kept != nullptr ? range.kept->items : this->items();
    return items.subspan(range.first, range.count);
}

std::span<ItemPlace> DrawList::add_places(std::size_t count) {
    const std::size_t first = places_.size();
    places_.resize(first + count);
    return std::span{places_}.subspan(first);
}

void DrawList::drop_places(std::span<const ItemPlace> places) {
    ECS_EXPECTS(places.data() + places.size() == places_.data() + places_.size(), places.size());
    places_.resize(places_.size() - places.size());
}

void DrawList::add_moved(std::shared_ptr<const KeptItems> kept, const KeptRange& range,
                         std::span<const ItemPlace> places) {
    ECS_EXPECTS(places.size() == kept->items.size(), places.size(), kept->items.size());
    const auto first = static_cast<std::uint32_t>(places.data() - places_.data());
    add_kept(std::move(kept), range);
    ranges_.back().places = first + range.first + 1;
}

std::span<const DrawItem> DrawList::moved_items(std::span<const DrawItem> items, std::uint32_t places,
                                                std::vector<DrawItem>& scratch) const {
    scratch.assign(items.begin(), items.end());
    for (std::size_t i = 0; i < scratch.size(); ++i) {
        scratch[i].x = places_[places - 1 + i].x;
        scratch[i].y = places_[places - 1 + i].y;
    }
    return scratch;
}

// ---- particles --------------------------------------------------------------------------------------------

std::span<ParticleItem> DrawList::begin_particles(std::size_t count) {
    const std::size_t first = particles_.size();
    const std::size_t granted = std::min(count, kMaxItems - std::min(kMaxItems, first));
    dropped_ += count - granted;
    particles_.resize(first + granted);
    return std::span{particles_}.subspan(first);
}

void DrawList::end_particles(std::span<const ParticleItem> batch, std::size_t written,
                             const ParticleLooks& looks, std::uint64_t key, std::uint32_t tie) {
    ECS_EXPECTS(written <= batch.size(), written, batch.size());
    const std::size_t first = particles_.size() - batch.size();
    particles_.resize(first + written);
    if (written == 0) return;
    particle_looks_.push_back(looks);
    entries_.push_back({key, tie, kRange | static_cast<std::uint32_t>(ranges_.size())});
    ranges_.push_back({.first = static_cast<std::uint32_t>(first),
                       .count = static_cast<std::uint32_t>(written),
                       .last_tie = tie,
                       .kept = nullptr,
                       .looks = static_cast<std::uint32_t>(particle_looks_.size())});
}

std::span<const DrawItem> DrawList::items_of_particles(std::uint32_t looks, std::uint32_t first,
                                                       std::uint32_t count,
                                                       std::vector<DrawItem>& scratch) const {
    scratch.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
        scratch[i] = particle_looks_[looks - 1].item_of(particles_[first + i]);
    return scratch;
}

// ---- any of them ------------------------------------------------------------------------------------------

std::span<const DrawItem> DrawList::items_of(const DrawRun& run, std::vector<DrawItem>& scratch) const {
    if (run.looks != 0) return items_of_particles(run.looks, run.first, run.count, scratch);
    return run.places != 0 ? moved_items(items_of(run), run.places, scratch) : items_of(run);
}

std::span<const DrawItem> DrawList::items_of(const Entry& entry, std::vector<DrawItem>& scratch) const {
    const Range* const range = (entry.item & kRange) != 0 ? &ranges_[entry.item & ~kRange] : nullptr;
    if (range == nullptr || (range->looks == 0 && range->places == 0)) return items_of(entry);
    return range->looks != 0 ? items_of_particles(range->looks, range->first, range->count, scratch)
                             : moved_items(items_of(entry), range->places, scratch);
}

}  // namespace perigee
