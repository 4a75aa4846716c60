// The queries of a world: each description once, and the archetypes that each matches.
//
// Invariant: every query knows every archetype. Queries are never destroyed. Systems that run in parallel may
// both ask for a query that does not exist yet; the list is locked then, and only then.
#pragma once

#include "ecs/base/result.h"
#include "ecs/query/query.h"
#include "ecs/world/run_scope.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace perigee {
class Archetype;
class ArchetypeGraph;
class ComponentRegistry;
class SharedStore;
}  // namespace perigee

namespace perigee::internal {

class QueryList {
public:
    QueryList(const World& world, const ComponentRegistry& registry, const SharedStore& shared,
              RelationIndex& relations) noexcept
        : world_(world), registry_(registry), shared_(shared), relations_(relations) {}

    /// See World::query.
    Result<Query*> require(const QueryDesc& desc, ArchetypeGraph& graph);
    /// Shows a new archetype to all queries. Throws std::bad_alloc, and then none of them knows it.
    void add_archetype(Archetype& archetype);
    /// Removes the dormant archetypes from all queries.
    void forget_dormant() noexcept;
    /// Each query as it would be with these archetypes, in order of creation. Throws std::bad_alloc.
    std::vector<std::unique_ptr<Query>> made_for(std::span<Archetype* const> archetypes) const;
    /// Swaps the contents with those of made_for.
    void exchange(std::span<const std::unique_ptr<Query>> made) noexcept;

    /// All queries in order of creation. Lifetime: until the next one is created.
    std::span<const std::unique_ptr<Query>> all() const noexcept { return queries_; }
    /// The bytes of all queries, including their data per archetype.
    std::size_t bytes() const noexcept { return bytes_; }

    /// Kept by the caller while it works with `typed`; empty outside parallel systems.
    std::unique_lock<std::recursive_mutex> lock() {
        const RunScope* const scope = run_scope(world_);
        if (scope == nullptr || !scope->is_parallel()) return {};
        return std::unique_lock(mutex_);
    }
    /// The query of a C++ parameter list, by type_number of the list; null before it is created.
    std::vector<Query*>& typed() noexcept { return typed_; }

private:
    const World& world_;
    const ComponentRegistry& registry_;
    const SharedStore& shared_;
    RelationIndex& relations_;
    std::vector<std::unique_ptr<Query>> queries_;
    std::size_t bytes_ = 0;
    std::recursive_mutex mutex_;
    std::vector<Query*> typed_;
};

}  // namespace perigee::internal
