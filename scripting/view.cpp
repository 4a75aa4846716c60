// Arming writes two words and an epoch per column; nothing is allocated.
#include "scripting/view.h"

#include "ecs/archetype.h"

namespace perigee {

namespace {

std::size_t row_bytes(const Archetype& archetype, ComponentId component) noexcept {
    return archetype.layout().columns[static_cast<std::size_t>(archetype.column_of(component))].size;
}

}  // namespace

ViewSet::ViewSet(std::span<const ComponentId> terms)
    : terms_(terms.begin(), terms.end()), views_(std::make_unique<ColumnView[]>(terms.size() + 1)) {
    for (std::size_t i = 0; i <= terms_.size(); ++i) {
        views_[i].self = reinterpret_cast<std::uint64_t>(&views_[i]);
    }
}

void ViewSet::arm(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                  std::uint64_t epoch) noexcept {
    const auto lend = [&](ColumnView& view, const std::byte* first_row) {
        view.address = reinterpret_cast<std::uint64_t>(first_row);
        view.count = static_cast<std::int32_t>(last - first);
        view.epoch = epoch;
    };
    lend(views_[0], reinterpret_cast<const std::byte*>(chunk.entities().data() + first));
    for (std::size_t term = 0; term < terms_.size(); ++term) {
        ColumnView& view = views_[term + 1];
        if (const std::byte* start = chunk.column_data(term)) {
            // The row size takes a search, and whole chunks do not need it.
            lend(view, first == 0 ? start : start + first * row_bytes(chunk.archetype(), terms_[term]));
        } else {
            // A tag has no rows to lend; a non-zero address says that it is there.
            view.address = chunk.archetype().has(terms_[term]) ? 1 : 0;
            view.count = 0;
            view.epoch = 0;
        }
    }
}

void ViewSet::disarm() noexcept {
    for (std::size_t i = 0; i <= terms_.size(); ++i) {
        views_[i].address = 0;
        views_[i].count = 0;
        views_[i].epoch = 0;
    }
}

}  // namespace perigee
