// The host's side of plugin_abi.h: the functions passed to a plugin.
//
// Invariant: no exception leaves a function here, and wrong arguments of a plugin cause a message and never a
// contract violation, as far as the host can detect them. Not here: loading and unloading (plugin.cpp).
#pragma once

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/plugin/plugin_abi.h"
#include "scripting/sandbox/state.h"

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// The plugin's PerigeeHost.
struct PluginHost : PerigeeHost {
    /// `abi`: the version the plugin was built for.
    PluginHost(std::uint32_t abi, World& of_world, Schedule& of_schedule, LogSink to_log, std::string plugin);

    World& world;
    Schedule& schedule;
    LogSink log_sink;
    std::string name;                   ///< of the plugin
    bool is_open = false;               ///< perigee_plugin is running: types and systems may be declared
    std::vector<std::string> mistakes;  ///< made while open
    std::vector<SystemId> systems;
    std::vector<std::string> jobs;
    std::mutex log_mutex;  ///< its systems may run in parallel
};

/// The PerigeeContext of a system call: one per call, on the caller's stack.
struct PluginContext : PerigeeContext {
    PluginContext(const PluginHost& of_host, SystemContext& of_system, CommandBuffer& into,
                  bool shares_system) noexcept;

    SystemContext& system;
    CommandBuffer& commands;
    bool is_parallel;    ///< other calls of the same run are active in parallel
    std::string reason;  ///< of a failure; empty: none was given
};

/// The result of the call: `status` is its return value.
Result<void> result_of(const PluginContext& context, int status);

// ---- for the functions passed to a plugin

inline PluginContext& context_of(PerigeeContext* context) noexcept {
    return *static_cast<PluginContext*>(context);
}

/// The first reason counts.
void fail_run(PluginContext& context, std::string reason);

/// Running out of memory is an ordinary failure; no caller could catch an exception.
template <typename Body> void guarded(PluginContext& context, Body&& body) noexcept {
    try {
        body();
    } catch (const std::exception& exception) {
        fail_run(context, exception.what());
    }
}

/// True if it is a type of this world and, in a system with declared accesses, a declared one.
bool may_use(PluginContext& context, PerigeeComponent component, Access access);

/// True if commands may use this component, and its value, if given, is plain bytes.
bool may_command(PluginContext& context, PerigeeComponent component, bool has_value);

}  // namespace perigee::internal
