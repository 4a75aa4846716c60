// Everything that runs scripts in one world: loads mods, turns their declarations into components, prefabs
// and systems of that world and its schedule, and tells the host about errors.
//
// Invariant: one ScriptState per mod; the first mod loaded is the game (the root mod), whose names stand
// without prefix. Load order: all schema.lua, the host's hook (native systems bind their structs), all
// main.lua. A mod that fails to load reports every mistake found, and none of its systems run; what it
// replaced or patched of others is theirs again.
// Not here: files, input, pictures; the host offers those as FileSource and NativeModules.
#pragma once

#include "ecs/entity.h"
#include "ecs/prefab.h"
#include "ecs/result.h"
#include "ecs/schema_change.h"
#include "scripting/file_source.h"
#include "scripting/mod_usage.h"
#include "scripting/native_module.h"
#include "scripting/script_error.h"
#include "scripting/state.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace perigee {

class Schedule;
class World;
struct DeclarationLog;

namespace internal {
struct ScriptMod;
class SharedLimit;
}  // namespace internal

/// How asset fields turn paths into numbers and back. Both may be empty: then asset fields accept only nil.
struct AssetNames {
    /// Number of the path as written in the mod's script. Errors: the path is not allowed or nothing is
    /// there.
    std::function<Result<std::uint32_t>(std::string_view mod, std::string_view path)> handle_of;
    /// The path again; empty for an unknown number.
    std::function<std::string(std::uint32_t handle)> path_of;
    /// Where a script gave a path, "game/main.lua:12". May be empty.
    std::function<void(std::uint32_t handle, std::string_view place)> note_place{};
};

/// What a file of data gave: prefabs, and the entities that stand at its top.
struct LoadedData {
    std::vector<PrefabId> prefabs;
    std::vector<Entity> entities;
};

/// How the text of a file of data becomes prefabs and entities of the world. `mod` is empty for the root mod;
/// `path` is for messages.
using DataLoader = std::function<Result<LoadedData>(std::string_view mod, std::string_view path,
                                                    std::string_view text, bool only_prefabs)>;

struct ScriptRuntimeConfig {
    std::uint64_t seed = 0;
    LogSink log;
    std::function<void(const ScriptError&)>
        on_error;  ///< each error of a system or an initialiser, when it happens
    /// May the clock decide which systems of a mod wait for later steps? False where a run must be like
    /// another one on any machine; then only fuel does.
    bool puts_off_by_clock = true;
    LimitsOfAllMods limits_of_all;
    bool watches_compiler = false;  ///< usage() tells what LuaJIT made of each mod's code
    bool is_interpreted = false;    ///< see ScriptStateConfig
    /// Variables that simulation reads are compared before and after each presentation system, and what
    /// changed is reported once. For development: it takes time with the size of what the mod holds.
    bool checks_presentation = false;
    AssetNames assets;
    DeclarationLog* declarations = nullptr;  ///< see scripting/declaration_log.h; outlives the runtime
    DataLoader load_data;  ///< empty: ecs.load_prefabs and ecs.world:load say that there are no such files
};

/// A mod that another one may reach with ecs.import.
struct ModUse {
    std::string mod;
    bool is_needed = true;  ///< without it the other one does not load
};

/// What the player chose, or the mod's own value.
using ModSettings = std::vector<std::pair<std::string, std::variant<bool, double, std::string>>>;

struct ModConfig {
    std::string name = "game";          ///< prefix of its components and systems, unless it is the first mod
    const FileSource* files = nullptr;  ///< must outlive the runtime
    std::vector<NativeModule> modules;  ///< for require; the wrapper is scripts/runtime/<name>.lua
    ScriptLimits limits;                ///< what its scripts may use
    bool is_trusted = false;            ///< may use all of Lua; only the root mod can be
    std::string schema_file = "schema.lua";  ///< optional
    std::string main_file = "main.lua";      ///< required
    std::vector<ModUse> uses;                ///< besides the root mod, which all may use
    ModSettings settings;                    ///< what require "settings" gives
};

/// What reloading did.
struct ReloadReport {
    std::vector<ScriptError> errors;
    std::vector<std::string> mods;  ///< whose code was replaced
    SchemaChanges changes;          ///< of schemas
    bool is_ok() const noexcept { return errors.empty(); }
};

class ScriptRuntime {
public:
    /// Lifetime: `world` and `schedule` must outlive the runtime, which takes its systems away with it.
    ScriptRuntime(World& world, Schedule& schedule, ScriptRuntimeConfig config = {});
    ~ScriptRuntime();
    ScriptRuntime(const ScriptRuntime&) = delete;
    ScriptRuntime& operator=(const ScriptRuntime&) = delete;

    /// Loads a mod. `between` runs after schema.lua and before main.lua.
    /// Errors: everything that is wrong, in the order found; empty on success. Mistakes in a schema come all
    /// together.
    std::vector<ScriptError> load(ModConfig config, const std::function<Result<void>()>& between = {});
    /// Loads several mods, each behind those that it uses: every schema.lua in this order, then `between`,
    /// then every main.lua in this order. A mod that fails is left out, with those that need it; the rest
    /// loads.
    std::vector<ScriptError> load(std::vector<ModConfig> configs,
                                  const std::function<Result<void>()>& between = {});

    /// Runs the files of a mod again, in the same Lua state, beside what runs; when all of them do so without
    /// an error, what they declare takes the place of what they declared before. World and entities stay;
    /// systems of the same name live on with the new functions; values of object components stay. Mods that
    /// replaced or patched something of this one follow. When a schema changed, the values of all rows
    /// follow it (ecs/schema_change.h), and all mods run again.
    /// Errors: those of the files, and what speaks against a change of a schema. Then the code from before
    /// goes on, except where a schema changed already: then the mods with an error stop until they run again.
    /// Expects: no system is running.
    ReloadReport reload(std::string_view mod);
    /// The same with a new state: what object components had of this mod is nil. For states that are of no
    /// use any more. While it fails, the mod is left out.
    ReloadReport restart(std::string_view mod);

    /// Takes the systems of mods that failed kMostFailures times out of the schedule; gives their names.
    /// Never the root mod. Expects: no system is running.
    std::vector<std::string> switch_off_failing();
    static constexpr std::uint32_t kMostFailures = 3;

    /// The newest errors of systems, oldest first, at most kKeptErrors: for the card over the game.
    const std::deque<ScriptError>& recent_errors() const noexcept { return recent_errors_; }
    void forget_errors() noexcept { recent_errors_.clear(); }
    static constexpr std::size_t kKeptErrors = 8;

    /// Is a mod of this name here, and did it load without an error?
    bool has_loaded(std::string_view mod) const noexcept;

    /// The state of a loaded mod; null when there is none of this name.
    ScriptState* state(std::string_view mod) noexcept;

    /// The first limit that a mod's run met and that another run may meet elsewhere, "the memory limit of mod
    /// 'swarm'"; empty while there is none. Expects: no system is running.
    std::string limit_reached() const;

    /// What each mod uses, in load order, those that failed included. Expects: no system is running.
    std::vector<ModUsage> usage() const;

    /// What all mods have of the limits that they share. Expects: no system is running.
    UsageOfAllMods usage_of_all() const noexcept;

    /// Runs a piece of Lua in a mod, outside of systems: consoles and tests.
    std::vector<ScriptError> run(std::string_view mod, std::string_view code,
                                 std::string_view name = "console");

    World& world() const noexcept { return world_; }
    Schedule& schedule() const noexcept { return schedule_; }
    const ScriptRuntimeConfig& config() const noexcept { return config_; }

    // ---- for the other files of scripting/ ----

    /// A number never used before in this runtime: of a run, of a visit to a chunk, of a stretch between
    /// runs.
    std::uint64_t next_epoch() noexcept { return last_epoch_.fetch_add(1, std::memory_order_relaxed) + 1; }
    /// In system order, also from systems that run at the same time.
    void report(ScriptError error);
    /// The mods whose services are being called, the first caller first; one mod stands here once.
    std::vector<internal::ScriptMod*>& service_chain() noexcept { return service_chain_; }
    /// Held while a column's floats are looked at before a system reads them; see ecs/canonical_columns.h.
    std::mutex& canonical_turn() noexcept { return canonical_turn_; }
    /// What initialisers see of a prefab is made again. Expects: no system is running.
    void forget_prefab_views(PrefabId prefab) noexcept;
    /// A mod of this name, also one that failed; null when there is none.
    internal::ScriptMod* find_mod(std::string_view name) const noexcept;
    /// All of them, as loaded.
    std::vector<internal::ScriptMod*> mods() const;

private:
    Result<void> make_state(internal::ScriptMod& mod);
    void run_files_again(internal::ScriptMod& mod, std::vector<ScriptError>& errors);
    bool reload_code(internal::ScriptMod& mod, ReloadReport& report, std::vector<SchemaEdit>& edits);
    bool change_layouts(internal::ScriptMod& mod, std::vector<SchemaEdit> edits, ReloadReport& report);
    void reload_with_followers(internal::ScriptMod& mod, ReloadReport& report);
    void reload_all(internal::ScriptMod& first, ReloadReport& report);
    void divide_limits(std::size_t new_mods);
    void run_timed(internal::ScriptMod& mod, const std::string& file, std::vector<ScriptError>& errors);
    internal::ScriptMod* open(ModConfig config, std::vector<ScriptError>& errors);
    void run_schema(internal::ScriptMod& mod, std::vector<ScriptError>& errors);
    void run_main(internal::ScriptMod& mod, std::vector<ScriptError>& errors);
    bool has_what_it_needs(internal::ScriptMod& mod, std::vector<ScriptError>& errors) const;

    World& world_;
    Schedule& schedule_;
    ScriptRuntimeConfig config_;
    std::unique_ptr<internal::SharedLimit> lua_memory_;  ///< of all mods, not of the root
    std::unique_ptr<internal::SharedLimit> load_time_;   ///< the same, in microseconds
    std::atomic<std::uint64_t> last_epoch_ = 1;
    std::mutex canonical_turn_;
    std::deque<ScriptError> recent_errors_;
    std::vector<std::unique_ptr<internal::ScriptMod>> mods_;
    std::vector<internal::ScriptMod*> service_chain_;
};

}  // namespace perigee
