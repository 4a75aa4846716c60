// The run of a Lua system, and of the initialisers that it recorded.
#include "scripting/mods/script_system.h"

#include "ecs/events/system_events.h"
#include "ecs/query/canonical_columns.h"
#include "ecs/query/query.h"
#include "ecs/schema/field_value.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/script_error.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/phase_scope.h"
#include "scripting/mods/internal/query_work.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/sandbox/bind.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace perigee {

namespace {

// Releases a registry slot when the last copy of an initialiser is destroyed, after playback or a drop.
class RegistryReference {
public:
    RegistryReference(lua_State* lua, int reference) noexcept : lua_(lua), reference_(reference) {}
    ~RegistryReference() { luaL_unref(lua_, LUA_REGISTRYINDEX, reference_); }
    RegistryReference(const RegistryReference&) = delete;
    RegistryReference& operator=(const RegistryReference&) = delete;
    int number() const noexcept { return reference_; }

private:
    lua_State* lua_;
    int reference_;
};

}  // namespace

// Ends all visits of a run, also when memory is exhausted.
class ScriptSystem::EndOfVisits {
public:
    explicit EndOfVisits(ScriptSystem& system) noexcept : system_(system) {}
    ~EndOfVisits() { system_.end_visits(); }
    EndOfVisits(const EndOfVisits&) = delete;
    EndOfVisits& operator=(const EndOfVisits&) = delete;

private:
    ScriptSystem& system_;
};

ScriptSystem::ScriptSystem(internal::ScriptMod& mod, std::string name, Traits traits,
                           std::span<const ComponentId> terms)
    : mod_(mod),
      world_(mod.runtime.world()),
      world_share_(mod.share),
      name_(std::move(name)),
      traits_(traits),
      has_terms_(!terms.empty()),
      visit_(mod.runtime.world()),
      views_(terms, mod.memory) {
    memory_.system = this;
    views_.show(visit_);
    usage_.name = name_;
    functions_.fill(LUA_NOREF);
}

ScriptSystem::~ScriptSystem() = default;

internal::ScriptVisit& ScriptSystem::add_visit(const Query& query, bool takes_runs) {
    std::vector<ComponentId> terms;
    for (const QueryTerm& term : query.desc().terms) terms.push_back(term.component);
    visits_.push_back(
        std::make_unique<internal::ScriptVisit>(mod_, *this, query, takes_runs, terms, visits_.size() + 1));
    return *visits_.back();
}

void ScriptSystem::set_functions(const std::array<int, kSystemCallbackCount>& functions, ScriptChunk chunk,
                                 int context_reference) noexcept {
    functions_ = functions;
    chunk_ = chunk;
    context_reference_ = context_reference;
}

void ScriptSystem::release_functions(lua_State* lua) noexcept {
    for (const int slot : functions_) luaL_unref(lua, LUA_REGISTRYINDEX, slot);
    if (chunk_.reference != 0) luaL_unref(lua, LUA_REGISTRYINDEX, chunk_.reference);
    if (context_reference_ != 0) luaL_unref(lua, LUA_REGISTRYINDEX, context_reference_);
    functions_.fill(LUA_NOREF);
    chunk_ = {};
    context_reference_ = 0;
}

bool ScriptSystem::has(SystemCallback callback) const noexcept {
    return functions_[static_cast<std::size_t>(callback)] != LUA_NOREF;
}

bool ScriptSystem::may_call(std::string_view service) const noexcept {
    return std::ranges::find(services_, service) != services_.end();
}

// From here to disarm, the objects that the script got from this system work.
void ScriptSystem::arm(const SystemContext& context, Random* random, CommandBuffer* commands,
                       ScriptPhase phase) {
    ScriptRuntime& runtime = mod_.runtime;
    begin_step(context);
    begin_check();
    if (traits_.is_presentation) mod_.state->exchange_random();
    if (commands != nullptr) commands->limit(&mod_.playback);
    if (phase == ScriptPhase::exclusive)
        change_.emplace(world_share_);
    else
        share_.emplace(&world_share_);
    memory_.dt = context.elapsed;
    memory_.tick = static_cast<double>(context.time.tick);
    memory_.time = context.time.time;
    memory_.alpha = context.time.alpha;
    memory_.epoch = run_number_ = runtime.next_epoch();
    jobs_.restart();
    memory_.may_command = traits_.is_presentation || commands == nullptr ? 0 : 1;
    memory_.random = random;
    commands_ = commands;
    context_ = &context;
    run_counts_.reset();
    views_.restart();
    for (const std::unique_ptr<internal::ScriptVisit>& visit : visits_) visit->restart();
    compared_steps_ = 0;
    mod_.memory.outside_epoch = runtime.next_epoch();  // earlier results of ecs.world:get end here
    phase_before_ = mod_.memory.phase;
    mod_.set_phase(phase);
    mod_.running = this;
    mod_.state->jit().set_system(name_);
    mod_.memory.is_presentation = traits_.is_presentation ? 1 : 0;
    mod_.memory.error_row = 0;
    mod_.memory.sorted_keys = 0;
    const ScriptLimits& limits = mod_.state->limits();
    mod_.state->open_run(limits.fuel_per_run, limits.seconds_per_run);
    internal::WorkClock::begin_step(context.time.tick);
    clock_.start();
}

internal::ModFrame& ScriptSystem::frame() const noexcept {
    return traits_.is_presentation ? mod_.presentation : mod_.simulation;
}

// Frames are irregular: a mod's per-step limits start with a system of the step.
void ScriptSystem::begin_step(const SystemContext& context) {
    if (traits_.is_presentation)
        mod_.state->begin_log_step(context.time.tick);
    else
        mod_.begin_step(context.time.tick);
}

// Systems postponed or ended by the clock behave differently in another run; presentation does not affect a
// run.
void ScriptSystem::note_clock() {
    if (frame().has_used_clock() && !traits_.is_presentation) mod_.state->note_limit(messages::kTimeLimit);
}

bool ScriptSystem::must_wait(const SystemContext& context) {
    begin_step(context);
    if (!frame().must_wait(context.time.tick, turn_)) return false;
    note_clock();
    return true;
}

Result<void> ScriptSystem::disarm(std::optional<ScriptError> error) {
    mod_.state->close_run();
    share_.reset();
    if (change_) {
        change_.reset();
        mod_.memory.outside_epoch = mod_.runtime.next_epoch();  // what it got from ecs.world ends here
    }
    if (commands_ != nullptr && commands_->is_full()) {  // however the run ended
        if (!error) error = internal::plain_error(mod_.name, "");
        error->message = fmt::format(messages::kTooManyCommands, world_share_.refusal());
    }
    // Memory taken at once is charged at a playback, so force one.
    if (!error && memory_.may_command != 0 && commands_ != nullptr && world_share_.has_made())
        commands_->call([](World&) { return true; });
    const double seconds = clock_.seconds();
    mod_.seconds_in_step += seconds;
    frame().add(mod_.state->fuel_used(), seconds);
    usage_.fuel += mod_.state->fuel_used();
    usage_.allocated_bytes += mod_.state->run_allocated_bytes();
    usage_.sorted_keys += mod_.memory.sorted_keys;
    event_views_.disarm();
    end_visits();
    memory_.epoch = 0;
    memory_.open_jobs = 0;
    memory_.may_command = 0;
    memory_.random = nullptr;
    commands_ = nullptr;
    context_ = nullptr;
    mod_.memory.phase = phase_before_;
    mod_.running = nullptr;
    mod_.state->jit().set_system({});
    mod_.memory.is_presentation = 0;
    if (traits_.is_presentation) mod_.state->exchange_random();
    finish_check();
    if (error) return mod_.report(std::move(*error), name_, !traits_.is_presentation);
    return {};
}

// Changes by presentation to simulation's variables: scripts/runtime/tools/sharing.lua.
void ScriptSystem::begin_check() {
    if (!mod_.runtime.config().checks_presentation) return;
    const bool has_simulated = std::exchange(mod_.has_simulated, !traits_.is_presentation);
    if (!traits_.is_presentation) return;
    mod_.state->push_runtime("sharing", "begin");
    lua_pushboolean(mod_.state->lua(), has_simulated ? 1 : 0);
    static_cast<void>(mod_.state->call(1, 0));
}

void ScriptSystem::finish_check() {
    if (!mod_.runtime.config().checks_presentation || !traits_.is_presentation) return;
    lua_State* const lua = mod_.state->lua();
    mod_.state->push_runtime("sharing", "finish");
    push_text(lua, name_);
    if (mod_.state->call(1, 1)) return;  // too much to check: no result
    const int list = lua_gettop(lua);
    for (int i = 1; i < static_cast<int>(lua_objlen(lua, list)); i += 2) {
        ScriptError error;
        error.mod = mod_.name;
        lua_rawgeti(lua, list, i);
        lua_rawgeti(lua, list, i + 1);
        error.file = text_at(lua, -2);
        error.message = text_at(lua, -1);
        lua_pop(lua, 2);
        mod_.report(std::move(error), name_, false);
    }
    lua_settop(lua, list - 1);
}

Result<void> ScriptSystem::run(SystemContext& context) {
    if (condition_error_) {
        Error error = std::move(*condition_error_);
        condition_error_.reset();
        return error;
    }
    if (std::string suspended = frame().suspended(); !suspended.empty()) {
        ScriptError error;
        error.mod = mod_.name;
        error.message = std::move(suspended);
        note_clock();
        return mod_.report(std::move(error), name_);
    }
    if (mod_.has_used_step(context.time.tick)) {
        mod_.state->note_limit(messages::kTimeLimit);
        return mod_.report(internal::plain_error(
                               mod_.name, fmt::format(messages::kModStepTime, mod_.limits.seconds_per_run)),
                           name_);
    }
    mod_.collect_objects();
    arm(context, &context.random, &context.commands,
        traits_.is_exclusive ? ScriptPhase::exclusive : ScriptPhase::system);
    const EndOfVisits end(*this);
    is_visiting_ = true;
    std::optional<ScriptError> error;
    if (context.batch != nullptr) {
        error = react(*context.batch);
    } else if (has_terms_) {
        error = pay_for_order(*context.query);
        if (!error) error = visit_all(*context.query);
    } else {
        error = call();
    }
    if (!error && compared_steps_ > 0) error = pay(compared_steps_);
    return disarm(std::move(error));
}

void ScriptSystem::end_visits() noexcept {
    visit_.end();
    for (const std::unique_ptr<internal::ScriptVisit>& visit : visits_) visit->end();
    is_visiting_ = false;
}

void ScriptSystem::close_world() noexcept {
    end_visits();
    memory_.epoch = 0;
    memory_.open_jobs = 1;
}

// Jobs may have written anything that the system declared.
void ScriptSystem::open_world() noexcept {
    for (const std::unique_ptr<internal::ScriptVisit>& visit : visits_) visit->restart();
    is_visiting_ = true;
    memory_.epoch = mod_.runtime.next_epoch();
    memory_.open_jobs = 0;
}

Result<std::uint32_t> ScriptSystem::start_job(std::string_view name, std::span<const std::uint32_t> after) {
    if (has_terms_ || traits_.is_exclusive || context_->batch != nullptr)
        return Error{std::string(messages::kJobsOfSystem)};
    const bool is_in_run = mod_.memory.phase == static_cast<std::uint32_t>(ScriptPhase::system);
    if (!is_in_run || (!is_visiting_ && !jobs_.is_open())) return Error{std::string(messages::kJobsInRun)};
    if (!jobs_.is_open()) close_world();  // first, since a job may begin at once
    Result<std::uint32_t> started = jobs_.start(name, *context_, after);
    if (!jobs_.is_open()) open_world();
    return started;
}

Result<void> ScriptSystem::wait_for_job(std::uint32_t number) {
    const bool was_open = jobs_.is_open();
    Result<void> waited = jobs_.wait(number, *context_);
    if (was_open && !jobs_.is_open()) open_world();
    return waited;
}

std::optional<ScriptError> ScriptSystem::visit_all(const Query& query) {
    std::optional<ScriptError> error;
    make_canonical(query, world_.registry(), mod_.runtime.canonical_turn());
    // After an error the other chunks count as written too.
    for (visit_.begin(query); visit_.next();)
        if (!error) error = visit(visit_.view());
    return error;
}

// Rows are sorted before the first one is visited.
std::optional<ScriptError> ScriptSystem::pay_for_order(const Query& query) {
    if (!query.desc().order_by) return std::nullopt;
    return pay(internal::steps_of(query, internal::QueryWork::visit));
}

std::optional<ScriptError> ScriptSystem::pay(double steps) {
    mod_.state->push_runtime("fuel", "spend");
    lua_pushnumber(mod_.state->lua(), steps);
    return mod_.state->call(1, 0);
}

Result<void> ScriptSystem::run_callback(SystemCallback callback, SystemContext& context) {
    if (!has(callback)) return {};  // its state no longer exists
    arm(context, &context.random, &context.commands);
    return disarm(call_with_context(callback, 0));
}

bool ScriptSystem::meets_condition(const SystemContext& context) {
    if (mod_.has_used_step(context.time.tick)) return true;  // run() says why it does not
    arm(context, nullptr, nullptr);
    std::optional<ScriptError> error = call_with_context(SystemCallback::run_if, 1);
    bool is_wanted = true;
    if (!error) {
        is_wanted = lua_toboolean(mod_.state->lua(), -1) != 0;
        lua_pop(mod_.state->lua(), 1);
    }
    if (Result<void> asked = disarm(std::move(error)); !asked) condition_error_ = asked.error();
    return is_wanted;
}

std::optional<ScriptError> ScriptSystem::react(const ReactionBatch& batch) {
    const auto [kind, component] = *context_->system->reacts_to;
    if (kind == Trigger::Kind::event) {
        read_events(component);
        return call();
    }
    views_.arm_list(batch.observed.entities, batch.observed.values, mod_.runtime.next_epoch());
    std::optional<ScriptError> error = call();
    views_.disarm();
    return error;
}

void ScriptSystem::read_events(ComponentId event) noexcept {
    ColumnView& view = event_views_.of(event).reading;
    if (view.epoch != 0) return;  // as lent before in this run
    const EventBatch batch = context_->events.read(event);
    EventViews::lend(view, batch.rows, batch.count, mod_.runtime.next_epoch());
}

bool ScriptSystem::send_event(ComponentId event, const void* row) noexcept {
    const std::size_t bytes = world().registry().info(event).schema.size;
    if (!world_share_.ask_at_once(MemoryKind::events, bytes)) return false;
    const std::size_t before = context_->events.event_count();
    context_->events.send(event, row);
    return context_->events.event_count() != before;
}

bool ScriptSystem::send_events(ComponentId event, std::size_t count) noexcept {
    // More than may wait at a time are refused by the events themselves.
    const bool may_wait = count <= world().events().max_count(event);
    const std::size_t bytes = count * world().registry().info(event).schema.size;
    if (may_wait && !world_share_.ask_at_once(MemoryKind::events, bytes)) return false;
    std::byte* const rows = context_->events.send_many(event, count);
    if (rows == nullptr) return false;
    EventViews::lend(event_views_.of(event).writing, rows, count, mod_.runtime.next_epoch());
    return true;
}

void ScriptSystem::mark_written(const Query& query, const ChunkView& chunk, bool is_compared) noexcept {
    const std::span<const QueryTerm> terms = query.desc().terms;
    for (std::size_t term = 0; term < terms.size(); ++term)
        if (terms[term].access == Access::write) {
            chunk.mark_canonical(term);
            // What is written is compared at the end of the group, if a reaction wants to know.
            const ComponentId written = terms[term].component;
            if (is_compared &&
                mod_.runtime.world().observers().is_observed({Trigger::Kind::changed, written}))
                compared_steps_ +=
                    internal::steps_to_compare(chunk.row_count(), world_.registry().row_bytes(written));
        }
}

std::optional<ScriptError> ScriptSystem::visit(const ChunkView& chunk) {
    mark_written(*context_->query, chunk, true);
    std::optional<ScriptError> error;
    if (traits_.takes_runs) {
        views_.arm_runs(chunk, mod_.runtime.next_epoch());
        error = call();
        views_.disarm();
        return error;
    }
    // The bits at the start of the chunk's visit count, even if the script changes them.
    chunk.for_each_run([&](std::uint32_t first, std::uint32_t last) {
        if (error) return;
        views_.arm(chunk, first, last, mod_.runtime.next_epoch());
        error = call();
        views_.disarm();
        // With named queries, the row may be one of theirs.
        if (error && visits_.empty()) note_row(*error, chunk, first);
    });
    return error;
}

// The entity of an error's row, and its current values. Lua counts from 1, starting with the first lent row.
void ScriptSystem::note_row(ScriptError& error, const ChunkView& chunk, std::uint32_t first) const {
    const StateMemory& memory = mod_.memory;
    const std::uint32_t row = first + memory.error_row - 1;
    if (memory.error_row == 0 || error.message.size() != memory.error_length || row >= chunk.row_count())
        return;
    const World& world = world_;
    error.entity = chunk.entities()[row].bits;
    const std::span<const QueryTerm> terms = context_->query->desc().terms;
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const ComponentInfo& info = world.registry().info(terms[term].component);
        const std::uint32_t bytes = chunk.row_bytes(term);
        if (!chunk.has(term) || bytes != info.schema.size || bytes == 0)
            continue;  // tags, buffers, chunk values
        if (info.kind() != ComponentKind::component && info.kind() != ComponentKind::enableable) continue;
        const std::span<const std::byte> cell(chunk.column_data(term) + std::size_t{row} * bytes, bytes);
        std::string values;
        for (const Field& field : info.schema.fields) {
            values += values.empty() ? "" : ", ";
            values += field.name + " = " + text_from_value(read_field(field, cell, &world.texts()));
        }
        error.values += info.schema.name + " {" + values + "}\n";
    }
}

bool ScriptSystem::may_count(const Query& query) const noexcept {
    if (query.is_plain() || context_->system == nullptr) return true;
    const QueryDesc& desc = query.desc();
    const auto is_declared = [&](ComponentId id) { return declares(*context_->system, id, Access::read); };
    // The archetype determines whether a component is present, the rows whether it is enabled.
    const auto is_fine = [&](ComponentId id) {
        return world_.registry().info(id).kind() != ComponentKind::enableable || is_declared(id);
    };
    return std::ranges::all_of(desc.terms, [&](const QueryTerm& term) { return is_fine(term.component); }) &&
           std::ranges::all_of(desc.any, is_fine) && std::ranges::all_of(desc.without, is_fine) &&
           std::ranges::all_of(desc.changed, is_declared) &&
           std::ranges::all_of(desc.related,
                               [&](const RelatedFilter& filter) { return is_declared(filter.relation); });
}

const ScriptSystem::RunCounts& ScriptSystem::run_counts() {
    if (!run_counts_) run_counts_ = counted();
    return *run_counts_;
}

double ScriptSystem::steps_to_count() const noexcept {
    if (run_counts_ || context_->query == nullptr) return 0;
    return internal::steps_of(*context_->query, internal::QueryWork::count_chunks);
}

ScriptSystem::RunCounts ScriptSystem::counted() const {
    if (context_->batch != nullptr) {
        const std::size_t rows = context_->batch->observed.entities.size();
        return {.visits = rows == 0 ? 0U : 1U, .rows = rows};
    }
    if (context_->query == nullptr) return {};  // runs without rows
    const Query& query = *context_->query;
    RunCounts counts{.rows = query.entity_count(context_->last_run_version)};
    // In an order, only rows that pass are gathered: each chunk is one run.
    if (query.is_plain() || traits_.takes_runs || query.desc().order_by) {
        counts.visits = query.chunk_count(context_->last_run_version);
        return counts;
    }
    for (FilteredVisit visit(query, context_->last_run_version); visit.next();) {
        visit.view().for_each_run([&counts](std::uint32_t, std::uint32_t) { ++counts.visits; });
    }
    return counts;
}

std::optional<ScriptError> ScriptSystem::call() {
    lua_State* lua = mod_.state->lua();
    const int run = functions_[static_cast<std::size_t>(SystemCallback::run)];
    lua_rawgeti(lua, LUA_REGISTRYINDEX, chunk_.is_made ? chunk_.reference : run);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, chunk_.is_made ? run : chunk_.reference);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, context_reference_);
    std::optional<ScriptError> error = mod_.state->call(2, 0);
    if (error) mod_.state->place(*error, run);
    return error;
}

std::optional<ScriptError> ScriptSystem::call_with_context(SystemCallback callback, int result_count) {
    lua_State* lua = mod_.state->lua();
    const int function = functions_[static_cast<std::size_t>(callback)];
    lua_rawgeti(lua, LUA_REGISTRYINDEX, function);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, context_reference_);
    std::optional<ScriptError> error = mod_.state->call(1, result_count);
    if (error) mod_.state->place(*error, function);
    return error;
}

bool ScriptSystem::spawn_many(PrefabId prefab, std::uint32_t count, int initializer_reference) {
    const internal::PrefabSize size = internal::size_of_prefab(world(), prefab);
    const std::size_t bytes = count * size.bytes, entities = count * size.parts;
    if (initializer_reference == 0) {
        if (!may_grow(bytes, entities)) return false;
        commands_->spawn_many(prefab, count);
        return true;
    }
    auto reference = std::make_shared<RegistryReference>(mod_.state->lua(), initializer_reference);
    if (!may_grow(bytes, entities)) return false;
    auto* random = static_cast<Random*>(memory_.random);
    commands_->spawn_many(
        prefab, count,
        [this, prefab, reference, random](const ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
            return initialize(prefab, reference->number(), chunk, first, last, random);
        });
    return true;
}

void ScriptSystem::load_data(std::string path, std::string text) {
    commands_->call([this, path = std::move(path), text = std::move(text)](World&) {
        const DataLoader& load = mod_.runtime.config().load_data;
        Result<LoadedData> loaded{Error{}};
        if (world_share_.has_room_for_entities()) {
            // What it uses is charged to the mod's step like other commands; once nothing is left, later ones
            // are not carried out.
            const std::size_t before = world().entity_count();
            loaded = load(mod_.runtime.world(), mod_.is_root() ? "" : mod_.name, path, text, false,
                          mod_.playback.work);
            const std::size_t after = world().entity_count();
            if (after > before) static_cast<void>(world_share_.ask_entities(after - before));
        } else {
            loaded = Error{world_share_.refusal()};
        }
        if (loaded) return true;
        ScriptError error;
        error.mod = mod_.name;
        error.message = "commands:load: " + loaded.error().message;
        mod_.report(std::move(error), name_);
        return false;
    });
}

// At playback: the rows are new and not visible yet, and the script may fill them but not change structure.
bool ScriptSystem::initialize(PrefabId prefab, int reference, const ChunkView& chunk, std::uint32_t first,
                              std::uint32_t last, Random* random) {
    std::optional<ScriptError> error;
    ViewSet* const views = mod_.init_views(prefab, error);
    if (views == nullptr) {
        mod_.report(std::move(*error), name_);
        return false;
    }
    lua_State* lua = mod_.state->lua();
    views->restart();
    make_rows_canonical(chunk, first, last, world().registry(), views->terms());
    views->arm(chunk, first, last, mod_.runtime.next_epoch());
    memory_.random = random;
    const internal::PhaseScope initializing(mod_, ScriptPhase::playback);
    const internal::EnterShare enter(&world_share_);

    mod_.state->push_runtime("prefab", "run_initializer");
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
    lua_pushinteger(lua, prefab.index);
    lua_pushinteger(lua, static_cast<lua_Integer>(last - first));
    error = mod_.state->call(3, 0);
    if (error) mod_.state->place(*error, reference);

    memory_.random = nullptr;
    views->disarm();
    if (error) mod_.report(std::move(*error), name_);
    return !error;
}

}  // namespace perigee
