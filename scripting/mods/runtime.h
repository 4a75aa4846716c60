// Runs the scripts of one world: loads mods, turns their declarations into components, prefabs and systems of
// the world and its schedule, and reports errors to the host.
//
// Invariant: one ScriptState per mod. The first mod loaded is the game (the root mod); its names have no
// prefix. Load order: all schema.lua, the host's hook (native systems bind their structs), all main.lua. A
// mod that fails to load reports every error found, and none of its systems run; its replacements and patches
// of other mods are undone.
// Not here: files, input, graphics; the host provides them as FileSource and NativeModules.
#pragma once

#include "ecs/base/result.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/world/prefab.h"
#include "scripting/base/file_source.h"
#include "scripting/base/script_error.h"
#include "scripting/mods/mod_config.h"
#include "scripting/mods/mod_usage.h"
#include "scripting/mods/runtime_config.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class Schedule;
class ScriptState;
class SideWorlds;
class World;

namespace internal {
class LoadedMods;
class SharedLimit;
struct ScriptMod;
}  // namespace internal

/// Where the function of a system is: the mod, and file and line in it.
struct SystemPlace {
    std::string mod;
    std::string file;  ///< "main.lua"
    int line = 0;
};

/// The result of a reload.
struct ReloadReport {
    std::vector<ScriptError> errors;
    std::vector<std::string> mods;  ///< whose code was replaced
    SchemaChanges changes;          ///< of schemas
    bool is_ok() const noexcept { return errors.empty(); }
};

class ScriptRuntime {
public:
    /// Lifetime: `world` and `schedule` must outlive the runtime, which removes its systems when it is
    /// destroyed.
    ScriptRuntime(World& world, Schedule& schedule, ScriptRuntimeConfig config = {});
    ~ScriptRuntime();
    ScriptRuntime(const ScriptRuntime&) = delete;
    ScriptRuntime& operator=(const ScriptRuntime&) = delete;

    /// Loads a mod. `between` runs after schema.lua and before main.lua.
    /// Errors: all errors in the order found; empty on success. The errors of a schema are reported together.
    std::vector<ScriptError> load(ModConfig config, const std::function<Result<void>()>& between = {});
    /// Loads several mods, each after the mods that it uses: every schema.lua in this order, then `between`,
    /// then every main.lua in this order. A mod that fails is left out together with the mods that need it;
    /// the rest loads.
    std::vector<ScriptError> load(std::vector<ModConfig> configs,
                                  const std::function<Result<void>()>& between = {});

    /// Runs the files of a mod again in the same Lua state while the old code stays in use. If all of them
    /// run without an error, the new declarations replace the old ones. The world and its entities stay;
    /// systems of the same name continue with the new functions; values of object components stay. Mods that
    /// replaced or patched parts of this one are reloaded too, and so are its side worlds. If a schema
    /// changed, all rows are converted (ecs/migrate/schema_change.h), and all mods run again. Errors: those
    /// of the files, and reasons against a schema change. Then the old code stays in use, unless a schema has
    /// already changed: in that case the mods with an error stop until they run again. Expects: no system is
    /// running.
    ReloadReport reload(std::string_view mod);
    /// The same with a new Lua state: object components with values of this mod become nil. For states that
    /// are no longer usable. While it fails, the mod is left out.
    ReloadReport restart(std::string_view mod);

    /// Called when the contents of the world were replaced by others (ecs/save): the table `state` of each
    /// mod becomes what the world says. Expects: no system is running.
    void world_replaced();

    /// Removes the systems of mods that failed kMaxFailures times from the schedule and returns the names of
    /// these mods. Never the root mod. Expects: no system is running.
    std::vector<std::string> switch_off_failing();
    static constexpr std::uint32_t kMaxFailures = 3;

    /// The newest errors of systems, oldest first, at most kKeptErrors: for the error card.
    const std::deque<ScriptError>& recent_errors() const noexcept { return recent_errors_; }
    void forget_errors() noexcept { recent_errors_.clear(); }
    static constexpr std::size_t kKeptErrors = 8;

    /// True if a mod of this name exists and loaded without an error.
    bool has_loaded(std::string_view mod) const noexcept;

    /// Where a system of a script is, by its name in the schedule; nothing for native systems. A system that
    /// was replaced is where its replacement is.
    std::optional<SystemPlace> place_of(std::string_view system) const;

    /// The state of a loaded mod; null when there is none of this name. Lifetime: until the mod restarts.
    ScriptState* state(std::string_view mod) noexcept;

    /// The first limit reached that another run may reach at a different point, "the memory limit of mod
    /// 'swarm'"; empty if none was. Expects: no system is running.
    std::string limit_reached() const;

    /// The resource usage of each mod, in load order, including failed ones. Expects: no system is running.
    std::vector<ModUsage> usage() const;

    /// The usage of the limits that all mods share. Expects: no system is running.
    UsageOfAllMods usage_of_all() const noexcept;

    /// Runs a piece of Lua in a mod, outside systems: for consoles and tests.
    std::vector<ScriptError> run(std::string_view mod, std::string_view code,
                                 std::string_view name = "console");

    /// The worlds that its mods made beside this one (side_world.h).
    SideWorlds& side_worlds() const noexcept { return *side_worlds_; }

    World& world() const noexcept { return world_; }
    Schedule& schedule() const noexcept { return schedule_; }
    const ScriptRuntimeConfig& config() const noexcept { return config_; }

    // ---- for the other files of scripting/ ----

    /// A number unique in this runtime, for a run, a visit to a chunk, or the time between two runs.
    std::uint64_t next_epoch() noexcept { return last_epoch_.fetch_add(1, std::memory_order_relaxed) + 1; }
    /// Passes an error to the log and the host. Errors of parallel systems arrive in system order.
    void report(ScriptError error);
    /// The mods whose services are being called, outermost caller first; each mod appears at most once.
    std::vector<internal::ScriptMod*>& service_chain() noexcept { return service_chain_; }
    /// Locked while a column's floats are checked before a system reads them; see
    /// ecs/query/canonical_columns.h.
    std::mutex& canonical_turn() noexcept { return canonical_turn_; }
    /// Discards the views that initialisers use for a prefab; they are rebuilt on demand. Expects: no system
    /// is running.
    void forget_prefab_views(PrefabId prefab) noexcept;
    /// The mod of this name, even if it failed; null when there is none.
    internal::ScriptMod* find_mod(std::string_view name) const noexcept;
    /// What the Lua heaps of all mods may take together.
    internal::SharedLimit& lua_memory() const noexcept;
    /// All mods, in load order.
    std::vector<internal::ScriptMod*> mods() const;

private:
    World& world_;
    Schedule& schedule_;
    ScriptRuntimeConfig config_;
    std::atomic<std::uint64_t> last_epoch_ = 1;
    std::mutex canonical_turn_;
    std::deque<ScriptError> recent_errors_;
    std::unique_ptr<internal::LoadedMods> mods_;
    std::vector<internal::ScriptMod*> service_chain_;
    std::unique_ptr<SideWorlds> side_worlds_;  ///< whose makers are in mods_
};

}  // namespace perigee
