// How mods load, from their configurations to running systems:
//
//   ScriptRuntime::load
//     open          each mod: its record and its Lua state
//     run_schema    each mod: schema.lua declares components
//     run_between   the host binds structs to the root mod's components
//     run_main      each mod: main.lua declares systems; changes to other mods are applied
//
// Invariant: a mod that fails is left out, and with it the mods that need it; the others load. Files run
// within the time left for all mods. Not here: running files again (runtime_reload.cpp).
#include "ecs/schedule/schedule.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/internal/clock_seconds.h"
#include "scripting/mods/internal/loaded_mods.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/mod_load.h"
#include "scripting/mods/internal/mod_state.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/state.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace perigee {

namespace {

using internal::LoadedMods;
using internal::plain_error;
using internal::ScriptMod;

// How many bytes the world may grow for a mod, per byte of its own memory limit: 512 MB by default.
constexpr std::size_t kWorldPerMemory = 4;

// One call of ScriptRuntime::load: its new mods, and the errors found so far.
class ModLoader {
public:
    ModLoader(ScriptRuntime& runtime, LoadedMods& mods) : runtime_(runtime), mods_(mods) {}

    // The new mod; null if another one has its name.
    ScriptMod* open(ModConfig config);
    void run_schema(ScriptMod& mod);
    void run_between(ScriptMod& first, const std::function<Result<void>()>& between);
    void run_main(ScriptMod& mod);

    std::vector<ScriptError> take_errors() { return std::move(errors_); }

private:
    void configure(ScriptMod& mod, ModConfig config);
    // False if the mod, the root, or a mod that it needs has failed.
    bool has_what_it_needs(ScriptMod& mod);
    void run_file(ScriptMod& mod, const std::string& file);
    void leave_out_if_failed(ScriptMod& mod, std::size_t errors_before);
    void add_error(ScriptMod& mod, Error error) {
        errors_.push_back(plain_error(mod.name, std::move(error.message)));
        errors_.back().mistakes = std::move(error.mistakes);
    }

    ScriptRuntime& runtime_;
    LoadedMods& mods_;
    std::vector<ScriptError> errors_;
};

}  // namespace

std::vector<ScriptError> ScriptRuntime::load(ModConfig config, const std::function<Result<void>()>& between) {
    std::vector<ModConfig> configs;
    configs.push_back(std::move(config));
    return load(std::move(configs), between);
}

std::vector<ScriptError> ScriptRuntime::load(std::vector<ModConfig> configs,
                                             const std::function<Result<void>()>& between) {
    ModLoader loader(*this, *mods_);
    std::vector<ScriptMod*> new_mods;
    mods_->expect_more(configs.size());
    for (ModConfig& config : configs) {
        ScriptMod* const mod = loader.open(std::move(config));
        if (mod == nullptr) continue;
        new_mods.push_back(mod);
        loader.run_schema(*mod);
    }
    if (!new_mods.empty()) loader.run_between(*new_mods.front(), between);
    for (ScriptMod* mod : new_mods) loader.run_main(*mod);
    return loader.take_errors();
}

namespace {

// ---- open -------------------------------------------------------------------------------------------------

ScriptMod* ModLoader::open(ModConfig config) {
    ECS_EXPECTS(config.files != nullptr, "a mod needs files");
    if (mods_.find(config.name) != nullptr) {
        errors_.push_back(plain_error(config.name, fmt::format(messages::kModLoadedTwice, config.name)));
        return nullptr;
    }
    ScriptMod& mod = mods_.add(runtime_, config.name, config.root);
    configure(mod, std::move(config));
    if (Result<void> made = internal::make_state(mod, mods_.lua_memory()); !made) {
        add_error(mod, made.error());
        mod.has_failed = true;
    }
    return &mod;
}

void ModLoader::configure(ScriptMod& mod, ModConfig config) {
    mod.files = config.files;
    mod.schema_file = std::move(config.schema_file);
    mod.main_file = std::move(config.main_file);
    mod.uses = std::move(config.uses);
    mod.settings = std::move(config.settings);
    mod.modules = std::move(config.modules);
    mod.limits = config.limits;
    mod.is_trusted = config.is_trusted && mod.is_root();
    mod.objects.world = &runtime_.world();
    mod.objects.owner = static_cast<ObjectOwner>(mods_.all().size());
    mod.set_phase(ScriptPhase::schema);

    const ScriptRuntimeConfig& of_runtime = runtime_.config();
    mod.share.set_max_bytes(kWorldPerMemory * mod.limits.memory_soft);
    // The same amount as for all Lua heaps: the defaults are equal, and so is the player's setting for "*".
    mod.share.set_max_bytes_of_all(of_runtime.limits_of_all.lua_memory);
    mod.share.set_max_entities(mod.is_root() ? SIZE_MAX : mod.limits.entities,
                               of_runtime.limits_of_all.entities);
    if (mod.is_root()) return;
    const internal::FrameAllowance allowance{mod.limits.fuel_per_step,
                                             of_runtime.puts_off_by_clock ? mod.limits.seconds_per_step : 0};
    mod.simulation.set_allowance(allowance);
    mod.presentation.set_allowance(allowance);
}

// ---- schema.lua, between, main.lua ------------------------------------------------------------------------

void ModLoader::run_schema(ScriptMod& mod) {
    if (!has_what_it_needs(mod)) return;
    const internal::ShareChange change(mod.share);
    const std::size_t errors_before = errors_.size();
    if (mod.files->has(mod.schema_file)) {
        run_file(mod, mod.schema_file);
        internal::take_mistakes(*mod.state, errors_);
    }
    mod.set_phase(ScriptPhase::idle);
    mod.state->settle();
    leave_out_if_failed(mod, errors_before);
}

void ModLoader::run_between(ScriptMod& first, const std::function<Result<void>()>& between) {
    if (first.has_failed || !between) return;
    const Result<void> bound = between();
    if (bound) return;
    add_error(first, bound.error());
    internal::leave_out(first);
}

void ModLoader::run_main(ScriptMod& mod) {
    if (!has_what_it_needs(mod)) return;
    const internal::ShareChange change(mod.share);
    const std::size_t errors_before = errors_.size();
    const auto is_sound = [&] { return errors_.size() == errors_before; };
    const bool has_order = mod.is_root() || runtime_.schedule().resolve_order().ok();
    mod.set_phase(ScriptPhase::main);
    mod.state->prepare_load();
    run_file(mod, mod.main_file);
    internal::take_mistakes(*mod.state, errors_);
    if (is_sound()) internal::declare_sketch(*mod.state, errors_);
    if (is_sound() && has_order && !mod.is_root())
        if (Result<void> linked = internal::link(mod); !linked) add_error(mod, linked.error());
    leave_out_if_failed(mod, errors_before);
    mod.memory.outside_epoch = runtime_.next_epoch();
    mod.set_phase(ScriptPhase::idle);
    mod.state->end_load();
}

// ---- steps of both files ----------------------------------------------------------------------------------

// The errors of a root that failed are enough; errors of its mods are not added.
bool ModLoader::has_what_it_needs(ScriptMod& mod) {
    if (mod.has_failed) return false;
    if (!mod.is_root() && mods_.root().has_failed) {
        mod.has_failed = true;
        return false;
    }
    for (const ModUse& use : mod.uses) {
        if (!use.is_needed || mods_.has_loaded(use.mod)) continue;
        add_error(mod, Error{fmt::format(messages::kNeedsFailedMod, use.mod)});
        internal::leave_out(mod);
    }
    return !mod.has_failed;
}

// Processor time counts: a busy machine makes no mod slow.
void ModLoader::run_file(ScriptMod& mod, const std::string& file) {
    const double limit_of_all = runtime_.config().limits_of_all.load_seconds;
    const double most = mod.limits.seconds_per_load;
    const double left = mods_.load_seconds_left(mod);
    if (left <= 0) return add_error(mod, Error{fmt::format(messages::kNoLoadTime, limit_of_all)});
    mod.state->set_load_seconds(left);
    const double started = internal::clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    std::optional<ScriptError> error = mod.state->run_file(file);
    mods_.charge_load(mod, internal::clock_seconds(CLOCK_THREAD_CPUTIME_ID) - started);
    mod.state->set_load_seconds(most);
    if (!error) return;
    if (left < most && mod.state->fuel().ended() == internal::FuelTank::End::time)
        error->message += fmt::format(messages::kLoadTimeOfAll, limit_of_all);
    errors_.push_back(std::move(*error));
}

// A partially loaded mod does not run. When nothing will run, its other half may be inspected.
void ModLoader::leave_out_if_failed(ScriptMod& mod, std::size_t errors_before) {
    if (errors_.size() != errors_before && runtime_.config().declarations == nullptr)
        internal::leave_out(mod);
}

}  // namespace

}  // namespace perigee
