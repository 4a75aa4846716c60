// The events of one system: those it sends, and its read position.
//
//     context.events.send(Damage{target, 3});                      declared under access.write
//     for (const Damage& hit : context.events.read<Damage>())      declared under access.read
//
// Invariant: a system sees each event once: those delivered since its last run that are still stored. It sees
// its own events in its next run. All threads of the system may read at once; only one may send (use
// ParallelEvents for others).
#pragma once

#include "ecs/events/event_writer.h"
#include "ecs/storage/event_store.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

class SystemEvents : public EventWriter {
public:
    explicit SystemEvents(World& world) noexcept : EventWriter(world), world_(world) {}

    /// Events delivered since the system's last run; in its first run all stored ones. Several calls in one
    /// run return the same. Lifetime: until the end of the run.
    /// Expects: an event of this world that the system declared under access.read (checked in debug builds).
    EventBatch read(ComponentId event) const;
    /// The same by C++ type. Expects: T is bound to the event (checked).
    template <typename T> std::span<const T> read() const {
        return read(world_.types().id<T>(TypedUse::event)).template as<T>();
    }

    // ---- for the schedule

    /// From now on it belongs to a system, which may read and send only what it declares. Stored events count
    /// as unread.
    void restrict_to(const std::string& system, const std::vector<ComponentId>& read,
                     std::vector<ComponentId> written);
    /// Marks everything delivered until now as read. Called when a run has ended.
    void mark_read();
    /// For each event type that it reads, the number of the first unread event.
    using Places = std::vector<std::pair<ComponentId, std::uint64_t>>;
    Places places() const;
    /// Continues reading the event types in `places` from there.
    void resume_from(const Places& places);
    /// All stored events count as unread.
    void forget_read() noexcept {
        for (Cursor& cursor : cursors_) cursor.next = 0;
    }

private:
    struct Cursor {
        ComponentId event;
        std::uint64_t next;  ///< number of the first unread event
    };

    const Cursor* cursor_of(ComponentId event) const noexcept;

    World& world_;
    std::string reader_;
    std::vector<Cursor> cursors_;  ///< of the declared event types; before restrict_to, of all existing ones
    bool may_read_all_ = true;
};

}  // namespace perigee
