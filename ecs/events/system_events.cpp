// The read positions of a system.
#include "ecs/events/system_events.h"

#include "ecs/base/error_codes.h"
#include "ecs/schema/registry.h"

#include <algorithm>

namespace perigee {

EventBatch SystemEvents::read(ComponentId event) const {
    const Cursor* const cursor = cursor_of(event);
#if PERIGEE_DEBUG_CHECKS
    ECS_EXPECTS(cursor != nullptr || may_read_all_,
                errors::undeclared_access(reader_, world_.registry().info(event).schema.name, false));
#endif
    return world_.events().since(event, cursor == nullptr ? 0 : cursor->next);
}

void SystemEvents::restrict_to(const std::string& system, const std::vector<ComponentId>& read,
                               std::vector<ComponentId> written) {
    EventWriter::restrict_to(system, std::move(written));
    reader_ = system;
    may_read_all_ = false;
    cursors_.clear();
    for (const ComponentId event : read) {
        if (cursor_of(event) == nullptr) cursors_.push_back({event, 0});
    }
}

SystemEvents::Places SystemEvents::places() const {
    Places places;
    for (const Cursor& cursor : cursors_) places.emplace_back(cursor.event, cursor.next);
    return places;
}

void SystemEvents::resume_from(const Places& places) {
    for (Cursor& cursor : cursors_) {
        const auto known =
            std::ranges::find(places, cursor.event, &std::pair<ComponentId, std::uint64_t>::first);
        if (known != places.end()) cursor.next = known->second;
    }
}

void SystemEvents::mark_read() {
    if (may_read_all_ && cursors_.size() != world_.events().types().size()) {
        cursors_.clear();
        for (const ComponentId event : world_.events().types()) cursors_.push_back({event, 0});
    }
    for (Cursor& cursor : cursors_) cursor.next = world_.events().next_number(cursor.event);
}

const SystemEvents::Cursor* SystemEvents::cursor_of(ComponentId event) const noexcept {
    const auto found = std::find_if(cursors_.begin(), cursors_.end(),
                                    [&](const Cursor& cursor) { return cursor.event == event; });
    return found == cursors_.end() ? nullptr : &*found;
}

}  // namespace perigee
