// The host's side of plugin_abi.h: what the functions that a plugin is handed do.
//
// Invariant: no exception leaves a function here, and wrong arguments of a plugin end in a message and never
// in a broken contract, as far as a host can tell them. Loading and unloading is plugin.cpp.
#pragma once

#include "ecs/schedule.h"
#include "ecs/world.h"
#include "engine/plugin_abi.h"
#include "scripting/state.h"

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// What a plugin knows as its PerigeeHost.
struct PluginHost : PerigeeHost {
    /// `abi`: what the plugin was built for.
    PluginHost(std::uint32_t abi, World& of_world, Schedule& of_schedule, LogSink to_log, std::string plugin);

    World& world;
    Schedule& schedule;
    LogSink log_sink;
    std::string name;                   ///< of the plugin
    bool is_open = false;               ///< perigee_plugin is running: types and systems may be declared
    std::vector<std::string> mistakes;  ///< made while open
    std::vector<SystemId> systems;
    std::mutex log_mutex;  ///< its systems may run side by side
};

/// What a call of a system knows as its PerigeeContext: one per call, on the caller's stack.
struct PluginContext : PerigeeContext {
    PluginContext(const PluginHost& of_host, SystemContext& of_system, CommandBuffer& into,
                  bool shares_system) noexcept;

    SystemContext& system;
    CommandBuffer& commands;
    bool is_one_of_many;  ///< other calls of the same run at the same time
    std::string reason;   ///< of a failure; empty: none was given
};

/// What the call came to: `status` is what it returned.
Result<void> result_of(const PluginContext& context, int status);

// ---- for the functions that a plugin is handed

inline PluginContext& context_of(PerigeeContext* context) noexcept {
    return *static_cast<PluginContext*>(context);
}

/// The first reason counts.
void fail_run(PluginContext& context, std::string reason);

/// Memory that runs out is a failure like others; there is nobody above who could catch it.
template <typename Body> void guarded(PluginContext& context, Body&& body) noexcept {
    try {
        body();
    } catch (const std::exception& exception) {
        fail_run(context, exception.what());
    }
}

/// Is it a type of this world, and, in a system that declares what it touches, a declared one?
bool may_use(PluginContext& context, PerigeeComponent component, Access access);

/// May commands name this component, and are its values, if there is one, plain bytes?
bool may_command(PluginContext& context, PerigeeComponent component, bool has_value);

}  // namespace perigee::internal
