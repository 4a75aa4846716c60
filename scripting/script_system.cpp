// The run of a Lua system, and of the initialisers that it recorded.
#include "scripting/script_system.h"

#include "ecs/world.h"
#include "scripting/internal/script_mod.h"

#include <lua.hpp>

#include <memory>
#include <utility>

namespace perigee {

namespace {

// Gives a registry slot back when the last copy of an initialiser is gone, played back or dropped.
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

ScriptSystem::ScriptSystem(internal::ScriptMod& mod, std::string name, Traits traits,
                           std::span<const ComponentId> terms)
    : mod_(mod), name_(std::move(name)), traits_(traits), has_terms_(!terms.empty()), views_(terms) {
    memory_.system = this;
}

ScriptSystem::~ScriptSystem() = default;

void ScriptSystem::set_functions(int run_reference, int chunk_reference, int context_reference) noexcept {
    run_reference_ = run_reference;
    chunk_reference_ = chunk_reference;
    context_reference_ = context_reference;
}

Result<void> ScriptSystem::run(SystemContext& context) {
    ScriptRuntime& runtime = mod_.runtime;
    mod_.collect_objects();
    if (context.time.tick != static_cast<std::uint64_t>(memory_.tick)) mod_.state->refill_log_budget();
    memory_.dt = context.elapsed;
    memory_.tick = static_cast<double>(context.time.tick);
    memory_.time = context.time.time;
    memory_.alpha = context.time.alpha;
    memory_.epoch = runtime.next_epoch();
    memory_.may_command = traits_.is_presentation ? 0 : 1;
    memory_.random = &context.random;
    commands_ = &context.commands;
    context_ = &context;
    has_counted_ = false;
    views_.restart();
    mod_.memory.outside_epoch = runtime.next_epoch();  // what ecs.world:get gave before ends here
    mod_.set_phase(ScriptPhase::system);
    mod_.memory.is_presentation = traits_.is_presentation ? 1 : 0;
    mod_.memory.error_row = 0;

    std::optional<ScriptError> error;
    if (has_terms_) {
        context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
            if (!error) error = visit(chunk);
        });
    } else {
        const World::Lock lock(context.world);
        error = call();
    }

    memory_.epoch = 0;
    memory_.may_command = 0;
    memory_.random = nullptr;
    commands_ = nullptr;
    context_ = nullptr;
    mod_.set_phase(ScriptPhase::idle);
    mod_.memory.is_presentation = 0;
    if (error) return mod_.report(std::move(*error), name_);
    return {};
}

std::optional<ScriptError> ScriptSystem::visit(const ChunkView& chunk) {
    std::optional<ScriptError> error;
    if (traits_.takes_runs) {
        views_.arm_runs(chunk, mod_.runtime.next_epoch());
        error = call();
        views_.disarm();
        return error;
    }
    // The bits that count are those of when the visit came to the chunk, whatever the script does to them.
    chunk.for_each_run([&](std::uint32_t first, std::uint32_t last) {
        if (error) return;
        views_.arm(chunk, first, last, mod_.runtime.next_epoch());
        error = call();
        views_.disarm();
    });
    return error;
}

std::uint64_t ScriptSystem::visit_count() {
    count_rows();
    return visit_count_;
}

std::uint64_t ScriptSystem::row_count() {
    count_rows();
    return row_count_;
}

// Once per run, when it is first asked.
void ScriptSystem::count_rows() {
    if (has_counted_) return;
    has_counted_ = true;
    visit_count_ = 0;
    row_count_ = 0;
    if (!has_terms_) return;
    const Query& query = *context_->query;
    row_count_ = query.entity_count(context_->last_run_version);
    if (query.is_plain() || traits_.takes_runs) {
        visit_count_ = query.chunk_count(context_->last_run_version);
        return;
    }
    for (FilteredVisit visit(query, context_->last_run_version); visit.next();) {
        visit.view().for_each_run([this](std::uint32_t, std::uint32_t) { ++visit_count_; });
    }
}

std::optional<ScriptError> ScriptSystem::call() {
    lua_State* lua = mod_.state->lua();
    lua_rawgeti(lua, LUA_REGISTRYINDEX, run_reference_);
    if (has_terms_) {
        lua_rawgeti(lua, LUA_REGISTRYINDEX, chunk_reference_);
    } else {
        lua_pushnil(lua);
    }
    lua_rawgeti(lua, LUA_REGISTRYINDEX, context_reference_);
    return mod_.state->call(2, 0);
}

void ScriptSystem::spawn_many(PrefabId prefab, std::uint32_t count, int initializer_reference) {
    if (initializer_reference == 0) {
        commands_->spawn_many(prefab, count);
        return;
    }
    auto reference = std::make_shared<RegistryReference>(mod_.state->lua(), initializer_reference);
    auto* random = static_cast<Random*>(memory_.random);
    commands_->spawn_many(
        prefab, count,
        [this, prefab, reference, random](const ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
            return initialize(prefab, reference->number(), chunk, first, last, random);
        });
}

// At playback: the rows are new, nobody has seen them, and the script may fill them but not change structure.
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
    views->arm(chunk, first, last, mod_.runtime.next_epoch());
    memory_.random = random;
    mod_.set_phase(ScriptPhase::playback);

    mod_.state->push_runtime("prefab", "run_initializer");
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
    lua_pushinteger(lua, prefab.index);
    lua_pushinteger(lua, static_cast<lua_Integer>(last - first));
    error = mod_.state->call(3, 0);

    mod_.set_phase(ScriptPhase::idle);
    memory_.random = nullptr;
    views->disarm();
    if (error) mod_.report(std::move(*error), name_);
    return !error;
}

}  // namespace perigee
