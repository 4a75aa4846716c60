// A plugin's system as a system of the schedule.
//
// Invariant: the SystemDesc holds copies of all that the plugin passed, but for its functions and its user
// pointer. A parallel system visits all of its chunks even when one fails, and tells the failure of the first
// one in order, so that what comes out does not depend on the number of threads.
#pragma once

#include "ecs/result.h"
#include "ecs/system.h"
#include "engine/plugin_abi.h"

namespace perigee::internal {

struct PluginHost;

/// Lifetime of the description: within that of the host and of the loaded plugin.
/// Errors: no name, nothing to run, too many terms, terms that make no sense. What the schedule and the query
/// check is left to them.
Result<SystemDesc> system_of_plugin(const PluginHost& host, const PerigeeSystem* system);

/// Errors: no name, names that are null.
Result<GroupDesc> group_of_plugin(const PerigeeGroup* group);

}  // namespace perigee::internal
