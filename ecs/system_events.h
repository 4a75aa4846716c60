// A system's side of the events: what it sends, and how far it has read.
//
//     context.events.send(Damage{target, 3});                      declared under access.write
//     for (const Damage& hit : context.events.read<Damage>())      declared under access.read
//
// Invariant: a system sees each event once: all that were delivered since its last run and are kept still.
// What it sends itself, it sees in its next run. Reading is for the system's threads all at once, sending for
// one (others: ParallelEvents).
#pragma once

#include "ecs/event_store.h"
#include "ecs/event_writer.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

class SystemEvents : public EventWriter {
public:
    explicit SystemEvents(World& world) noexcept : EventWriter(world), world_(world) {}

    /// Events delivered since the system last ran; in its first run all that are kept. Several calls in one
    /// run give the same. Lifetime: until the end of the run.
    /// Expects: an event of this world that the system declared under access.read (checked in debug builds).
    EventBatch read(ComponentId event) const;
    /// The same of C++ types. Expects: T is bound to the event (checked).
    template <typename T> std::span<const T> read() const {
        return read(world_.types().id<T>(TypedUse::event)).template as<T>();
    }

    // ---- for the schedule

    /// From now on it belongs to a system, which reads and sends what it declares. What is kept counts as
    /// unread.
    void restrict_to(const std::string& system, std::vector<ComponentId> read,
                     std::vector<ComponentId> written);
    /// What was delivered until now counts as read. Called when a run has ended.
    void mark_read();
    /// For each event that it reads, the number of the first it has not seen.
    using Places = std::vector<std::pair<ComponentId, std::uint64_t>>;
    Places places() const;
    /// Reads on from there what is among `places`.
    void go_on_from(const Places& places);

private:
    struct Cursor {
        ComponentId event;
        std::uint64_t next;  ///< number of the first event it has not seen
    };

    const Cursor* cursor_of(ComponentId event) const noexcept;

    World& world_;
    std::string reader_;
    std::vector<Cursor> cursors_;  ///< of what it declared; before restrict_to of all that there were
    bool may_read_all_ = true;
};

}  // namespace perigee
