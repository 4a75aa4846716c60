// Named jobs: work in C++ that is declared once and started by systems of C++ and Lua, by name.
//
//     NamedJobs::of(world).add({.name = "flow field", .query = …, .run_chunk = …});
//     …
//     JobHandle flow = NamedJobs::of(world).start("flow field", context, {}).value();
//     JobHandle paths = NamedJobs::of(world).start("paths", context, {{flow}}).value();
//     context.jobs->complete(paths);
//
// Invariant: a job accesses what it declares, and a system starts only jobs whose accesses it declares too,
// so the schedule knows about them. Otherwise its jobs are like those that it schedules itself (jobs.h): they
// run on any thread, in the order of their dependencies, and end with the system at the latest. Not here:
// what the starting system may access meanwhile, which is left to it in C++ and nothing in Lua.
#pragma once

#include "ecs/parallel/jobs.h"
#include "ecs/schedule/system.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// What a named job may use. Valid for the call.
struct JobContext {
    World& world;
    Query* query;  ///< null when the job declared none
    TickTime time;
    /// The context of the system that started the job. Its commands, events and random stream belong to the
    /// system's own thread.
    const SystemContext& starter;
};

struct JobDesc {
    std::string name;  ///< unique in the world; a plugin's jobs are "plugin:name"
    QueryDesc query = {};
    AccessDesc access = {};
    /// Once, before the chunks. An error fails the job, and those that depend on it.
    std::function<Result<void>(const JobContext&)> run = {};
    /// For each chunk that the query has when the job starts, on several threads at once. Of several errors,
    /// that of the first chunk counts.
    std::function<Result<void>(const JobContext&, ChunkView&)> run_chunk = {};
};

class NamedJobs {
public:
    /// The named jobs of a world, which owns them.
    static NamedJobs& of(World& world);

    /// Errors: a name that is empty or taken, nothing to run, chunks without a query, an invalid query,
    /// objects and events, which are for one thread.
    /// Expects: no system is running.
    Result<void> add(World& world, JobDesc desc);
    /// False if there is none. Expects: no system is running.
    bool remove(std::string_view name);
    /// Null if there is none. Lifetime: until it is removed.
    const JobDesc* find(std::string_view name) const;

    /// Starts a job that runs after the jobs in `after`. Its failure is thrown by Jobs::complete.
    /// Errors: an unknown name, an access that the system did not declare.
    /// Expects: called in a run of a system, with its context and handles of this run.
    Result<JobHandle> start(std::string_view name, const SystemContext& context,
                            std::span<const JobHandle> after = {}) const;

private:
    struct Entry {
        JobDesc desc;
        Query* query = nullptr;
        std::vector<ComponentId> reads, writes;  ///< that the starting system must declare
        std::vector<Query*> written;             ///< one for the rows of each written component
    };
    const Entry* entry(std::string_view name) const;

    std::map<std::string, Entry, std::less<>> jobs_;
};

}  // namespace perigee
