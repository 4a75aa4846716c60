// From PerigeeSystem to SystemDesc, and from chunk views to PerigeeChunk.
#include "engine/plugin/internal/plugin_system.h"

#include "ecs/parallel/parallel_commands.h"
#include "ecs/parallel/parallel_query.h"
#include "engine/base/error_codes.h"
#include "engine/plugin/internal/plugin_host.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

/// The stored part of a PerigeeSystem.
struct Callbacks {
    const PluginHost* host;
    void* user;
    PerigeeCall run;
    PerigeeChunkCall run_chunk;
    bool is_parallel;
    std::vector<int> query_terms;  ///< by term of the plugin: which of the query; -1: none
};

Result<void> call(const Callbacks& callbacks, PerigeeCall function, SystemContext& system) {
    PluginContext context(*callbacks.host, system, system.commands, false);
    const int status = function(&context, callbacks.user);
    return result_of(context, status);
}

// The start of a term's rows, or the value that all of them share.
void* column_of(const ChunkView& view, int term) {
    if (term < 0) return nullptr;
    const auto index = static_cast<std::size_t>(term);
    if (view.owning_type(index) != nullptr) return nullptr;
    if (const std::byte* shared = view.shared_data(index)) return const_cast<std::byte*>(shared);
    if (std::byte* value = view.chunk_value_data(index)) return value;
    return view.column_data(index);
}

Result<void> call_chunk(const Callbacks& callbacks, const ChunkView& view, SystemContext& system,
                        CommandBuffer& commands) {
    std::array<void*, PERIGEE_MAX_TERMS> columns;
    for (std::size_t i = 0; i < callbacks.query_terms.size(); ++i)
        columns[i] = column_of(view, callbacks.query_terms[i]);
    static_assert(sizeof(PerigeeEntity) == sizeof(Entity));
    const PerigeeChunk chunk{view.row_count(), view.index_in_query(),
                             reinterpret_cast<const PerigeeEntity*>(view.entities().data()), columns.data(),
                             view.enabled_words()};
    PluginContext context(*callbacks.host, system, commands, callbacks.is_parallel);
    const int status = callbacks.run_chunk(&context, &chunk, callbacks.user);
    return result_of(context, status);
}

Result<void> run_chunks(const Callbacks& callbacks, SystemContext& system) {
    Result<void> result;
    system.world.each_chunk(*system.query, [&](const ChunkView& view) {
        if (result.ok()) result = call_chunk(callbacks, view, system, system.commands);
    });
    return result;
}

Result<void> run_chunks_in_parallel(const Callbacks& callbacks, SystemContext& system) {
    ParallelCommands writer(system.commands, system.workers != nullptr ? system.workers->lane_count() : 1);
    std::mutex mutex;
    std::uint32_t failed = std::numeric_limits<std::uint32_t>::max();
    Result<void> result;
    const auto visit = [&](const ChunkView& view, std::uint32_t worker) {
        const std::uint32_t index = view.index_in_query();
        Result<void> called = call_chunk(callbacks, view, system, writer.at(worker, index));
        if (called.ok()) return;
        const std::lock_guard lock(mutex);
        if (index < failed) result = std::move(called);
        failed = std::min(failed, index);
    };
    if (system.workers != nullptr) {
        each_chunk_parallel(system.world, *system.query, *system.workers, visit);
    } else {
        system.world.each_chunk(*system.query, [&](const ChunkView& view) { visit(view, 0); });
    }
    if (result.ok()) writer.finish();
    return result;
}

Result<void> add_term(SystemDesc& desc, Callbacks& callbacks, const PerigeeTerm& term) {
    const ComponentId id{term.component};
    if (id.index >= callbacks.host->world.registry().size())
        return Error{fmt::format(e::kPluginTermType, desc.name, term.component)};
    int place = -1;
    switch (term.access) {
        case PERIGEE_READ:
        case PERIGEE_WRITE:
        case PERIGEE_OPTIONAL_READ:
        case PERIGEE_OPTIONAL_WRITE: {
            const bool is_write = term.access == PERIGEE_WRITE || term.access == PERIGEE_OPTIONAL_WRITE;
            place = static_cast<int>(desc.query.terms.size());
            desc.query.terms.push_back(
                {id, is_write ? Access::write : Access::read, term.access >= PERIGEE_OPTIONAL_READ});
            break;
        }
        case PERIGEE_WITHOUT:
            desc.query.without.push_back(id);
            break;
        case PERIGEE_ALSO_READ:
            desc.access.read.push_back(id);
            break;
        case PERIGEE_ALSO_WRITE:
            desc.access.write.push_back(id);
            break;
        default:
            return Error{fmt::format(e::kPluginAccess, desc.name, term.access)};
    }
    callbacks.query_terms.push_back(place);
    return {};
}

Result<void> add_terms(SystemDesc& desc, Callbacks& callbacks, const PerigeeTerm* terms,
                       std::uint32_t count) {
    if (count > PERIGEE_MAX_TERMS || (count != 0 && terms == nullptr))
        return Error{fmt::format(e::kPluginTerms, desc.name, PERIGEE_MAX_TERMS, count)};
    for (std::uint32_t i = 0; i < count; ++i)
        if (Result<void> added = add_term(desc, callbacks, terms[i]); !added) return added;
    return {};
}

/// A job, and the declaration that the host's functions check its accesses against.
struct JobCallbacks : Callbacks {
    SystemDesc declared;
};

// Calls a function of a job as if it were a parallel system that records no commands.
template <typename Function>
Result<void> call_job(const JobCallbacks& job, const JobContext& given, Function&& function) {
    CommandBuffer closed(given.world);
    closed.close();
    const SystemContext& starter = given.starter;
    SystemContext own{given.world,     closed, starter.events, starter.random, given.query, given.time,
                      starter.elapsed, 0,      &job.declared};
    Result<void> result = function(own, closed);
    if (result && closed.refused_count() != 0)
        return Error{fmt::format(e::kPluginJobCommands, job.declared.name)};
    return result;
}

Result<void> add_names(std::vector<std::string>& names, const char* const* from, std::uint32_t count,
                       const std::string& system) {
    for (std::uint32_t i = 0; i < count; ++i) {
        if (from == nullptr || from[i] == nullptr) return Error{fmt::format(e::kPluginOrder, system)};
        names.emplace_back(from[i]);
    }
    return {};
}

}  // namespace

Result<GroupDesc> group_of_plugin(const PerigeeGroup* group) {
    if (group == nullptr || group->name == nullptr) return Error{e::kPluginGroupWithoutName};
    GroupDesc desc;
    desc.name = group->name;
    if (group->group != nullptr) desc.group = group->group;
    desc.every = group->every;
    for (const Result<void>& added : {add_names(desc.before, group->before, group->before_count, desc.name),
                                      add_names(desc.after, group->after, group->after_count, desc.name)})
        if (!added) return added.error();
    return desc;
}

Result<SystemDesc> system_of_plugin(const PluginHost& host, const PerigeeSystem* system) {
    if (system == nullptr || system->name == nullptr) return Error{e::kPluginSystemWithoutName};
    SystemDesc desc;
    desc.name = system->name;
    if (system->run == nullptr && system->run_chunk == nullptr)
        return Error{fmt::format(e::kPluginNothingToRun, desc.name)};
    if (system->group != nullptr) desc.group = system->group;
    desc.every = system->every;
    for (const Result<void>& added : {add_names(desc.before, system->before, system->before_count, desc.name),
                                      add_names(desc.after, system->after, system->after_count, desc.name)})
        if (!added) return added.error();

    Callbacks made{&host, system->user, system->run, system->run_chunk, system->is_parallel != 0, {}};
    if (Result<void> added = add_terms(desc, made, system->terms, system->term_count); !added)
        return added.error();
    if (made.run_chunk != nullptr && desc.query.terms.empty())
        return Error{fmt::format(e::kPluginNoRows, desc.name)};
    desc.needs_rows = made.run == nullptr;

    const auto callbacks = std::make_shared<const Callbacks>(std::move(made));
    desc.run = [callbacks](SystemContext& context) -> Result<void> {
        if (callbacks->run != nullptr) {
            Result<void> called = call(*callbacks, callbacks->run, context);
            if (!called) return called;
        }
        if (callbacks->run_chunk == nullptr) return {};
        return callbacks->is_parallel ? run_chunks_in_parallel(*callbacks, context)
                                      : run_chunks(*callbacks, context);
    };
    const auto stage_of_life = [&callbacks](PerigeeCall function) -> SystemFunction {
        if (function == nullptr) return {};
        return [callbacks, function](SystemContext& context) { return call(*callbacks, function, context); };
    };
    desc.on_create = stage_of_life(system->on_create);
    desc.on_start = stage_of_life(system->on_start);
    desc.on_stop = stage_of_life(system->on_stop);
    desc.on_destroy = stage_of_life(system->on_destroy);
    return desc;
}

Result<JobDesc> job_of_plugin(const PluginHost& host, const PerigeeJob* job) {
    if (job == nullptr || job->name == nullptr) return Error{e::kPluginJobWithoutName};
    JobCallbacks made{{&host, job->user, job->run, job->run_chunk, true, {}}, {}};
    made.declared.name = job->name;
    if (Result<void> added = add_terms(made.declared, made, job->terms, job->term_count); !added)
        return added.error();
    const auto callbacks = std::make_shared<const JobCallbacks>(std::move(made));
    JobDesc desc{.name = job->name, .query = callbacks->declared.query, .access = callbacks->declared.access};
    if (job->run != nullptr) {
        desc.run = [callbacks](const JobContext& given) {
            return call_job(*callbacks, given, [&](SystemContext& own, CommandBuffer& closed) {
                PluginContext context(*callbacks->host, own, closed, true);
                return result_of(context, callbacks->run(&context, callbacks->user));
            });
        };
    }
    if (job->run_chunk != nullptr) {
        desc.run_chunk = [callbacks](const JobContext& given, ChunkView& view) {
            return call_job(*callbacks, given, [&](SystemContext& own, CommandBuffer& closed) {
                return call_chunk(*callbacks, view, own, closed);
            });
        };
    }
    return desc;
}

}  // namespace perigee::internal
