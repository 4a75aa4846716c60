// Everything that a state receives. This function is here because it needs every file of this folder.
#include "scripting/mods/internal/mod_state.h"

#include "ecs/world/run_scope.h"
#include "scripting/base/internal/shared_limit.h"
#include "scripting/base/native_module.h"
#include "scripting/host/internal/buffer_api.h"
#include "scripting/host/internal/check_host.h"
#include "scripting/host/internal/content_api.h"
#include "scripting/host/internal/event_api.h"
#include "scripting/host/internal/mod_host.h"
#include "scripting/host/internal/schedule_host.h"
#include "scripting/host/internal/side_world_host.h"
#include "scripting/host/internal/world_api.h"
#include "scripting/host/internal/world_constants.h"
#include "scripting/host/internal/world_host.h"
#include "scripting/mods/internal/object_api.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"

#include <lua.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace perigee {

namespace {

// The same ones for every state of the process.
std::span<const NativeFunction> library_functions() {
    static const std::vector<NativeFunction> functions = [] {
        std::vector<NativeFunction> all = internal::world_functions();
        std::ranges::move(internal::content_functions(), std::back_inserter(all));
        std::ranges::move(internal::buffer_functions(), std::back_inserter(all));
        std::ranges::move(internal::object_functions(), std::back_inserter(all));
        std::ranges::move(internal::event_functions(), std::back_inserter(all));
        return all;
    }();
    return functions;
}

}  // namespace

namespace internal {

Result<void> make_state(ScriptMod& mod, SharedLimit& lua_memory) {
    const ScriptRuntimeConfig& config = mod.runtime.config();
    ScriptStateConfig state_config;
    state_config.mod = mod.name;
    state_config.files = mod.files;
    state_config.seed = config.seed;
    state_config.limits = mod.limits;
    if (!mod.is_root()) state_config.lua_memory = &lua_memory;
    state_config.watches_compiler = config.watches_compiler;
    state_config.is_interpreted = config.is_interpreted;
    state_config.is_trusted = mod.is_trusted;
    if (config.log) {
        state_config.log = [&config](const LogEntry& entry) {
            wait_for_turn();
            config.log(entry);
        };
    }
    state_config.modules = mod.modules;
    state_config.library = library_functions();
    state_config.constants = world_constants();
    state_config.extend_host = [&mod](lua_State* lua) {
        extend_host(lua, mod);
        extend_host_with_mods(lua, mod);
        extend_host_with_switches(lua, mod);
        extend_host_with_side_worlds(lua, mod);
        if (mod.runtime.config().declarations != nullptr) extend_host_with_checks(lua, mod);
        lua_pushboolean(lua, mod.runtime.config().checks_presentation ? 1 : 0);
        lua_setfield(lua, -2, "checks_presentation");
        lua_pushboolean(lua, mod.is_root() ? 0 : 1);
        lua_setfield(lua, -2, "is_mod");
    };
    Result<std::unique_ptr<ScriptState>> made = ScriptState::create(std::move(state_config));
    if (!made) return made.error();
    mod.state = std::move(made).value();
    if (!mod.text_root) mod.detach_values();
    return {};
}

}  // namespace internal

}  // namespace perigee
