// A start is two jobs at most: `run`, and the chunks after it.
#include "ecs/schedule/named_jobs.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "ecs/query/canonical_columns.h"
#include "ecs/schedule/internal/stage_plan.h"
#include "ecs/schema/registry.h"
#include "ecs/world/world.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace perigee {

namespace {

// Jobs report errors by exceptions, see Jobs::complete.
void throw_error(const Result<void>& result, const std::string& job) {
    if (!result) throw std::runtime_error(errors::job_failed(job, result.error().message));
}

std::vector<ComponentId> named_by(const JobDesc& job) {
    std::vector<ComponentId> named = job.access.read;
    named.insert(named.end(), job.access.write.begin(), job.access.write.end());
    for (const QueryTerm& term : job.query.terms) named.push_back(term.component);
    return named;
}

// What the job accesses, like a system with the same query. Presence alone is not an access.
internal::StageMember accesses_of(const JobDesc& job, const ComponentRegistry& registry) {
    const auto is_only_presence = [&](ComponentId id) {
        return registry.info(id).kind() != ComponentKind::enableable;
    };
    SystemDesc as_system;
    as_system.query = job.query;
    std::erase_if(as_system.query.any, is_only_presence);
    std::erase_if(as_system.query.without, is_only_presence);
    as_system.access = job.access;
    internal::StageMember member = internal::stage_member(as_system, registry);
    std::erase_if(member.reads,
                  [&](ComponentId id) { return registry.info(id).kind() == ComponentKind::tag; });
    return member;
}

}  // namespace

NamedJobs& NamedJobs::of(World& world) { return world.part<NamedJobs>(); }

Result<void> NamedJobs::add(World& world, JobDesc desc) {
    if (desc.name.empty()) return Error{errors::job_without_name()};
    if (entry(desc.name) != nullptr) return Error{errors::job_exists(desc.name)};
    if (!desc.run && !desc.run_chunk) return Error{errors::job_does_nothing(desc.name)};
    if (desc.run_chunk && desc.query.terms.empty()) return Error{errors::job_without_query(desc.name)};
    for (const ComponentId component : named_by(desc)) {
        const ComponentInfo& info = world.registry().info(component);
        if (info.kind() == ComponentKind::object || info.kind() == ComponentKind::event)
            return Error{errors::job_cannot_use(desc.name, info.schema.name, kind_name(info.kind()))};
    }
    Entry made;
    if (desc.query != QueryDesc{}) {
        const Result<Query*> query = world.query(desc.query);
        if (!query) return Error{errors::job_query(desc.name, query.error().message)};
        made.query = query.value();
    }
    internal::StageMember accesses = accesses_of(desc, world.registry());
    made.reads = std::move(accesses.reads);
    made.writes = std::move(accesses.writes);
    for (const ComponentId component : made.writes) {
        if (!is_component_kind(world.registry().info(component).kind())) continue;
        QueryDesc of_component;
        of_component.terms = {{component}};
        const Result<Query*> rows = world.query(of_component);
        if (!rows) return Error{errors::job_query(desc.name, rows.error().message)};
        made.written.push_back(rows.value());
    }
    std::string name = desc.name;
    made.desc = std::move(desc);
    jobs_.emplace(std::move(name), std::move(made));
    return {};
}

bool NamedJobs::remove(std::string_view name) {
    const auto found = jobs_.find(name);
    if (found == jobs_.end()) return false;
    jobs_.erase(found);
    return true;
}

const NamedJobs::Entry* NamedJobs::entry(std::string_view name) const {
    const auto found = jobs_.find(name);
    return found == jobs_.end() ? nullptr : &found->second;
}

const JobDesc* NamedJobs::find(std::string_view name) const {
    const Entry* const found = entry(name);
    return found == nullptr ? nullptr : &found->desc;
}

Result<JobHandle> NamedJobs::start(std::string_view name, const SystemContext& context,
                                   std::span<const JobHandle> after) const {
    ECS_EXPECTS(context.jobs != nullptr && context.system != nullptr, "a job started outside of a system");
    const Entry* const job = entry(name);
    if (job == nullptr) {
        std::vector<std::string_view> known;
        known.reserve(jobs_.size());
        for (const auto& [other, unused] : jobs_) known.push_back(other);
        return Error{errors::unknown_job(name, nearest_name(name, known))};
    }
    const SystemDesc& system = *context.system;
    for (const Access access : {Access::write, Access::read}) {
        for (const ComponentId component : access == Access::write ? job->writes : job->reads) {
            if (is_undeclared(system) || declares(system, component, access)) continue;
            const std::string& missing = context.world.registry().info(component).schema.name;
            return Error{errors::job_undeclared(system.name, name, missing, access == Access::write)};
        }
    }
    // A script may have written the same columns in this run, with the same version.
    for (const Query* rows : job->written) forget_canonical(*rows);
    Jobs& jobs = *context.jobs;
    const JobContext given{context.world, job->query, context.time, context};
    JobHandle last = after.empty() ? JobHandle{} : jobs.combine(after);
    if (job->desc.run)
        last = jobs.schedule([job, given] { throw_error(job->desc.run(given), job->desc.name); }, {last});
    if (job->desc.run_chunk) {
        last = jobs.schedule_chunks(*job->query,
                                    [job, given](ChunkView& chunk) {
                                        throw_error(job->desc.run_chunk(given, chunk), job->desc.name);
                                    },
                                    {last});
    }
    return last;
}

}  // namespace perigee
