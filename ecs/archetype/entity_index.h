// Maps each entity to its location: one 8-byte record per slot with location and generation together, so that
// finding an entity, or finding out that it is stale, takes a single load.
//
// Invariant: a slot is free, reserved (the id is issued, the entity not yet created), alive, destroyed and
// awaiting cleanup, or retired (its generations are used up; it is never reused). Freed slots are reused last
// in, first out. reserve() may run in parallel with look-ups by other threads, which see an id that is not
// alive. Everything else is for one thread, or for many threads that only look up. On request it notes which
// entities died (relations need it).
//
//   63            43 42      32 31              11 10       0
//  [ generation, 21 | state, 11 | unit of the chunk | row, 11 ]
//
// In a free slot, bits 31 … 0 are the index of the next free slot.
#pragma once

#include "ecs/archetype/location.h"
#include "ecs/base/entity.h"
#include "ecs/base/internal/virtual_memory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

class EntityIndex {
public:
    /// Reserves address space for `max_entities` slots; memory is committed as slots are used.
    explicit EntityIndex(std::uint32_t max_entities);

    /// A new id without a location; null when all slots are in use.
    Entity reserve() noexcept;
    /// Releases a reserved id that was never placed, or frees the slot of a dead entity; its generation ends.
    void release(Entity entity) noexcept;

    /// True if create() has a free slot; commits memory for it.
    bool has_room() noexcept {
        return first_free_ != kNoSlot || slot_count() < committed_slots_ || prepare(1);
    }
    /// A new living entity at `location`. Expects: has_room(), or prepare() granted the slot.
    Entity create(Location location) noexcept { return take_slot(kAlive, location); }
    /// Frees the slots of living entities; the next ids handed out are these, the last one first.
    void release_all(const Entity* entities, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; ++i) release_alive(entities[i]);
    }
    /// Frees the slot of an entity that was just found alive.
    void release_alive(Entity entity) noexcept {
        if (notes_deaths_) [[unlikely]]
            note_death(entity);
        release_unnoted(entity);
    }
    /// The same for destroying one entity. Expects: deaths are not noted, or this one was.
    [[gnu::always_inline]] void release_unnoted(Entity entity) noexcept {
        if (entity.generation() == Entity::kMaxGeneration) [[unlikely]] {
            release(entity);
            return;
        }
        --used_count_;
        records_[entity.index()] = (head_of(entity.generation() + 1, kFree) << 32) | first_free_;
        first_free_ = entity.index();
    }

    /// Marks a reserved entity alive at `location`, or moves a living one. Expects: it is reserved or alive.
    void place(Entity entity, Location location) noexcept {
        records_[entity.index()] = record_of(entity.generation(), kAlive, location);
    }

    /// Marks a living entity as destroyed, at the row of its cleanup components, or moves a destroyed one.
    void place_destroyed(Entity entity, Location location) noexcept {
        if (notes_deaths_ && is_alive(entity)) [[unlikely]]
            note_death(entity);
        records_[entity.index()] = record_of(entity.generation(), kDestroyed, location);
    }
    /// One of the two.
    void place(Entity entity, Location location, bool is_destroyed) noexcept {
        is_destroyed ? place_destroyed(entity, location) : place(entity, location);
    }
    bool awaits_cleanup(Entity entity) const noexcept {
        return entity.index() < slot_count() &&
               (record(entity.index()) >> 32) == head_of(entity.generation(), kDestroyed);
    }
    /// Looks up a destroyed entity; see find.
    bool find_destroyed(Entity entity, Location& location) const noexcept {
        if (!awaits_cleanup(entity)) return false;
        location = location_of(record(entity.index()));
        return true;
    }

    bool is_alive(Entity entity) const noexcept {
        return entity.index() < slot_count() &&
               (record(entity.index()) >> 32) == head_of(entity.generation(), kAlive);
    }
    bool is_reserved(Entity entity) const noexcept {
        return entity.index() < slot_count() &&
               (record(entity.index()) >> 32) == head_of(entity.generation(), kReserved);
    }

    /// Looks up a living entity. False when it is dead, stale, reserved or null; then `location` is
    /// unchanged.
    [[gnu::always_inline]] bool find(Entity entity, Location& location) const noexcept {
        const std::uint32_t index = entity.index();
        if (index >= slot_count()) return false;
        const std::uint64_t found = record(index);
        if ((found >> 32) != head_of(entity.generation(), kAlive)) return false;
        location = location_of(found);
        return true;
    }

    /// Expects: the entity is alive.
    Location location(Entity entity) const noexcept { return location_of(record(entity.index())); }

    /// Commits memory for entity_count more slots. False when out of memory or slots.
    bool prepare(std::uint32_t entity_count) noexcept;

    std::uint32_t slot_count() const noexcept { return slot_count_.load(std::memory_order_relaxed); }
    std::uint32_t used_count() const noexcept { return used_count_; }  ///< alive and reserved
    std::uint32_t retired_count() const noexcept { return retired_count_; }

    /// From now on, notes every entity that dies and every reserved id that is released.
    void note_deaths() noexcept { notes_deaths_ = true; }
    bool notes_deaths() const noexcept { return notes_deaths_; }
    /// Moves what was noted since the last call to `dead`, which is emptied first; some entities twice.
    /// False if memory was missing to note them all.
    bool take_deaths(std::vector<Entity>& dead) noexcept;

    /// The state of all slots besides their records.
    struct Slots {
        std::uint32_t count = 0, used = 0, retired = 0, first_free = 0xFFFFFFFF;
        bool operator==(const Slots&) const = default;
    };
    Slots slots() const noexcept { return {slot_count(), used_count_, retired_count_, first_free_}; }
    std::span<const std::uint64_t> records() const noexcept { return {records_, slot_count()}; }
    /// Replaces all slots by those of an earlier time; the caller writes the records that are returned.
    std::span<std::uint64_t> replace(const Slots& slots) noexcept {
        slot_count_.store(slots.count, std::memory_order_relaxed);
        used_count_ = slots.used;
        retired_count_ = slots.retired;
        first_free_ = slots.first_free;
        return {records_, slots.count};
    }

    /// Makes the first `slots` slots usable. False when out of memory or slots.
    bool commit(std::size_t slots) noexcept;

    /// The parts of a record, for code that writes records apart from the world.
    enum class State : std::uint8_t { free = 0, reserved = 1, alive = 2, retired = 3, destroyed = 4 };
    static constexpr std::uint32_t kEndOfFree = 0xFFFFFFFF;  ///< follows the last free slot
    static constexpr State state_of(std::uint64_t record) noexcept {
        return static_cast<State>((record >> 32) & 0x7FF);
    }
    static constexpr std::uint32_t generation_of(std::uint64_t record) noexcept {
        return static_cast<std::uint32_t>(record >> 43);
    }
    /// `place`: the location, or the next free slot.
    static constexpr std::uint64_t make_record(State state, std::uint32_t generation,
                                               std::uint32_t place) noexcept {
        return (head_of(generation, static_cast<std::uint32_t>(state)) << 32) | place;
    }

    /// For tests: lets the next use of a freed slot have this generation. Expects: the slot is free.
    void set_next_generation(std::uint32_t index, std::uint32_t generation) noexcept;

private:
    static constexpr auto kFree = static_cast<std::uint32_t>(State::free);
    static constexpr auto kReserved = static_cast<std::uint32_t>(State::reserved);
    static constexpr auto kAlive = static_cast<std::uint32_t>(State::alive);
    static constexpr auto kRetired = static_cast<std::uint32_t>(State::retired);
    static constexpr auto kDestroyed = static_cast<std::uint32_t>(State::destroyed);
    static constexpr std::uint32_t kNoSlot = kEndOfFree;

    static constexpr std::uint64_t head_of(std::uint32_t generation, std::uint32_t state) noexcept {
        return (std::uint64_t{generation} << 11) | state;
    }
    void note_death(Entity entity) noexcept;
    static constexpr std::uint64_t record_of(std::uint32_t generation, std::uint32_t state,
                                             Location at) noexcept {
        return (head_of(generation, state) << 32) | at.bits();
    }
    static constexpr Location location_of(std::uint64_t record) noexcept {
        return Location::from_bits(static_cast<std::uint32_t>(record));
    }
    Entity take_slot(std::uint32_t state, Location location) noexcept {
        std::uint32_t index = first_free_;
        std::uint32_t generation = 1;
        if (index != kNoSlot) {
            const std::uint64_t free = record(index);
            first_free_ = static_cast<std::uint32_t>(free);
            generation = static_cast<std::uint32_t>(free >> 43);
        } else {
            index = slot_count();
        }
        ++used_count_;
        set_record(index, (head_of(generation, state) << 32) | location.bits());
        if (index == slot_count()) slot_count_.store(index + 1, std::memory_order_relaxed);
        return entity_from_parts(index, generation);
    }
    std::uint64_t record(std::uint32_t index) const noexcept {
        return std::atomic_ref(records_[index]).load(std::memory_order_relaxed);
    }
    void set_record(std::uint32_t index, std::uint64_t record) noexcept {
        std::atomic_ref(records_[index]).store(record, std::memory_order_relaxed);
    }

    internal::ReservedRange range_;
    std::uint64_t* records_;
    std::uint32_t max_slots_;
    std::uint32_t committed_slots_ = 0;
    std::atomic<std::uint32_t> slot_count_{0};
    std::uint32_t used_count_ = 0;
    std::uint32_t retired_count_ = 0;
    std::uint32_t first_free_ = kNoSlot;
    bool notes_deaths_ = false;
    bool has_missed_death_ = false;
    std::vector<Entity> deaths_;
};

}  // namespace perigee
