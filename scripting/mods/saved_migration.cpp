// Copies of both values, with texts carried from pool to pool, around one call of Lua.
#include "scripting/mods/saved_migration.h"

#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/phase_scope.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"
#include "scripting/views/schema_from_lua.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace perigee {

namespace {

using internal::ScriptMod;
using Value = std::vector<std::byte>;

// Calls `change` with each handle of this type in the value.
template <typename Handle, typename Change>
Result<void> each_handle(const ComponentInfo& type, FieldType kind, Value& value, Change change) {
    for (const Leaf& leaf : type.leaves) {
        if (leaf.type != kind) continue;
        Handle handle;
        std::memcpy(&handle, value.data() + leaf.offset, sizeof handle);
        if (Result<void> changed = change(leaf, handle); !changed) return changed;
        std::memcpy(value.data() + leaf.offset, &handle, sizeof handle);
    }
    return {};
}

Result<void> carry_texts(const ComponentInfo& type, Value& value, const TextPool& from, TextPool& to) {
    return each_handle<TextHandle>(type, FieldType::text, value,
                                   [&](const Leaf&, TextHandle& handle) -> Result<void> {
                                       const Result<TextHandle> same = to.intern(from.text(handle));
                                       if (!same) return same.error();
                                       handle = same.value();
                                       return {};
                                   });
}

// A blob belongs to the saved world; in a copy for scripts it is none.
void hide_blobs(const ComponentInfo& type, Value& value) {
    static_cast<void>(each_handle<BlobHandle>(type, FieldType::blob, value,
                                              [](const Leaf&, BlobHandle& handle) -> Result<void> {
                                                  handle = {};
                                                  return {};
                                              }));
}

Result<void> bring_back_blobs(const ComponentInfo& type, Value& value, const std::byte* hidden) {
    return each_handle<BlobHandle>(type, FieldType::blob, value,
                                   [&](const Leaf& leaf, BlobHandle& handle) -> Result<void> {
                                       if (handle != BlobHandle{})
                                           return Error{fmt::format(messages::kMigratedBlob, leaf.path)};
                                       std::memcpy(&handle, hidden + leaf.offset, sizeof handle);
                                       return {};
                                   });
}

// The values of one type.
class Migration {
public:
    Migration(ScriptMod& mod, ComponentInfo from, const ComponentInfo& to, World& saved)
        : mod_(mod), from_(std::move(from)), to_(to), saved_(saved) {}
    ~Migration() {
        if (has_begun_) mod_.state->close_run();
    }
    Migration(const Migration&) = delete;
    Migration& operator=(const Migration&) = delete;

    Result<void> run(const std::byte* before, std::byte* now) {
        TextPool& texts = mod_.runtime.world().texts();
        Value old(before, before + from_.schema.size);
        Value made(now, now + to_.schema.size);
        if (Result<void> done = carry_texts(from_, old, saved_.texts(), texts); !done) return done;
        if (Result<void> done = carry_texts(to_, made, saved_.texts(), texts); !done) return done;
        hide_blobs(from_, old);
        hide_blobs(to_, made);
        if (Result<void> done = call(old, made); !done) return done;
        if (Result<void> done = bring_back_blobs(to_, made, now); !done) return done;
        if (Result<void> done = carry_texts(to_, made, texts, saved_.texts()); !done) return done;
        std::ranges::copy(made, now);
        return {};
    }

private:
    Result<void> call(Value& old, Value& made) {
        ScriptState& state = *mod_.state;
        lua_State* const lua = state.lua();
        const internal::PhaseScope migrating(mod_, ScriptPhase::migrate);
        const bool is_first = !std::exchange(has_begun_, true);
        if (is_first) state.open_run(state.limits().fuel_per_load, state.limits().seconds_per_load);
        state.push_runtime("schema", "migrate_saved");
        lua_pushinteger(lua, to_.id.index);
        lua_pushinteger(lua, static_cast<lua_Integer>(from_.schema.version));
        lua_pushinteger(lua, static_cast<lua_Integer>(to_.schema.version));
        lua_pushlightuserdata(lua, old.data());
        lua_pushlightuserdata(lua, made.data());
        const ComponentRegistry& registry = mod_.runtime.world().registry();
        for (const ComponentInfo* type : {&from_, &to_}) {
            if (is_first)
                push_component(lua, *type, registry);
            else
                lua_pushnil(lua);
        }
        if (auto error = state.call(7, 0)) return Error{error->text()};
        return {};
    }

    ScriptMod& mod_;
    const ComponentInfo from_;  ///< as if the world of the script declared it
    const ComponentInfo& to_;
    World& saved_;
    bool has_begun_ = false;
};

bool has_functions(ScriptMod& mod, ComponentId type) {
    lua_State* const lua = mod.state->lua();
    mod.state->push_runtime("schema", "has_migrations");
    lua_pushinteger(lua, type.index);
    if (mod.state->call(1, 1)) return false;
    const bool has = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return has;
}

}  // namespace

MigrateValue migration_of_saved(ScriptRuntime& runtime, const Schema& before, const ComponentInfo& now,
                                World& saved) {
    if (before.version >= now.schema.version) return {};
    for (ScriptMod* const mod : runtime.mods()) {
        const bool is_declared_by = std::ranges::find(mod->types, now.id) != mod->types.end();
        if (!is_declared_by || mod->state == nullptr || mod->has_failed || mod->state->is_given_up())
            continue;
        if (!has_functions(*mod, now.id)) return {};
        Result<ComponentInfo> from = runtime.world().registry().prepare(before);
        if (!from) {
            return [error = from.error()](const ComponentInfo&, const std::byte*, const ComponentInfo&,
                                          std::byte*) -> Result<void> { return error; };
        }
        const auto migration = std::make_shared<Migration>(*mod, std::move(from).value(), now, saved);
        return [migration](const ComponentInfo&, const std::byte* old, const ComponentInfo&,
                           std::byte* made) { return migration->run(old, made); };
    }
    return {};
}

}  // namespace perigee
