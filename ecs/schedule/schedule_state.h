// What the systems of a schedule know of their earlier runs, so that a restored world continues as it did.
//
//     const ScheduleState state = schedule.state();
//     const WorldSnapshot kept = take_snapshot(world).value();
//     …
//     restore_snapshot(world, kept).value();
//     schedule.restore(state);
//
// Invariant: a state never changes. It identifies systems by id, so systems that were renewed or replaced
// since continue from it; in a file by name. Not here: declarations, and what a system keeps in variables of
// its own.
#pragma once

#include "ecs/base/random.h"
#include "ecs/schedule/system.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

class ComponentRegistry;
namespace internal {
class ByteReader;
class ByteWriter;
}  // namespace internal

class ScheduleState {
public:
    struct Entry;
    ~ScheduleState();
    ScheduleState(ScheduleState&&) noexcept;
    ScheduleState& operator=(ScheduleState&&) noexcept;

    /// For a file: systems and events by name. Schedule::read_state is the other direction. Throws
    /// std::bad_alloc.
    void write(internal::ByteWriter& to, const ComponentRegistry& registry) const;

private:
    friend class Schedule;
    ScheduleState();
    static Entry new_entry(std::string name);
    static Entry stream_entry(std::string_view name, const Random& stream);
    static void write_entry(internal::ByteWriter& to, const Entry& entry, const ComponentRegistry& registry);

    std::vector<std::unique_ptr<const Entry>> entries_;  ///< by SystemId; null where there was no system
    /// The host's streams.
    std::vector<std::pair<std::string, Random>> streams_;
    TickTime time_;
    std::uint64_t next_tick_ = 0;
};

}  // namespace perigee
