// Arming writes two words and an epoch per column; nothing is allocated.
#include "scripting/view.h"

#include "ecs/archetype.h"

namespace perigee {

ViewSet::ViewSet(std::span<const ComponentId> terms)
    : terms_(terms.begin(), terms.end()), views_(std::make_unique<ColumnView[]>(terms.size() + 1)) {
    for (std::size_t i = 0; i <= terms_.size(); ++i) {
        views_[i].self = reinterpret_cast<std::uint64_t>(&views_[i]);
    }
}

void ViewSet::arm(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                  std::uint64_t epoch) noexcept {
    const auto lend = [&](ColumnView& view, const void* start, std::size_t row_bytes) {
        view.address = reinterpret_cast<std::uint64_t>(start) + first * row_bytes;
        view.count = static_cast<std::int32_t>(last - first);
        view.epoch = epoch;
    };
    lend(views_[0], chunk.entities().data(), sizeof(Entity));
    for (std::size_t term = 0; term < terms_.size(); ++term) {
        ColumnView& view = views_[term + 1];
        if (const std::byte* start = chunk.column_data(term)) {
            const Archetype& archetype = chunk.archetype();
            const auto column = static_cast<std::size_t>(archetype.column_of(terms_[term]));
            lend(view, start, archetype.layout().columns[column].size);
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
