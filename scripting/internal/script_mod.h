// One loaded mod: its state, its systems, and how its names map to names of the world.
//
// Invariant: memory that Lua sees (StateMemory, the systems, initialiser views) goes after the state does.
// Names: the root mod's components and systems have no prefix, others' have "mod:". Inside a mod a plain name
// means its own first, then the root's.
#pragma once

#include "ecs/command_buffer.h"
#include "ecs/component.h"
#include "ecs/playback_limit.h"
#include "ecs/prefab.h"
#include "ecs/schedule.h"
#include "ecs/schema_change.h"
#include "scripting/internal/mod_frame.h"
#include "scripting/internal/object_api.h"
#include "scripting/internal/world_share.h"
#include "scripting/runtime.h"
#include "scripting/script_limits.h"
#include "scripting/script_system.h"
#include "scripting/view.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::internal {

/// What a mod puts in the place of another's system once it has loaded, and what stood there.
struct SystemReplacement {
    SystemId system;
    SystemDesc desc;
    std::optional<SystemDesc> old = {};  ///< once it happened
};

/// The same of a prefab: `changed` gets what `target` is to be.
struct PrefabChange {
    PrefabId target;
    PrefabId changed;
    bool has_happened = false;  ///< then `changed` has what it was
};

/// A prefab of the mod itself, as its files say it again: what is there gets what `changed` is.
struct PrefabRenewal {
    PrefabId target;
    PrefabId changed;
};

/// What the files of a mod made when they ran. When they run again, it is made again beside the one that is
/// in use; see script_reload.h.
struct ScriptCode {
    std::map<std::string, int, std::less<>> services;  ///< registry slots of functions, by name
    std::vector<std::unique_ptr<ScriptSystem>> systems;
    std::vector<SystemId> system_ids;  ///< in the schedule
    std::vector<SystemId> group_ids;
    std::size_t order_names = 0;     ///< in `after` and `before` of all of them
    std::vector<ComponentId> types;  ///< that it declared
    std::vector<SystemReplacement> replacements;
    std::vector<PrefabChange> prefab_changes;
    std::map<std::string, std::string, std::less<>> prefab_texts;  ///< what was said of each of its own
    std::map<std::string, std::pair<std::string, LoadedData>, std::less<>> data;  ///< files of data, by path

    // ---- while files run again: what is to happen when all of them have
    std::vector<SystemDesc> declared;
    std::vector<GroupDesc> declared_groups;
    std::vector<PrefabRenewal> renewed_prefabs;
    std::vector<SchemaEdit> edits;  ///< types that are there and are declared otherwise
};

/// Commands are recorded and carried out on the share of their mod.
class ModPlayback : public PlaybackLimit {
public:
    explicit ModPlayback(WorldShare& share) noexcept : share_(share) {}
    MemoryQuota* begin() noexcept override { return share_.begin_change(); }
    void end() noexcept override { share_.end_change(); }
    std::string refusal() const override { return share_.refusal(); }
    bool may_record(std::size_t bytes) noexcept override { return share_.hold(HeldKind::commands, bytes); }

private:
    WorldShare& share_;
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
    /// A group: the mod's own of this name, if there is one.
    std::string group_name(std::string_view word) const;
    std::optional<ComponentId> component(std::string_view word) const;
    /// May it use things of this mod: its own, the root's, or of one that it names in `uses`?
    bool may_use(std::string_view other) const noexcept;
    /// What was probably meant, as this mod would write it.
    std::string nearest_component(std::string_view word) const;

    void set_phase(ScriptPhase phase) noexcept { memory.phase = static_cast<std::uint32_t>(phase); }
    ScriptPhase phase() const noexcept { return static_cast<ScriptPhase>(memory.phase); }

    /// From now on a sweep of texts asks the state for those that its values hold.
    void keep_texts();

    /// A run in this step begins: what the mod may do in a step is there again when it is another one than
    /// before.
    void begin_step(std::uint64_t tick);

    /// Why the world takes no more of it, as a message.
    std::string refusal_of_world() const { return share.refusal(); }

    /// Completes an error that a call returned (row) and passes it to the runtime. `counts`: too many such
    /// switch the mod off; those of presentation do not, since how often it runs is nothing to the game.
    Error report(ScriptError error, std::string_view system, bool counts = true);

    /// The views through which an initialiser of spawn_many sees the new rows of one prefab. Made on first
    /// use. Null with `error` filled when a mod has used up what a Lua state can hold.
    ViewSet* init_views(PrefabId prefab, std::optional<ScriptError>& error);

    /// The views of prefabs that changed are made again when they are needed.
    void forget_views(PrefabId prefab);
    void forget_views();

    /// Lets Lua forget objects that no entity refers to any more. Expects: no Lua of this state is running.
    void collect_objects();
    /// Lets the world hash ask the state about the values of an object component.
    void hash_objects(ComponentId component);
    bool may_hash();
    /// The systems of the mod have run for so long in this step that none begins any more.
    bool has_used_step(std::uint64_t tick) const noexcept {
        return !is_root() && step == tick && seconds_in_step >= limits.seconds_per_run;
    }

    ScriptRuntime& runtime;
    std::string name;
    std::string root;
    ScriptLimits limits;                     ///< of each state that it gets
    WorldShare share;                        ///< of the world's memory
    ModFrame simulation;                     ///< what its systems take in a step
    ModFrame presentation;                   ///< what they take in a picture
    ModPlayback playback;                    ///< what their commands may take in this step
    std::optional<std::uint64_t> step = {};  ///< the newest in which it ran
    double seconds_in_step = 0;              ///< of all its runs, reactions and conditions
    double hash_fuel = 0;                    ///< of its hash functions in the newest hash of the world
    std::uint64_t hash_number = 0;           ///< of that hash
    std::size_t load_microseconds = 0;       ///< that its files took when they were loaded
    bool is_trusted = false;                 ///< the root mod alone
    const FileSource* files = nullptr;       ///< of the mod
    std::string schema_file;
    std::string main_file;
    std::vector<ModUse> uses;
    ModSettings settings;
    std::vector<NativeModule> modules;
    bool has_failed = false;                ///< to load; it is left out
    ScriptCode* before = nullptr;           ///< while files run again: what is in use meanwhile
    bool has_changed_layouts = false;       ///< of values that its prefabs have, since they were made
    std::uint32_t failures = 0;             ///< of its systems, since it was loaded
    bool is_switched_off = false;           ///< for too many of them
    const ScriptSystem* running = nullptr;  ///< the system that is armed
    bool has_simulated = true;              ///< since presentation was checked last
    StateMemory memory;
    ObjectHome objects;
    std::vector<ComponentId> hashed;  ///< object components whose hash function is this mod's
    /// Of code that was replaced: Lua may hold references to their memory.
    std::vector<std::unique_ptr<ScriptSystem>> old_systems;
    std::vector<std::unique_ptr<ViewSet>> old_views;
    std::map<PrefabId, std::unique_ptr<ViewSet>> prefab_views;
    std::unique_ptr<ScriptState> state;
    std::optional<std::size_t> text_root;  ///< in the world's TextPool
};

}  // namespace perigee::internal
