// Loads mods and stores errors. Not here: code that runs per frame (script_system.cpp).
#include "scripting/mods/runtime.h"

#include "ecs/schedule/schedule.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/internal/clock_seconds.h"
#include "scripting/base/internal/shared_limit.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/fuel_tank.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

// How many bytes the world may grow for a mod, per byte of its own memory limit: 512 MB by default.
constexpr std::size_t kWorldPerMemory = 4;
constexpr double kMicroseconds = 1e6;  // in a second

}  // namespace

ScriptRuntime::ScriptRuntime(World& world, Schedule& schedule, ScriptRuntimeConfig config)
    : world_(world),
      schedule_(schedule),
      config_(std::move(config)),
      lua_memory_(std::make_unique<internal::SharedLimit>(config_.limits_of_all.lua_memory)),
      load_time_(std::make_unique<internal::SharedLimit>(
          static_cast<std::size_t>(config_.limits_of_all.load_seconds * kMicroseconds))) {}

ScriptRuntime::~ScriptRuntime() {
    for (auto mod = mods_.rbegin(); mod != mods_.rend(); ++mod) {
        const std::vector<SystemId>& systems = (*mod)->system_ids;
        for (auto system = systems.rbegin(); system != systems.rend(); ++system) schedule_.remove(*system);
    }
}

std::vector<ScriptError> ScriptRuntime::load(ModConfig config, const std::function<Result<void>()>& between) {
    std::vector<ModConfig> configs;
    configs.push_back(std::move(config));
    return load(std::move(configs), between);
}

std::vector<ScriptError> ScriptRuntime::load(std::vector<ModConfig> configs,
                                             const std::function<Result<void>()>& between) {
    std::vector<ScriptError> errors;
    std::vector<internal::ScriptMod*> mods;
    divide_limits(configs.size());
    for (ModConfig& config : configs) {
        internal::ScriptMod* const mod = open(std::move(config), errors);
        if (mod == nullptr) continue;
        mods.push_back(mod);
        run_schema(*mod, errors);
    }
    if (mods.empty()) return errors;
    internal::ScriptMod& first = *mods.front();
    if (!first.has_failed && between) {
        const Result<void> bound = between();
        if (!bound) {
            errors.push_back(internal::plain_error(first.name, bound.error().message));
            internal::leave_out(first);
        }
    }
    for (internal::ScriptMod* mod : mods) run_main(*mod, errors);
    return errors;
}

// The root is not among them.
void ScriptRuntime::divide_limits(std::size_t new_mods) {
    const std::size_t members = mods_.size() + new_mods - std::min<std::size_t>(mods_.size() + new_mods, 1);
    lua_memory_->divide(members);
    load_time_->divide(members);
    for (const std::unique_ptr<internal::ScriptMod>& mod : mods_) {
        if (mod->is_root()) continue;
        if (mod->state != nullptr) mod->state->share_memory();
        load_time_->move(0, mod->load_microseconds);
    }
}

// Loads a file of a mod within the time left for all mods. Processor time: a busy machine makes no mod slow.
void ScriptRuntime::run_timed(internal::ScriptMod& mod, const std::string& file,
                              std::vector<ScriptError>& errors) {
    const double most = mod.limits.seconds_per_load;
    const double left =
        mod.is_root() ? most : static_cast<double>(load_time_->room(mod.load_microseconds)) / kMicroseconds;
    if (left <= 0) {
        errors.push_back(internal::plain_error(
            mod.name, fmt::format(messages::kNoLoadTime, config_.limits_of_all.load_seconds)));
        return;
    }
    mod.state->set_load_seconds(left);
    const double started = internal::clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    std::optional<ScriptError> error = mod.state->run_file(file);
    const double took = internal::clock_seconds(CLOCK_THREAD_CPUTIME_ID) - started;
    mod.state->set_load_seconds(most);
    if (!mod.is_root()) {
        const std::size_t before = std::exchange(
            mod.load_microseconds, mod.load_microseconds + static_cast<std::size_t>(took * kMicroseconds));
        load_time_->move(before, mod.load_microseconds);
    }
    if (!error) return;
    if (left < most && mod.state->fuel().ended() == internal::FuelTank::End::time)
        error->message += fmt::format(messages::kLoadTimeOfAll, config_.limits_of_all.load_seconds);
    errors.push_back(std::move(*error));
}

internal::ScriptMod* ScriptRuntime::open(ModConfig config, std::vector<ScriptError>& errors) {
    ECS_EXPECTS(config.files != nullptr, "a mod needs files");
    if (find_mod(config.name) != nullptr) {
        errors.push_back(
            internal::plain_error(config.name, fmt::format(messages::kModLoadedTwice, config.name)));
        return nullptr;
    }
    const std::string root = mods_.empty() ? config.name : mods_.front()->name;
    auto owned = std::make_unique<internal::ScriptMod>(*this, config.name, root);
    internal::ScriptMod& mod = *owned;
    mods_.push_back(std::move(owned));
    mod.files = config.files;
    mod.schema_file = std::move(config.schema_file);
    mod.main_file = std::move(config.main_file);
    mod.uses = std::move(config.uses);
    mod.settings = std::move(config.settings);
    mod.objects.world = &world_;
    mod.objects.owner = static_cast<ObjectOwner>(mods_.size());
    mod.set_phase(ScriptPhase::schema);

    mod.modules = std::move(config.modules);
    mod.limits = config.limits;
    mod.share.set_most_bytes(kWorldPerMemory * mod.limits.memory_soft);
    // The same amount as for all Lua heaps: the defaults are equal, and so is the player's setting for "*".
    mod.share.set_most_bytes_of_all(config_.limits_of_all.lua_memory);
    mod.share.set_most_entities(mod.is_root() ? SIZE_MAX : mod.limits.entities,
                                config_.limits_of_all.entities);
    if (!mod.is_root()) {
        const internal::FrameAllowance allowance{mod.limits.fuel_per_step,
                                                 config_.puts_off_by_clock ? mod.limits.seconds_per_step : 0};
        mod.simulation.set_allowance(allowance);
        mod.presentation.set_allowance(allowance);
    }
    mod.is_trusted = config.is_trusted && mod.is_root();
    if (Result<void> made = make_state(mod); !made) {
        errors.push_back(internal::plain_error(config.name, made.error().message));
        mod.has_failed = true;
    }
    return &mod;
}

// Not of a root that failed: its own errors are enough.
bool ScriptRuntime::has_what_it_needs(internal::ScriptMod& mod, std::vector<ScriptError>& errors) const {
    if (mod.has_failed) return false;
    if (!mod.is_root() && mods_.front()->has_failed) {
        mod.has_failed = true;
        return false;
    }
    for (const ModUse& use : mod.uses) {
        if (!use.is_needed || has_loaded(use.mod)) continue;
        errors.push_back(internal::plain_error(mod.name, fmt::format(messages::kNeedsFailedMod, use.mod)));
        internal::leave_out(mod);
    }
    return !mod.has_failed;
}

void ScriptRuntime::run_schema(internal::ScriptMod& mod, std::vector<ScriptError>& errors) {
    if (!has_what_it_needs(mod, errors)) return;
    const internal::ShareChange change(mod.share);
    const std::size_t count = errors.size();
    if (mod.files->has(mod.schema_file)) {
        run_timed(mod, mod.schema_file, errors);
        internal::take_mistakes(*mod.state, errors);
    }
    mod.set_phase(ScriptPhase::idle);
    mod.state->settle();
    if (errors.size() != count && config_.declarations == nullptr) internal::leave_out(mod);
}

void ScriptRuntime::run_main(internal::ScriptMod& mod, std::vector<ScriptError>& errors) {
    if (!has_what_it_needs(mod, errors)) return;
    const internal::ShareChange change(mod.share);
    const std::size_t count = errors.size();
    const bool has_order = mod.is_root() || schedule_.resolve_order().ok();
    mod.set_phase(ScriptPhase::main);
    mod.state->prepare_load();
    run_timed(mod, mod.main_file, errors);
    internal::take_mistakes(*mod.state, errors);
    if (errors.size() == count) internal::declare_sketch(*mod.state, errors);
    if (errors.size() == count && has_order && !mod.is_root()) {
        if (Result<void> linked = internal::link(mod); !linked)
            errors.push_back(internal::plain_error(mod.name, linked.error().message));
    }
    // A partially loaded mod does not run; when nothing runs, its other half may be inspected.
    if (errors.size() != count && config_.declarations == nullptr) internal::leave_out(mod);
    mod.memory.outside_epoch = next_epoch();
    mod.set_phase(ScriptPhase::idle);
    mod.state->end_load();
}

std::vector<ScriptError> ScriptRuntime::run(std::string_view mod, std::string_view code,
                                            std::string_view name) {
    internal::ScriptMod* const found = find_mod(mod);
    if (found == nullptr || found->state == nullptr)
        return {internal::plain_error(mod, fmt::format(messages::kNoSuchMod, mod))};
    found->collect_objects();
    const internal::ShareChange change(found->share);
    std::vector<ScriptError> errors;
    if (auto error = found->state->run_text(code, name)) errors.push_back(std::move(*error));
    internal::take_mistakes(*found->state, errors);
    return errors;
}

std::string ScriptRuntime::limit_reached() const {
    for (const std::unique_ptr<internal::ScriptMod>& mod : mods_) {
        const std::string limit = mod->state != nullptr ? mod->state->limit_reached() : std::string();
        if (!limit.empty()) return fmt::format(messages::kLimitOfMod, limit, mod->name);
    }
    return {};
}

bool ScriptRuntime::has_loaded(std::string_view name) const noexcept {
    const internal::ScriptMod* const mod = find_mod(name);
    return mod != nullptr && !mod->has_failed;
}

ScriptState* ScriptRuntime::state(std::string_view name) noexcept {
    const internal::ScriptMod* const mod = find_mod(name);
    return mod != nullptr ? mod->state.get() : nullptr;
}

void ScriptRuntime::forget_prefab_views(PrefabId prefab) noexcept {
    for (const auto& mod : mods_) mod->forget_views(prefab);
}

internal::ScriptMod* ScriptRuntime::find_mod(std::string_view name) const noexcept {
    for (const auto& candidate : mods_)
        if (candidate->name == name) return candidate.get();
    return nullptr;
}

void ScriptRuntime::report(ScriptError error) {
    wait_for_turn();
    if (config_.log) {
        const std::string text = error.text();
        config_.log(LogEntry{LogLevel::error, error.mod, text});
    }
    if (config_.on_error) config_.on_error(error);
    recent_errors_.push_back(std::move(error));
    if (recent_errors_.size() > kKeptErrors) recent_errors_.pop_front();
}

}  // namespace perigee
