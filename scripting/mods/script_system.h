// A system implemented in Lua: one protected call per chunk, with views armed before and disarmed after. If
// some rows of a chunk fail the query's enabled bits, there is one call per run of passing rows, unless the
// system asked for runs itself. So by default a script sees matching rows only.
//
// Invariant: outside its calls (and its initialisers) nothing that the script kept from them works: views are
// disarmed, epochs are zero, commands and random are refused. An error ends the run at once; the schedule
// then drops the commands and suspends the system. Chunks do not move meanwhile, because the world is locked.
#pragma once

#include "ecs/schedule/system.h"
#include "scripting/base/internal/work_clock.h"
#include "scripting/mods/internal/script_visit.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/mod_usage.h"
#include "scripting/mods/script_jobs.h"
#include "scripting/views/event_views.h"
#include "scripting/views/view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct lua_State;

namespace perigee {

struct ScriptError;

namespace internal {
class ModFrame;
struct ScriptMod;
}  // namespace internal

/// The functions of a declaration, by their keys in Lua.
enum class SystemCallback : std::uint8_t { run, run_if, on_create, on_start, on_stop, on_destroy };
inline constexpr std::size_t kSystemCallbackCount = 6;
inline constexpr std::array<std::string_view, kSystemCallbackCount> kSystemCallbackNames{
    "run", "run_if", "on_create", "on_start", "on_stop", "on_destroy"};

/// The arguments of `run` besides ctx.
struct ScriptChunk {
    int reference = 0;     ///< registry slot; that of nil for a system without terms
    bool is_made = false;  ///< a function(run, ctx), see chunk.lua, creates it at each visit and calls run
};

class ScriptSystem {
public:
    struct Traits {
        bool is_presentation = false;
        bool takes_runs = false;    ///< called once per chunk, even if rows are disabled
        bool is_exclusive = false;  ///< `run` changes the world at once
    };
    ScriptSystem(internal::ScriptMod& mod, std::string name, Traits traits,
                 std::span<const ComponentId> terms);
    ~ScriptSystem();
    ScriptSystem(const ScriptSystem&) = delete;
    ScriptSystem& operator=(const ScriptSystem&) = delete;

    /// Registry slots: of the functions by SystemCallback (LUA_NOREF if absent) and of ctx.
    void set_functions(const std::array<int, kSystemCallbackCount>& functions, ScriptChunk chunk,
                       int context_reference) noexcept;
    bool has(SystemCallback callback) const noexcept;
    /// The registry slot of a function; LUA_NOREF if absent.
    int function(SystemCallback callback) const noexcept {
        return functions_[static_cast<std::size_t>(callback)];
    }
    /// Approximate memory of a system, including its schedule entry and views; `terms` of all its queries.
    static std::size_t bytes(std::size_t terms, std::size_t queries = 0) noexcept {
        return 3072 + 512 * terms + 2048 * queries;
    }
    /// Adds a named query. Expects: fewer than kMaxQueries so far, and no run yet.
    internal::ScriptVisit& add_visit(const Query& query, bool takes_runs);
    /// Releases the slots; the system is not called any more.
    void release_functions(lua_State* lua) noexcept;
    /// Full names of the services that it may call, "mod:name".
    void set_services(std::vector<std::string> names) noexcept { services_ = std::move(names); }
    bool may_call(std::string_view service) const noexcept;

    // ---- called by the schedule
    /// True if the systems of its mod have used so much that this one must wait.
    bool must_wait(const SystemContext& context);
    Result<void> run(SystemContext& context);
    /// Calls on_create, on_start, on_stop or on_destroy, as fn(ctx), if the system has it.
    Result<void> run_callback(SystemCallback callback, SystemContext& context);
    /// run_if: the function's result. If it fails, this returns true and run() fails with its error.
    bool meets_condition(const SystemContext& context);

    /// Records a batch spawn. `initializer_reference`: registry slot of its function, 0 for none; owned from
    /// now on.
    /// Returns false and records nothing when the mod may not grow the world by this much.
    bool spawn_many(PrefabId prefab, std::uint32_t count, int initializer_reference);

    /// Records the loading of a data file's text. Its errors are reported at playback, and then none of its
    /// entities are created.
    void load_data(std::string path, std::string text);

    /// True if this run may count the query's matches: everything that the query depends on is declared.
    bool may_count(const Query& query) const noexcept;
    struct RunCounts {
        std::uint64_t visits = 0;  ///< calls of the function with a chunk
        std::uint64_t rows = 0;    ///< shown by them in total
    };
    /// What this run visits; computed by the first call in a run.
    const RunCounts& run_counts();
    /// The steps of fuel that the first call in a run costs; 0 afterwards.
    double steps_to_count() const noexcept;

    // ---- named queries
    /// True in `run`, which alone visits them.
    bool is_visiting() const noexcept { return is_visiting_; }
    /// Notes that the visit of a chunk writes what the query declares. Unless `is_compared`, the comparison
    /// for reactions has been charged before.
    void mark_written(const Query& query, const ChunkView& chunk, bool is_compared) noexcept;

    // ---- jobs, in `run` of a system that gets no rows. While jobs are open, the world is closed to the
    // script:
    // ---- everything that ctx gave it has ended, and ctx gives nothing new.
    /// The number of the job in this run; `after`: numbers of earlier ones. Errors: see ScriptJobs::start;
    /// the system gets rows, is exclusive, or is not in `run`.
    Result<std::uint32_t> start_job(std::string_view name, std::span<const std::uint32_t> after);
    /// 0: all jobs. Errors: a job failed.
    Result<void> wait_for_job(std::uint32_t number);
    /// Different for each run, ascending.
    std::uint64_t run_number() const noexcept { return run_number_; }

    // ---- events. Expects: while running; an event of this world, declared as the call needs it.
    /// Arms the view for reading.
    void read_events(ComponentId event) noexcept;
    /// `row` null: defaults. False when there are too many.
    bool send_event(ComponentId event, const void* row) noexcept;
    /// Arms the view for filling. False when there are too many.
    bool send_events(ComponentId event, std::size_t count) noexcept;
    EventViews& event_views() noexcept { return event_views_; }

    const std::string& name() const noexcept { return name_; }
    /// ctx.alpha of the run.
    double alpha() const noexcept { return memory_.alpha; }
    const ScriptSystemUsage& usage() const noexcept { return usage_; }
    CommandBuffer& commands() const noexcept { return *commands_; }
    SystemMemory* memory() noexcept { return &memory_; }
    ViewSet& views() noexcept { return views_; }
    const World& world() const noexcept { return world_; }
    /// True if the commands of this run may grow the world by this much; see internal/world_share.h.
    bool may_grow(std::size_t bytes, std::size_t entities = 0) noexcept {
        return world_share_.ask(MemoryKind::chunks, bytes) &&
               (entities == 0 || world_share_.ask_entities(entities));
    }

private:
    class EndOfVisits;
    void end_visits() noexcept;
    void close_world() noexcept;
    void open_world() noexcept;
    std::optional<ScriptError> visit_all(const Query& query);
    std::optional<ScriptError> visit(const ChunkView& chunk);
    void note_row(ScriptError& error, const ChunkView& chunk, std::uint32_t first) const;
    std::optional<ScriptError> react(const ReactionBatch& batch);
    std::optional<ScriptError> call();
    std::optional<ScriptError> call_with_context(SystemCallback callback, int result_count);
    void begin_step(const SystemContext& context);
    void arm(const SystemContext& context, Random* random, CommandBuffer* commands,
             ScriptPhase phase = ScriptPhase::system);
    Result<void> disarm(std::optional<ScriptError> error);
    void begin_check();
    void finish_check();
    internal::ModFrame& frame() const noexcept;
    void note_clock();
    RunCounts counted() const;
    std::optional<ScriptError> pay_for_order(const Query& query);
    std::optional<ScriptError> pay(double steps);
    bool initialize(PrefabId prefab, int reference, const ChunkView& chunk, std::uint32_t first,
                    std::uint32_t last, Random* random);

    internal::ScriptMod& mod_;
    const World& world_;
    internal::WorldShare& world_share_;  ///< the mod's
    ScriptSystemUsage usage_;
    std::string name_;
    Traits traits_;
    bool has_terms_;
    SystemMemory memory_;
    QueryVisit visit_;  ///< of `query`
    ViewSet views_;
    std::vector<std::unique_ptr<internal::ScriptVisit>> visits_;  ///< of the named queries
    bool is_visiting_ = false;
    EventViews event_views_;
    ScriptJobs jobs_;
    std::uint64_t run_number_ = 0;
    CommandBuffer* commands_ = nullptr;       ///< while running
    const SystemContext* context_ = nullptr;  ///< while running
    std::optional<RunCounts> run_counts_;     ///< of this run, once asked for
    double compared_steps_ = 0;
    std::array<int, kSystemCallbackCount> functions_{};
    std::vector<std::string> services_;
    std::uint64_t turn_ = 0;                       ///< see internal/mod_frame.h
    internal::WorkClock clock_;                    ///< of the run
    std::uint32_t phase_before_ = 0;               ///< the state's, while running
    std::optional<internal::EnterShare> share_;    ///< while running
    std::optional<internal::ShareChange> change_;  ///< the same, while it changes the world at once
    std::optional<Error> condition_error_;         ///< of run_if, until run
    ScriptChunk chunk_;
    int context_reference_ = 0;
};

}  // namespace perigee
