// Events that were delivered: per type one queue of rows, in the order in which they were sent.
//
// Invariant: the events of a type are numbered from 0, and a number is never given twice. An event is kept
// for the rest of the tick in which it was delivered and for the next one; then it is forgotten, read or not.
// Who has read how far is the readers' affair: they keep a number. Rows move only when events are delivered
// or forgotten, which is never while systems run.
#pragma once

#include "ecs/component.h"
#include "ecs/contract.h"
#include "ecs/type_bindings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Events of one type, the oldest first. Lifetime: until events are delivered or forgotten.
struct EventBatch {
    const std::byte* rows = nullptr;
    std::size_t count = 0;
    std::uint32_t row_bytes = 0;
    ComponentId event = {};
    const TypeBindings* types = nullptr;  ///< of the world; null in a store of no world

    /// Expects: T is bound to the event; where there is no world, has its size.
    template <typename T> std::span<const T> as() const {
        if (types != nullptr) types->expect<T>(event, TypedUse::event);
        ECS_EXPECTS(count == 0 || row_bytes == 0 || row_bytes == sizeof(T), row_bytes, sizeof(T));
        if (row_bytes == 0) return {};
        return {reinterpret_cast<const T*>(rows), count};
    }
};

class EventStore {
public:
    /// `most_bytes`: of the events of one type that are kept.
    /// `types`: the C++ types of the world whose events these are.
    explicit EventStore(std::size_t most_bytes, const TypeBindings* types = nullptr)
        : most_bytes_(most_bytes), cpp_types_(types) {}
    EventStore(const EventStore&) = delete;
    EventStore& operator=(const EventStore&) = delete;

    /// Throws std::bad_alloc, and then nothing changed.
    void create(ComponentId event, std::uint32_t row_bytes);
    bool has(ComponentId event) const noexcept;
    /// All types, in order of declaration.
    std::span<const ComponentId> types() const noexcept { return types_; }

    /// How many events of the type may be kept in all, and how many there is room for now.
    std::size_t most(ComponentId event) const noexcept;
    std::size_t room(ComponentId event) const noexcept;
    std::size_t most_bytes() const noexcept { return most_bytes_; }
    /// That all events have room for now.
    std::size_t byte_count() const noexcept { return byte_count_; }

    /// Makes sure that `count` events more can be delivered; false when they are too many, or memory is
    /// exhausted.
    bool make_room(ComponentId event, std::size_t count) noexcept;
    /// Expects: make_room(event, count) said yes.
    void deliver(ComponentId event, const std::byte* rows, std::size_t count) noexcept;

    /// The number that the next event gets: all before it have been delivered.
    std::uint64_t next_number(ComponentId event) const noexcept;
    /// Events from a number on, as far as they are kept.
    EventBatch since(ComponentId event, std::uint64_t number) const noexcept;
    EventBatch kept(ComponentId event) const noexcept { return since(event, 0); }

    /// Other bytes for the events of a type that are kept, as many; those before are in the arguments then.
    void exchange(ComponentId event, std::vector<std::byte>& rows, std::uint32_t& row_bytes) noexcept;

    /// A tick begins: events from before the last one are forgotten.
    void begin_tick() noexcept;
    /// Forgets all events. Numbers go on.
    void clear() noexcept;

private:
    struct Channel {
        std::uint32_t row_bytes = 0;
        bool exists = false;
        std::uint64_t first = 0;       ///< number of the first event that is kept
        std::uint64_t count = 0;       ///< that are kept
        std::uint64_t tick_start = 0;  ///< number of the first event of this tick
        std::vector<std::byte> rows;
    };

    const Channel& channel(ComponentId event) const noexcept;
    Channel& channel(ComponentId event) noexcept;
    void keep_room(Channel& channel) noexcept;
    static void forget_before(Channel& channel, std::uint64_t number) noexcept;

    std::size_t most_bytes_;
    const TypeBindings* cpp_types_;
    std::size_t byte_count_ = 0;     ///< capacity of all channels
    std::vector<Channel> channels_;  ///< by component index
    std::vector<ComponentId> types_;
};

}  // namespace perigee
