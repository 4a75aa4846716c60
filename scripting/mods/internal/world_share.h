// Accounts for a mod's memory outside its Lua heap: the ledger of the world's memory.
//
// Invariant: the growth of a pool is charged to the mod that caused it, less its credit. Credit is memory
// returned since: when memory is freed, the game gets credit first, up to its charges, then the mod that
// freed it, then the others. So a mod cannot fill holes that the game leaves for a moment; a mod that
// alternately creates and destroys is charged once (and at most what the game uses besides); all together
// are charged no more than the world took; and charges depend only on the order of changes, not on threads
// or the machine. Memory of one mod alone (objects, command lists, systems) is charged as long as it exists.
// Pool charges end with forgive(), since the origin of rows is not recorded. Living entities are counted by
// the same rules, with limits of their own.
//
//     while something is recorded     ask(), so that a refusal names the line
//     while it happens                the quota, which pools ask before they take memory (memory_quota.h)
//     when it has happened            the pools are measured, and what they grew by is charged
//
// Not here: the memory of the mod's own state (lua_heap.h), parts of pools that are kept for others
// (pool_reserves.h).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/memory_quota.h"
#include "ecs/world/prefab.h"
#include "scripting/base/internal/shared_limit.h"
#include "scripting/mods/internal/pool_reserves.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

/// Memory that belongs to a mod alone.
enum class OwnMemory : std::uint8_t { objects, commands, systems, observed, side_worlds };
inline constexpr std::size_t kOwnMemoryKinds = 5;

class WorldShare;

/// State common to all shares of one world; a part of the world.
struct WorldGrowth {
    /// The pool charges of all mods, without the game. Objects and command lists count only towards each
    /// mod's own limit, since systems that run in parallel request them.
    SharedLimit of_all{SIZE_MAX};
    SharedLimit entities_of_all{SIZE_MAX};                              ///< living entities of all mods
    std::size_t entities_at_first = 0, max_entities = 0, entities = 0;  ///< as the bytes below
    PerMemoryKind<std::size_t> at_first;                                ///< bytes, before there was a share
    PerMemoryKind<std::size_t> max_taken;                               ///< over the life of the world
    PerMemoryKind<std::size_t> taken;  ///< at the last measurement by a share: the same in each run
    std::vector<WorldShare*> shares;   ///< the game's first; null: gone
};

class WorldShare {
public:
    /// The first share of a world belongs to the game. Lifetime: must not outlive the world.
    explicit WorldShare(World& world);
    ~WorldShare();
    WorldShare(const WorldShare&) = delete;
    WorldShare& operator=(const WorldShare&) = delete;

    /// True if the pool may grow by this many bytes. Requests since the last change or tick are added up,
    /// whether or not they are used in the end. After a refusal every request is refused until then.
    bool ask(MemoryKind kind, std::size_t bytes) noexcept {
        if (!is_used_up_ && asked_.take(kind, bytes)) [[likely]]
            return true;
        return refuse(kind);
    }
    /// The same for memory that a run takes at once, outside chunks: elements of buffers, texts, blobs.
    bool ask_at_once(MemoryKind kind, std::size_t bytes) noexcept {
        if (!ask(kind, bytes)) return false;
        made_[kind] += bytes;
        return true;
    }
    /// Returns bytes of ask_at_once before the next change.
    void unmake(MemoryKind kind, std::size_t bytes) noexcept;
    /// True if memory was taken at once that is not charged yet.
    bool has_made() const noexcept { return made_.sum() != 0; }
    /// True if the mod may have this many more living entities. Like ask().
    bool ask_entities(std::size_t count) noexcept {
        if (is_used_up_ || count > entity_room_) [[unlikely]]
            return refuse_entities();
        entity_room_ -= count;
        return true;
    }
    /// The same where the number is known only afterwards: true if there is room for one more.
    bool has_room_for_entities() noexcept { return (!is_used_up_ && entity_room_ > 0) || refuse_entities(); }
    /// Adds and removes bytes that belong to the mod alone.
    bool hold(OwnMemory kind, std::size_t bytes) noexcept;
    void release(OwnMemory kind, std::size_t bytes) noexcept;
    /// The same as hold() while the mod does not run, for memory that the actions of others make it hold. A
    /// refusal has no other effect.
    bool hold_aside(OwnMemory kind, std::size_t bytes) noexcept;

    /// True if a request was refused, or a pool was refused memory in the current change.
    bool has_refused() const noexcept { return is_used_up_ || change_.refused().has_value(); }
    /// The reason, as a message.
    std::string refusal() const;

    /// Begins a run in this tick.
    void begin_tick(std::uint64_t tick) noexcept;

    /// Begin and end changes of the world by the mod; pools ask the returned quota meanwhile. Expects: no
    /// system is running.
    MemoryQuota* begin_change() noexcept;
    void end_change() noexcept;

    /// Drops the charges for everything that exists now.
    void forgive() noexcept;
    void set_max_bytes(std::size_t max_bytes) noexcept;
    /// Sets the limit of all mods of this world together.
    void set_max_bytes_of_all(std::size_t max_bytes) noexcept;

    /// Of living entities, of this mod and of all mods of this world together.
    void set_max_entities(std::size_t most, std::size_t max_of_all) noexcept;

    std::size_t max_bytes() const noexcept { return max_bytes_; }
    std::size_t max_entities() const noexcept { return max_entities_; }
    /// Living entities charged to the mod, less its credit.
    std::size_t entities() const noexcept { return entities_charged_ - entity_credit_; }
    /// All charged bytes.
    std::size_t charged_bytes() const noexcept;
    std::size_t charged(MemoryKind kind) const noexcept { return charged_[kind]; }
    /// The part of the memory with rows and elements that the mod caused, 0 to 1; 0 for the game. As of the
    /// last measurement, so that it is the same in each run.
    double part_of_cells() const noexcept;
    std::size_t own_bytes(OwnMemory kind) const noexcept {
        return own_bytes_[static_cast<std::size_t>(kind)];
    }

private:
    void restart(bool is_beside_others) noexcept;
    bool is_game() const noexcept { return growth_.shares.front() == this; }
    void divide_among_mods() noexcept;
    void count_charged(std::size_t before) noexcept;
    bool refuse(MemoryKind kind) noexcept;
    bool refuse_entities() noexcept;
    void set_entities(std::size_t charged, std::size_t credit) noexcept;
    void charge_entities(std::size_t count) noexcept;
    std::size_t take_entity_credit(std::size_t count) noexcept;
    void measure_entities() noexcept;
    void charge(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept;
    void credit(MemoryKind kind, std::size_t bytes) noexcept;
    std::size_t take_credit(MemoryKind kind, std::size_t bytes) noexcept;
    void look(const PerMemoryKind<std::size_t>& now) noexcept;

    World& world_;
    WorldGrowth& growth_;
    PoolReserves& reserves_;
    DividedPool::Member member_;
    std::size_t max_bytes_ = 0;
    bool is_limited_by_all_ = false;  ///< the limit of all mods leaves less room than the mod's own limit
    PerMemoryKind<std::size_t> charged_;
    PerMemoryKind<std::size_t> charged_units_;
    PerMemoryKind<std::size_t> credit_;  ///< part of the charges that was returned
    std::array<std::size_t, kOwnMemoryKinds> own_bytes_{};
    MemoryQuota asked_;                  ///< what may still be requested
    MemoryQuota change_;                 ///< what pools may still take during this change
    bool is_used_up_ = false;            ///< the last request was refused
    const char* refused_ = "";           ///< the kind
    bool is_pool_full_ = false;          ///< the reason is the share of a pool, not the mod's own bytes
    PerMemoryKind<std::size_t> made_;    ///< taken at once by runs whose commands were not played back yet
    PerMemoryKind<std::size_t> before_;  ///< in use when the current change began
    PerMemoryKind<std::size_t> units_before_;
    std::size_t max_entities_ = SIZE_MAX;
    std::size_t entities_charged_ = 0;
    std::size_t entity_credit_ = 0;
    std::size_t entity_room_ = SIZE_MAX;  ///< how many may still be requested
    bool is_full_of_all_ = false;         ///< the limit of all mods leaves less room than the mod's own
    bool has_refused_entities_ = false;   ///< the refused request was for entities
    std::uint64_t tick_ = 0;
};

/// The entities of one copy of a prefab: itself and its parts.
std::size_t entities_of_prefab(const World& world, PrefabId prefab) noexcept;

/// One copy of a prefab: its entities, and the bytes of their rows with elements that do not fit into them.
struct PrefabSize {
    std::size_t parts = 0;
    std::size_t bytes = 0;
};
PrefabSize size_of_prefab(const World& world, PrefabId prefab) noexcept;

/// Bytes of one entity. For a prefab: with all parts and with elements that do not fit into the row. For a
/// clone: without buffers outside the row; the largest row if the original does not exist yet.
std::size_t bytes_of_prefab(const World& world, PrefabId prefab) noexcept;
std::size_t bytes_of_clone(const World& world, Entity entity) noexcept;

/// An entity without components, including the world's records for it.
inline constexpr std::size_t kBytesOfEntity = 64;

// The scripts' counterpart of the run scope in ecs/world/run_scope.h.
inline constinit thread_local WorldShare* t_share = nullptr;

/// The share of the mod whose code this thread runs; null for none.
inline WorldShare* share_of_thread() noexcept { return t_share; }

/// The thread runs code of a mod while this exists.
class EnterShare {
public:
    explicit EnterShare(WorldShare* share) noexcept;
    ~EnterShare();
    EnterShare(const EnterShare&) = delete;
    EnterShare& operator=(const EnterShare&) = delete;

private:
    WorldShare* before_;
};

/// The same outside systems, where the code's effect on the world is a change.
class ShareChange {
public:
    explicit ShareChange(WorldShare& share) noexcept
        : share_(share), enter_(&share), quota_(share.begin_change()) {}
    ~ShareChange() { share_.end_change(); }
    ShareChange(const ShareChange&) = delete;
    ShareChange& operator=(const ShareChange&) = delete;

private:
    WorldShare& share_;
    EnterShare enter_;
    EnterQuota quota_;
};

}  // namespace perigee::internal
