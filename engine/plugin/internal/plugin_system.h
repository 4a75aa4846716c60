// Converts a plugin's system to a system of the schedule, and its job to a named job.
//
// Invariant: the SystemDesc contains copies of everything that the plugin passed, except its functions and
// user pointer. A parallel system visits all of its chunks even if one fails, and reports the failure of the
// first one in order, so the result does not depend on the number of threads.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schedule/named_jobs.h"
#include "ecs/schedule/system.h"
#include "engine/plugin/plugin_abi.h"

namespace perigee::internal {

struct PluginHost;

/// Lifetime of the description: must not outlive the host and the loaded plugin.
/// Errors: no name, no function, too many terms, invalid terms. Not checked here: what the schedule and the
/// query check.
Result<SystemDesc> system_of_plugin(const PluginHost& host, const PerigeeSystem* system);

/// The same for a job. What NamedJobs::add checks is not checked here.
Result<JobDesc> job_of_plugin(const PluginHost& host, const PerigeeJob* job);

/// Errors: no name, names that are null.
Result<GroupDesc> group_of_plugin(const PerigeeGroup* group);

}  // namespace perigee::internal
