// One loaded mod: its state, its systems, and how its names map to names of the world.
//
// Invariant: memory that Lua sees (StateMemory, the systems, initialiser views) is freed after the state.
// Names: the root mod's components and systems have no prefix, others' have "mod:". Inside a mod, a plain
// name refers to the mod's own first, then to the root's.
#pragma once

#include "ecs/commands/command_buffer.h"
#include "ecs/commands/playback_limit.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/component.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "scripting/base/internal/work_clock.h"
#include "scripting/base/script_limits.h"
#include "scripting/mods/internal/mod_frame.h"
#include "scripting/mods/internal/object_api.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/script_system.h"
#include "scripting/sandbox/state.h"
#include "scripting/views/view.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::internal {

/// Replaces a system of another mod once this mod has loaded; keeps the old one.
struct SystemReplacement {
    SystemId system;
    SystemDesc desc;
    std::optional<SystemDesc> old = {};  ///< set once replaced
};

/// The same for a prefab: `changed` is the new content of `target`.
struct PrefabChange {
    PrefabId target;
    PrefabId changed;
    PrefabSize growth = {};     ///< what it adds to another mod's prefab
    bool has_happened = false;  ///< then `changed` has the old content
};

/// The mod's own prefab, declared again on reload: the existing one gets the content of `changed`.
struct PrefabRenewal {
    PrefabId target;
    PrefabId changed;
};

/// Everything that the files of a mod created when they ran. On reload a second one is built while the first
/// stays in use; see script_reload.h.
struct ScriptCode {
    std::map<std::string, int, std::less<>> services;  ///< registry slots of functions, by name
    std::vector<std::unique_ptr<ScriptSystem>> systems;
    std::vector<SystemId> system_ids;  ///< in the schedule
    std::vector<SystemId> group_ids;
    std::size_t order_names = 0;     ///< in `after` and `before` of all systems
    std::vector<ComponentId> types;  ///< declared by the mod
    std::vector<SystemReplacement> replacements;
    std::vector<PrefabChange> prefab_changes;
    std::map<std::string, std::string, std::less<>> prefab_texts;  ///< the declaration of each of its own
                                                                   ///< prefabs, as text
    std::map<std::string, std::pair<std::string, LoadedData>, std::less<>> data;  ///< data files, by path

    std::vector<BlobPin> constants;  ///< blobs that main.lua built

    // ---- during a reload: what to do when all files have run
    std::vector<SystemDesc> declared;
    std::vector<GroupDesc> declared_groups;
    std::vector<PrefabRenewal> renewed_prefabs;
    std::vector<SchemaEdit> edits;  ///< existing types that are declared differently
};

/// Charges what is kept for reactions to the share of their mod.
class ModObservation final : public ObservationPayer {
public:
    explicit ModObservation(WorldShare& share) noexcept : share_(share) {}
    bool hold(std::size_t bytes) noexcept override { return share_.hold_aside(OwnMemory::observed, bytes); }
    void release(std::size_t bytes) noexcept override { share_.release(OwnMemory::observed, bytes); }

private:
    WorldShare& share_;
};

/// Charges recording and playback of commands to the share of their mod, and its time to the mod's step.
class ModPlayback : public PlaybackLimit {
public:
    /// Bytes of the records that a mod other than the game may cause in one step.
    static constexpr std::size_t kRecordBytesPerStep = std::size_t{16} << 20;

    ModPlayback(WorldShare& share, ModFrame& frame) noexcept : share_(share), frame_(frame) {}
    MemoryQuota* begin() noexcept override {
        clock_.start();
        return share_.begin_change();
    }
    void end() noexcept override {
        share_.end_change();
        frame_.add(0, clock_.seconds());
    }
    std::string refusal() const override { return share_.refusal(); }
    bool may_record(std::size_t bytes) noexcept override { return share_.hold(OwnMemory::commands, bytes); }

private:
    WorldShare& share_;
    ModFrame& frame_;
    WorkClock clock_;
};

struct ScriptMod : ScriptCode {
    ScriptMod(ScriptRuntime& owner, std::string mod_name, std::string_view root_name);
    ~ScriptMod();
    ScriptMod(const ScriptMod&) = delete;
    ScriptMod& operator=(const ScriptMod&) = delete;

    bool is_root() const noexcept { return name == root; }
    std::string own_name(std::string_view word) const;
    /// A name from a list of systems: "game:move" is the root's "move", a plain word the mod's own.
    std::string system_name(std::string_view word) const;
    /// A name in `before` or `after`: the same, or a group of the engine.
    std::string order_name(std::string_view word) const;
    /// A group: the mod's own of this name, if there is one.
    std::string group_name(std::string_view word) const;
    std::optional<ComponentId> component(std::string_view word) const;
    /// True if it may use things of that mod: itself, the root, or a mod listed in `uses`.
    bool may_use(std::string_view other) const noexcept;
    /// The component name probably meant, as this mod would write it.
    std::string nearest_component(std::string_view word) const;

    void set_phase(ScriptPhase phase) noexcept { memory.phase = static_cast<std::uint32_t>(phase); }
    ScriptPhase phase() const noexcept { return static_cast<ScriptPhase>(memory.phase); }

    /// From now on sweeps detach the state's values from the world: their texts are interned again at the
    /// next use, and their blobs must still be there then (scripts/runtime/data/value.lua).
    void detach_values();

    /// Begins a run in this step; in a new step the mod's per-step limits are reset.
    void begin_step(std::uint64_t tick);

    /// Why the world refuses to grow for this mod, as a message.
    std::string refusal_of_world() const { return share.refusal(); }

    /// Completes an error that a call returned (row) and passes it to the runtime. `counts`: too many such
    /// errors switch the mod off. Errors of presentation do not count, since the number of frames must not
    /// affect the game.
    Error report(ScriptError error, std::string_view system, bool counts = true);

    /// The views through which an initialiser of spawn_many sees the new rows of one prefab. Made on first
    /// use. Null with `error` set when the mod has used up its Lua memory.
    ViewSet* init_views(PrefabId prefab, std::optional<ScriptError>& error);

    /// Discards the views of a changed prefab; they are rebuilt on demand.
    void forget_views(PrefabId prefab);
    void forget_views();

    /// Releases Lua objects that no entity refers to any more. Expects: no Lua of this state is running.
    void collect_objects();
    /// Makes the world hash ask the state for the hashes of an object component's values.
    void hash_objects(ComponentId component);
    bool may_hash();
    /// True if the mod's systems have used up their time in this step, so that no other starts.
    bool has_used_step(std::uint64_t tick) const noexcept {
        return !is_root() && step == tick && seconds_in_step >= limits.seconds_per_run;
    }

    ScriptRuntime& runtime;
    std::string name;
    std::string root;
    ScriptLimits limits;                     ///< of each of its states
    WorldShare share;                        ///< of the world's memory
    ModFrame simulation;                     ///< use of its systems in a step
    ModFrame presentation;                   ///< their use in a frame
    ModPlayback playback;                    ///< what their commands may use in this step
    ModObservation observation;              ///< pays for its reactions
    std::optional<std::uint64_t> step = {};  ///< the last step in which it ran
    double seconds_in_step = 0;              ///< of all its runs, reactions and conditions
    double hash_fuel = 0;                    ///< of its hash functions in the last world hash
    std::uint64_t hash_number = 0;           ///< number of that hash
    std::size_t load_microseconds = 0;       ///< time used to load its files
    bool is_trusted = false;                 ///< the root mod alone
    const FileSource* files = nullptr;       ///< of the mod
    std::string schema_file;
    std::string main_file;
    std::vector<ModUse> uses;
    ModSettings settings;
    std::vector<NativeModule> modules;
    bool has_failed = false;           ///< failed to load; it is left out
    ScriptCode* before = nullptr;      ///< during a reload: the code still in use
    bool has_changed_layouts = false;  ///< of values in its prefabs, since those were made
    std::uint32_t failures = 0;        ///< of its systems, since loading
    bool is_switched_off = false;      ///< after too many failures
    std::map<std::string, bool, std::less<>> switches = {};  ///< of systems while the mod is left out
    ScriptSystem* running = nullptr;                         ///< the armed system
    bool has_simulated = true;                               ///< since presentation was checked last
    StateMemory memory;
    ObjectHome objects;
    std::vector<ComponentId> hashed;  ///< object components whose hash function is this mod's
    /// Systems of replaced code: Lua may still refer to their memory.
    std::vector<std::unique_ptr<ScriptSystem>> old_systems;
    std::vector<std::unique_ptr<ViewSet>> old_views;
    std::map<PrefabId, std::unique_ptr<ViewSet>> prefab_views;
    std::unique_ptr<ScriptState> state;
    std::optional<std::size_t> text_root;  ///< in the world's TextPool
    std::optional<std::size_t> blob_root;  ///< in the world's BlobStore
};

}  // namespace perigee::internal
