// Side worlds: worlds that a mod makes beside the main one, each with its own schedule and its own scripts.
//
//     local menu = ecs.side_world("menu", "menu.lua")      -- scripts/runtime/world/side_world.lua
//
// Invariant: a side world shares nothing with the main world but files and modules of the engine. It knows
// the types that the main world has when it is made, and runs one mod, its maker, from another file. Plain
// values and entities cross between the two as messages; ids, views and values of one never reach the other.
// It advances only when its maker steps it, on the maker's thread, so a run with side worlds is repeatable.
// What it takes is charged to its maker. It makes no side worlds of its own.
// Not here: moving entities (ecs/migrate/world_transfer.h), the functions for Lua
// (scripting/host/internal/side_world_host.h).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "scripting/mods/runtime_config.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class ScheduleState;
class ScriptRuntime;
class SideWorlds;
class SideWorldsState;
struct ScriptError;
namespace internal {
struct ScriptMod;
}

/// A plain value, and entities of the world that receives it.
struct WorldMessage {
    std::string bytes;  ///< scripting/host/internal/service_call.h
    std::vector<Entity> entities;
};

/// Messages that wait for their receiver, oldest first.
struct WorldMail {
    std::deque<WorldMessage> waiting;
    std::size_t bytes = 0;
};

class SideWorld {
public:
    ~SideWorld();
    SideWorld(const SideWorld&) = delete;
    SideWorld& operator=(const SideWorld&) = delete;

    const std::string& name() const noexcept { return name_; }  ///< "menu", or "mod:menu" of a mod
    const std::string& file() const noexcept { return file_; }
    std::uint32_t number() const noexcept { return number_; }
    std::uint64_t tick() const noexcept { return tick_; }  ///< its own steps so far
    World& world() noexcept { return world_; }
    Schedule& schedule() noexcept { return schedule_; }
    ScriptRuntime& scripts() noexcept { return *scripts_; }
    internal::ScriptMod& maker() const noexcept { return maker_; }
    /// The maker's mod, as it runs in this world.
    internal::ScriptMod& resident() const noexcept;
    /// Of its world, its steps and what waits in its mail.
    std::uint64_t hash() const;

private:
    friend class SideWorlds;
    friend class SideWorldsState;
    SideWorld(internal::ScriptMod& maker, std::string name, std::string file, std::uint64_t seed);

    internal::ScriptMod& maker_;
    std::string name_;
    std::string file_;
    World world_;
    Schedule schedule_;
    std::unique_ptr<ScriptRuntime> scripts_;
    std::uint32_t number_ = 0;
    std::uint64_t tick_ = 0;
    std::uint64_t failures_ = 0;                           ///< of its systems
    WorldMail inside_;                                     ///< waits for the side world
    WorldMail outside_;                                    ///< waits for its maker
    std::size_t held_ = 0;                                 ///< bytes charged to the maker
    bool exists_ = true;                                   ///< false: only states remember it
    std::shared_ptr<int> kept_ = std::make_shared<int>();  ///< shared with the states that remember it
};

class SideWorlds {
public:
    /// Lifetime: the runtime's.
    explicit SideWorlds(ScriptRuntime& runtime) noexcept : runtime_(runtime) {}
    ~SideWorlds();
    SideWorlds(const SideWorlds&) = delete;
    SideWorlds& operator=(const SideWorlds&) = delete;

    // ---- for scripts. Expects, of all: called while code of the maker runs where ecs.world is open.

    /// The side world of this name; made from a file of the mod if there is none. Its number is never used
    /// again. `seed`: of its random numbers; without one they follow from the game's seed and the name.
    /// Errors: one of this name comes from another file; too many; all errors of its files. Cost: some
    /// milliseconds.
    Result<std::uint32_t> find_or_make(internal::ScriptMod& maker, std::string_view name,
                                       std::string_view file, std::optional<double> seed);
    /// Null when it was destroyed.
    SideWorld* find(std::uint32_t number) const noexcept;
    /// The one of this name, as its maker calls it; null for none.
    SideWorld* find(const internal::ScriptMod& maker, std::string_view name) const;
    void destroy(std::uint32_t number) noexcept;
    /// Runs so many steps of the length of the main world's. False if a system of it failed meanwhile.
    /// Errors: the maker may not take more memory.
    Result<bool> step(SideWorld& side, std::uint32_t steps);
    /// Appends a message for the side world or, with `is_outward`, for its maker, and moves the entities
    /// there, with their descendants. Errors: those of move_entities; an id that is not alive; a component
    /// that the mod may not change; objects; too many messages. Then nothing has happened.
    Result<void> send(SideWorld& side, bool is_outward, std::string bytes, std::span<const Entity> entities);
    /// The oldest message; nothing if none waits.
    static std::optional<WorldMessage> receive(SideWorld& side, bool is_outward);
    /// Runs its presentation systems, whose picture is placed there. Errors: pictures cannot be placed.
    Result<void> draw(SideWorld& side, const PicturePlace& place, double alpha);

    // ---- for hosts. Expects: no system is running.

    /// In the order in which they were made.
    std::vector<SideWorld*> all() const;
    /// Destroys those of a mod.
    void destroy_of(const internal::ScriptMod& maker) noexcept;
    /// Runs the files of those of a mod again (ScriptRuntime::reload).
    std::vector<ScriptError> reload_of(const internal::ScriptMod& maker);
    /// `main` with the hashes of all side worlds; `main` itself if there are none.
    std::uint64_t hash_with(std::uint64_t main) const;

    /// All of them as they are now. `previous`: an earlier state, to share what did not change. Errors:
    /// those of take_snapshot.
    Result<std::shared_ptr<const SideWorldsState>> state(const SideWorldsState* previous = nullptr);
    /// Makes them what they were: those made since do not exist, those destroyed since exist again.
    /// Errors: those of restore_snapshot. Then nothing has changed.
    Result<void> restore(const SideWorldsState& state);
    /// Of all states, without what several share.
    std::size_t state_bytes() const noexcept;

private:
    Result<void> load(SideWorld& side);
    Result<void> charge(SideWorld& side);
    void put_back(const SideWorldsState& state);
    void forget_unkept() noexcept;

    ScriptRuntime& runtime_;
    std::vector<std::unique_ptr<SideWorld>> worlds_;  ///< also those that only states remember
    std::uint32_t last_number_ = 0;
};

/// The side worlds of a runtime at one moment. Keeps those that were destroyed since. May outlive the
/// runtime.
class SideWorldsState {
public:
    ~SideWorldsState();

private:
    friend class SideWorlds;
    struct Entry;
    SideWorldsState();
    std::vector<Entry> entries_;
};

}  // namespace perigee
