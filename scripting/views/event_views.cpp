// A system has a handful of types: a linear search finds them.
#include "scripting/views/event_views.h"

#include <algorithm>

namespace perigee {

EventViews::Pair& EventViews::of(ComponentId event) {
    const auto found = std::find_if(pairs_.begin(), pairs_.end(),
                                    [&](const std::unique_ptr<Pair>& pair) { return pair->event == event; });
    if (found != pairs_.end()) return **found;
    pairs_.push_back(std::make_unique<Pair>());
    Pair& made = *pairs_.back();
    made.event = event;
    made.reading.self = address_of(&made.reading);
    made.writing.self = address_of(&made.writing);
    return made;
}

void EventViews::lend(ColumnView& view, const std::byte* rows, std::size_t count,
                      std::uint64_t epoch) noexcept {
    view.address = address_of(rows);
    view.count = static_cast<std::int32_t>(count);
    view.epoch = epoch;
}

void EventViews::disarm() noexcept {
    for (const std::unique_ptr<Pair>& pair : pairs_) {
        lend(pair->reading, nullptr, 0, 0);
        lend(pair->writing, nullptr, 0, 0);
    }
}

}  // namespace perigee
