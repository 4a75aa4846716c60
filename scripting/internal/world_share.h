// How much of the world's memory a mod may make it grow by.
//
// Invariant: memory counts when the world grows beyond the most that it ever took: that is charged to the mod
// whose change made it, once. So a mod that makes and destroys in turns is charged once, the charges of all
// mods together are never more than the world took, and what is charged follows from the order of changes
// alone, not from threads or the machine. Charges end with forgive(), since who made what is not kept.
// Asking comes first, while something is recorded, so that a refusal names the line; what a change really
// took is measured around it. Not here: the memory of the mod's own state (lua_heap.h).
#pragma once

#include "ecs/entity.h"
#include "ecs/prefab.h"

#include <cstddef>
#include <cstdint>

namespace perigee {
class World;
}

namespace perigee::internal {

/// What the shares of one world have in common; a part of it.
struct WorldGrowth {
    std::size_t most_taken = 0;  ///< bytes, over the life of the world
    std::size_t taken = 0;       ///< when somebody last looked: the same in each run
    std::uint64_t tick = 0;      ///< of that look
};

class WorldShare {
public:
    /// Lifetime: within the world's.
    explicit WorldShare(World& world);

    /// May the world grow by so many bytes more? What was asked for since the last change or tick is added
    /// up, whether or not it is needed in the end. After a no it stays no until then.
    bool ask(std::size_t bytes) noexcept {
        if (bytes > room_) [[unlikely]] {
            room_ = 0;
            return false;
        }
        room_ -= bytes;
        return true;
    }
    /// Likewise for what a run makes at once, outside of chunks: elements of buffers, texts, blobs.
    bool ask_at_once(std::size_t bytes) noexcept {
        if (!ask(bytes)) return false;
        made_ += bytes;
        return true;
    }
    /// Bytes that may still be asked for.
    std::size_t room() const noexcept { return room_; }
    bool is_used_up() const noexcept { return room_ == 0; }

    /// A run in this tick begins.
    void begin_tick(std::uint64_t tick) noexcept;

    /// Changes of the world by the mod begin, and end. Expects: no system is running.
    void begin_change() noexcept;
    void end_change() noexcept;

    /// From now on nothing is charged.
    void forgive() noexcept;
    void set_most_bytes(std::size_t most_bytes) noexcept;

    std::size_t most_bytes() const noexcept { return most_bytes_; }
    std::size_t charged_bytes() const noexcept { return charged_bytes_; }

private:
    std::size_t left() const noexcept;
    void charge(std::size_t bytes) noexcept;

    World& world_;
    WorldGrowth& growth_;
    std::size_t most_bytes_ = 0;
    std::size_t charged_bytes_ = 0;
    std::size_t room_ = 0;  ///< what may still be asked for
    std::size_t made_ = 0;  ///< at once, by runs whose commands were not played back yet
    std::uint64_t tick_ = 0;
    std::size_t before_ = 0;  ///< taken when the present change began
};

/// Bytes of all chunks, buffers, texts and blobs. Expects: no system is running. Cost: a look at each
/// archetype.
std::size_t world_bytes(const World& world);

/// What one entity takes: of a prefab with all its parts and with elements that do not fit into the row; of a
/// copy of an entity (buffers outside the row left out), the largest row when it is not born yet.
std::size_t bytes_of_prefab(const World& world, PrefabId prefab) noexcept;
std::size_t bytes_of_clone(const World& world, Entity entity) noexcept;

/// An entity without components, with what the world keeps for it.
inline constexpr std::size_t kBytesOfEntity = 64;

/// The share of the mod whose code this thread runs; null for none.
WorldShare* share_of_thread() noexcept;

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
    explicit ShareChange(WorldShare& share) noexcept : share_(share), enter_(&share) {
        share_.begin_change();
    }
    ~ShareChange() { share_.end_change(); }
    ShareChange(const ShareChange&) = delete;
    ShareChange& operator=(const ShareChange&) = delete;

private:
    WorldShare& share_;
    EnterShare enter_;
};

}  // namespace perigee::internal
