// What a mod makes the process hold beside its Lua heap: the ledger of the world's memory.
//
// Invariant: what a change makes a pool hold more is charged to the mod that made the change, less its
// credit. Credit is what was given back since: when memory is freed, the game gets credit first, up to what
// it is charged, then the mod that freed it, then the others. So a mod cannot fill the holes that the game
// leaves for a moment, a mod that makes and destroys in turns is charged once (and at most what the game
// holds besides), all together are charged no more than the world took, and what is charged follows from the
// order of changes alone, not from threads or the machine. What belongs to one mod alone (objects, lists of
// commands, systems) counts as long as it is held. Charges of pools end with forgive(), since who made what
// is not kept.
//
//     while something is recorded     ask(), so that a refusal names the line
//     while it happens                the quota, which pools ask before they take memory (ecs/memory_quota.h)
//     when it has happened            the pools are measured, and what they grew by is charged
//
// Not here: the memory of the mod's own state (lua_heap.h), parts of pools that are kept for others
// (pool_reserves.h).
#pragma once

#include "ecs/entity.h"
#include "ecs/memory_quota.h"
#include "ecs/prefab.h"
#include "scripting/internal/pool_reserves.h"
#include "scripting/internal/shared_limit.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

/// What a mod holds alone.
enum class HeldKind : std::uint8_t { objects, commands, systems };
inline constexpr std::size_t kHeldKinds = 3;

/// What the shares of one world have in common; a part of it.
class WorldShare;

struct WorldGrowth {
    /// Of what all mods are charged for pools; not the game. Objects and lists of commands are their own
    /// limit's alone, since systems that run at the same time ask for them.
    SharedLimit of_all{SIZE_MAX};
    PerMemoryKind<std::size_t> at_first;    ///< bytes, before there was a share
    PerMemoryKind<std::size_t> most_taken;  ///< over the life of the world
    PerMemoryKind<std::size_t> taken;       ///< when a share last looked: the same in each run
    std::vector<WorldShare*> shares;        ///< the game's first; null: gone
};

class WorldShare {
public:
    /// The first one of a world is the game's. Lifetime: within the world's.
    explicit WorldShare(World& world);
    ~WorldShare();
    WorldShare(const WorldShare&) = delete;
    WorldShare& operator=(const WorldShare&) = delete;

    /// May the pool grow by so many bytes more? What was asked for since the last change or tick is added
    /// up, whether or not it is needed in the end. After a no it stays no until then.
    bool ask(MemoryKind kind, std::size_t bytes) noexcept {
        if (!is_used_up_ && asked_.take(kind, bytes)) [[likely]]
            return true;
        return refuse(kind);
    }
    /// The same for what a run makes at once, outside of chunks: elements of buffers, texts, blobs.
    bool ask_at_once(MemoryKind kind, std::size_t bytes) noexcept {
        if (!ask(kind, bytes)) return false;
        made_[kind] += bytes;
        return true;
    }
    /// Some of that is given back before the next change.
    void unmake(MemoryKind kind, std::size_t bytes) noexcept;
    /// Was something made at once that is not charged yet?
    bool has_made() const noexcept { return made_.sum() != 0; }
    /// Bytes that the mod holds alone come, and go.
    bool hold(HeldKind kind, std::size_t bytes) noexcept;
    void release(HeldKind kind, std::size_t bytes) noexcept;

    /// Was something refused, to what was asked for or in the present change?
    bool has_refused() const noexcept { return is_used_up_ || change_.refused().has_value(); }
    /// Why, as a message.
    std::string refusal() const;

    /// A run in this tick begins.
    void begin_tick(std::uint64_t tick) noexcept;

    /// Changes of the world by the mod begin, and end: what pools are to ask meanwhile. Expects: no system is
    /// running.
    MemoryQuota* begin_change() noexcept;
    void end_change() noexcept;

    /// From now on nothing is charged for what there is.
    void forgive() noexcept;
    void set_most_bytes(std::size_t most_bytes) noexcept;
    /// Of all mods of this world together.
    void set_most_bytes_of_all(std::size_t most_bytes) noexcept;

    std::size_t most_bytes() const noexcept { return most_bytes_; }
    /// All that counts.
    std::size_t charged_bytes() const noexcept;
    std::size_t charged(MemoryKind kind) const noexcept { return charged_[kind]; }
    std::size_t held(HeldKind kind) const noexcept { return held_[static_cast<std::size_t>(kind)]; }

private:
    void restart(bool is_beside_others) noexcept;
    bool is_game() const noexcept { return growth_.shares.front() == this; }
    void divide_among_mods() noexcept;
    void count_charged(std::size_t before) noexcept;
    bool refuse(MemoryKind kind) noexcept;
    void charge(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept;
    void credit(MemoryKind kind, std::size_t bytes) noexcept;
    std::size_t take_credit(MemoryKind kind, std::size_t bytes) noexcept;
    void look(const PerMemoryKind<std::size_t>& now) noexcept;

    World& world_;
    WorldGrowth& growth_;
    PoolReserves& reserves_;
    DividedPool::Member member_;
    std::size_t most_bytes_ = 0;
    bool is_held_by_all_ = false;  ///< the limit of all mods leaves less than the own one
    PerMemoryKind<std::size_t> charged_;
    PerMemoryKind<std::size_t> charged_units_;
    PerMemoryKind<std::size_t> credit_;  ///< of what is charged, that was given back
    std::array<std::size_t, kHeldKinds> held_{};
    MemoryQuota asked_;                  ///< what may still be asked for
    MemoryQuota change_;                 ///< what pools may still take in this change
    bool is_used_up_ = false;            ///< the last answer was no
    const char* refused_ = "";           ///< the kind
    bool is_pool_full_ = false;          ///< and the reason: the part of a pool, not the mod's own bytes
    PerMemoryKind<std::size_t> made_;    ///< at once, by runs whose commands were not played back yet
    PerMemoryKind<std::size_t> before_;  ///< held when the present change began
    PerMemoryKind<std::size_t> units_before_;
    std::uint64_t tick_ = 0;
};

/// What one entity takes: of a prefab with all its parts and with elements that do not fit into the row; of a
/// copy of an entity (buffers outside the row left out), the largest row when it is not born yet.
std::size_t bytes_of_prefab(const World& world, PrefabId prefab) noexcept;
std::size_t bytes_of_clone(const World& world, Entity entity) noexcept;

/// An entity without components, with what the world keeps for it.
inline constexpr std::size_t kBytesOfEntity = 64;

// As the run scope of ecs/run_scope.h, of which this is the scripts' part.
inline constinit thread_local WorldShare* t_share = nullptr;

/// The share of the mod whose code this thread runs; null for none.
inline WorldShare* share_of_thread() noexcept { return t_share; }

/// The thread runs code of a mod while this lives.
class EnterShare {
public:
    explicit EnterShare(WorldShare* share) noexcept;
    ~EnterShare();
    EnterShare(const EnterShare&) = delete;
    EnterShare& operator=(const EnterShare&) = delete;

private:
    WorldShare* before_;
};

/// The same outside of systems, where what the code does to the world is a change.
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
