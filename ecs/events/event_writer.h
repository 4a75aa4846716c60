// Collects sent events until they are delivered. Each system has its own writer.
//
// Invariant: rows are in blocks that never move, so a returned run of rows may be filled until the writer is
// emptied. Within a type the order is that of sending. Nothing is in the world's EventStore before deliver().
// For one thread at a time; several threads of one system use ParallelEvents.
#pragma once

#include "ecs/schema/component.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// Lifetime: must not outlive the world. Between uses it keeps as much memory as the last use filled.
class EventWriter {
public:
    explicit EventWriter(World& world) noexcept : world_(world) {}
    /// Makes an empty writer with the same restrictions as `like`; see ParallelEvents.
    struct SameRestrictions {
        const EventWriter& writer;
    };
    explicit EventWriter(SameRestrictions like);
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    // ---- sending. When there are more events of a type than the world keeps, or memory is exhausted,
    // ---- nothing is sent, and overflow() reports it; then the system fails.
    // ---- Expects, everywhere: an event of this world that the system declared under access.write (checked
    // ---- in debug builds).

    /// Sends an event by its C++ type. Expects: T is bound to an event (checked).
    template <typename T> void send(const T& event) {
        std::byte* const row = send_many(world_.types().id<T>(TypedUse::event), 1);
        if (row != nullptr && !std::is_empty_v<T>) *reinterpret_cast<T*>(row) = event;
    }
    /// `row`: the event's bytes; null for the schema's defaults.
    void send(ComponentId event, const void* row = nullptr);
    /// The same from a struct. Expects: it is bound to the event, or is unbound and has its size (checked).
    template <typename T>
    requires(kIsValue<T>) void send(ComponentId event, const T* row) {
        if (row != nullptr) world_.types().expect_value<T>(event);
        send(event, static_cast<const void*>(row));
    }

    /// `count` events with the schema's defaults, to be filled by the caller: one run of rows. Null when they
    /// were not sent. Lifetime: until the end of the system's run.
    std::byte* send_many(ComponentId event, std::size_t count);
    template <typename T> std::span<T> send_many(std::size_t count) {
        auto* const rows = reinterpret_cast<T*>(send_many(world_.types().id<T>(TypedUse::event), count));
        return {rows, rows == nullptr || std::is_empty_v<T> ? 0 : count};
    }

    /// Appends all events of another writer. False when that is too many.
    bool append(const EventWriter& other);

    /// From now on the writer belongs to a system and accepts only the events that it declares.
    void restrict_to(std::string system, std::vector<ComponentId> written);
    bool may_send(ComponentId event) const noexcept;
    /// From now on every event is refused and counted.
    void close() noexcept { is_closed_ = true; }
    bool is_closed() const noexcept { return is_closed_; }
    std::size_t refused_count() const noexcept { return refused_count_; }

    // ---- delivery

    bool is_empty() const noexcept { return event_count_ == 0; }
    std::size_t event_count() const noexcept { return event_count_; }

    /// The first type with too many events since the last deliver or drop.
    std::optional<ComponentId> overflow() const noexcept { return overflow_; }

    /// Appends everything to the world's events and empties the writer. If the world has no room for all of
    /// it, nothing happens, and the result is the first type with too many events.
    std::optional<ComponentId> deliver() noexcept;
    /// Discards everything.
    void drop() noexcept;
    /// Called once per tick. The second time without a send in between, memory of a peak is released.
    void trim_when_idle() noexcept;
    /// The memory for rows.
    std::size_t capacity_bytes() const noexcept;

    /// Calls fn(ComponentId, const std::byte* rows, std::size_t count) for each run of rows, by type, then in
    /// sending order.
    template <typename Function> void each_run(Function&& fn) const {
        for (const Lane& lane : lanes_) {
            for (const Block& block : lane.blocks) {
                if (block.used != 0) fn(lane.event, block.rows.get(), block.used);
            }
        }
    }

private:
    struct Block {
        std::unique_ptr<std::byte[]> rows;
        std::size_t capacity = 0;  ///< rows
        std::size_t used = 0;
    };
    struct Lane {
        ComponentId event;
        std::uint32_t row_bytes = 0;
        const std::byte* defaults = nullptr;
        std::size_t count = 0;
        std::vector<Block> blocks;

        std::size_t bytes_of(std::size_t rows) const noexcept {
            return rows * (row_bytes == 0 ? 1 : row_bytes);
        }
    };

    void expect_declared(ComponentId event) const;
    Lane& lane_of(ComponentId event);
    static std::byte* take(Lane& lane, std::size_t count);
    static std::size_t empty(Lane& lane) noexcept;

    World& world_;

    std::vector<Lane> lanes_;  ///< one per type ever sent, in order of first use
    std::size_t last_ = 0;     ///< index of the lane that was used last
    std::size_t event_count_ = 0;
    std::optional<ComponentId> overflow_;
    std::string system_;                ///< the system that owns the writer; empty: none
    std::vector<ComponentId> written_;  ///< what the system may send; sorted
    bool is_restricted_ = false;
    bool is_closed_ = false;
    bool is_resting_ = false;
    std::size_t refused_count_ = 0;
};

}  // namespace perigee
