// Gathering from the states and the systems of a runtime.
#include "scripting/mods/mod_usage.h"

#include "scripting/mods/internal/loaded_mods.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/script_system.h"
#include "scripting/sandbox/state.h"

namespace perigee {

std::vector<ModUsage> ScriptRuntime::usage() const {
    std::vector<ModUsage> all;
    for (const auto& mod : mods_->all()) {
        ModUsage& usage = all.emplace_back();
        usage.mod = mod->name;
        usage.has_loaded = !mod->has_failed;
        for (const MemoryKind kind : kAllMemoryKinds) usage.world_bytes[kind] = mod->share.charged(kind);
        usage.object_bytes = mod->share.own_bytes(internal::OwnMemory::objects);
        usage.command_bytes = mod->share.own_bytes(internal::OwnMemory::commands);
        usage.system_bytes = mod->share.own_bytes(internal::OwnMemory::systems);
        usage.observed_bytes = mod->share.own_bytes(internal::OwnMemory::observed);
        usage.side_world_bytes = mod->share.own_bytes(internal::OwnMemory::side_worlds);
        usage.max_world_bytes = mod->share.max_bytes();
        usage.entities = mod->share.entities();
        usage.max_entities = mod->share.max_entities();
        if (mod->state == nullptr) continue;
        usage.memory_bytes = mod->state->memory_bytes();
        usage.peak_bytes = mod->state->peak_bytes();
        usage.jit = mod->state->jit_health();
        for (const auto& system : mod->systems) usage.systems.push_back(system->usage());
    }
    return all;
}

UsageOfAllMods ScriptRuntime::usage_of_all() const noexcept {
    const internal::SharedLimit& memory = std::as_const(*mods_).lua_memory();
    const internal::SharedLimit& time = mods_->load_time();
    return {memory.used(), memory.limit(), static_cast<double>(time.used()) * 1e-6,
            static_cast<double>(time.limit()) * 1e-6};
}

}  // namespace perigee
