// Delivered events: per type one queue of rows, in sending order.
//
// Invariant: the events of a type are numbered from 0, and a number is never reused. An event is kept for the
// rest of the tick in which it was delivered and for the next one; then it is dropped, read or not. Readers
// keep track of their own position as a number. Rows move only when events are delivered or dropped, which
// never happens while systems run.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/schema/component.h"
#include "ecs/schema/type_bindings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Events of one type, oldest first. Lifetime: until events are delivered or dropped.
struct EventBatch {
    const std::byte* rows = nullptr;
    std::size_t count = 0;
    std::uint32_t row_bytes = 0;
    ComponentId event = {};
    const TypeBindings* types = nullptr;  ///< of the world; null in a store without a world

    /// Expects: T is bound to the event; in a store without a world, T has its size.
    template <typename T> std::span<const T> as() const {
        if (types != nullptr) types->expect<T>(event, TypedUse::event);
        ECS_EXPECTS(count == 0 || row_bytes == 0 || row_bytes == sizeof(T), row_bytes, sizeof(T));
        if (row_bytes == 0) return {};
        return {reinterpret_cast<const T*>(rows), count};
    }
};

class EventStore {
public:
    /// `max_bytes`: limit for the stored events of one type.
    /// `types`: the C++ types of the world whose events these are.
    explicit EventStore(std::size_t max_bytes, const TypeBindings* types = nullptr)
        : max_bytes_(max_bytes), cpp_types_(types) {}
    EventStore(const EventStore&) = delete;
    EventStore& operator=(const EventStore&) = delete;

    /// Throws std::bad_alloc, and then nothing changed.
    void create(ComponentId event, std::uint32_t row_bytes);
    bool has(ComponentId event) const noexcept;
    /// All types, in order of declaration.
    std::span<const ComponentId> types() const noexcept { return types_; }

    /// How many events of the type may be stored in total, and how many fit now.
    std::size_t max_count(ComponentId event) const noexcept;
    std::size_t room(ComponentId event) const noexcept;
    std::size_t max_bytes() const noexcept { return max_bytes_; }
    /// Bytes allocated for all events.
    std::size_t byte_count() const noexcept { return byte_count_; }

    /// Makes room for `count` more events; false when that exceeds the limit or memory is exhausted.
    bool make_room(ComponentId event, std::size_t count) noexcept;
    /// Expects: make_room(event, count) returned true.
    void deliver(ComponentId event, const std::byte* rows, std::size_t count) noexcept;

    /// The number of the next event; all lower numbers have been delivered.
    std::uint64_t next_number(ComponentId event) const noexcept;
    /// Events from a number on, as far as they are still stored.
    EventBatch since(ComponentId event, std::uint64_t number) const noexcept;
    EventBatch kept(ComponentId event) const noexcept { return since(event, 0); }

    /// Swaps the stored bytes of a type for others with the same number of events; the arguments receive the
    /// old ones.
    void exchange(ComponentId event, std::vector<std::byte>& rows, std::uint32_t& row_bytes) noexcept;

    /// The events of one type with their numbers.
    struct Kept {
        ComponentId event;
        std::uint64_t first = 0, count = 0, tick_start = 0;
        std::vector<std::byte> rows;
    };
    /// All events, for a snapshot. Types that never had any are left out.
    std::vector<Kept> copy() const;
    /// Replaces all events by those of an earlier time and takes their rows. Types that are not in `kept`
    /// start again with number 0. Expects: `kept` came from copy(), and row sizes are the same.
    void replace(std::vector<Kept>& kept) noexcept;

    /// Begins a tick: drops events from before the previous tick.
    void begin_tick() noexcept;
    /// Drops all events. Numbering continues.
    void clear() noexcept;

private:
    struct Channel {
        std::uint32_t row_bytes = 0;
        bool exists = false;
        std::uint64_t first = 0;       ///< number of the first stored event
        std::uint64_t count = 0;       ///< stored events
        std::uint64_t tick_start = 0;  ///< number of the first event of this tick
        std::vector<std::byte> rows;
    };

    const Channel& channel(ComponentId event) const noexcept;
    Channel& channel(ComponentId event) noexcept;
    void keep_room(Channel& channel) noexcept;
    static void forget_before(Channel& channel, std::uint64_t number) noexcept;

    std::size_t max_bytes_;
    const TypeBindings* cpp_types_;
    std::size_t byte_count_ = 0;     ///< capacity of all channels
    std::vector<Channel> channels_;  ///< by component index
    std::vector<ComponentId> types_;
};

}  // namespace perigee
