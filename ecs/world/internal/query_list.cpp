// Linear search by description: worlds have tens of queries, each created once.
#include "ecs/world/internal/query_list.h"

#include "ecs/archetype/archetype_graph.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/memory_quota.h"

#include <cstdint>
#include <new>
#include <utility>

namespace perigee::internal {

Result<Query*> QueryList::require(const QueryDesc& desc, ArchetypeGraph& graph) {
    const auto guard = lock();
    for (const std::unique_ptr<Query>& known : queries_) {
        if (known->desc() == desc) return known.get();
    }
    if (Result<void> checked = check_query(desc, registry_); !checked) return checked.error();
    auto made = std::make_unique<Query>(desc, registry_, shared_, relations_);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        made->add_archetype(graph.at(static_cast<std::uint32_t>(i)));
    }
    const std::size_t bytes = made->bytes();
    if (!may_take(MemoryKind::queries, bytes)) return Error{errors::memory_refused(MemoryKind::queries)};
    queries_.push_back(std::move(made));
    bytes_ += bytes;
    return queries_.back().get();
}

void QueryList::add_archetype(Archetype& archetype) {
    std::size_t asked = 0;
    try {
        std::size_t bytes = 0;
        for (; asked < queries_.size(); ++asked) {
            const std::size_t before = queries_[asked]->bytes();
            queries_[asked]->add_archetype(archetype);
            bytes += queries_[asked]->bytes() - before;
        }
        if (!may_take(MemoryKind::queries, bytes)) throw std::bad_alloc();
        bytes_ += bytes;
    } catch (...) {
        while (asked > 0) queries_[--asked]->remove_archetype(archetype);
        throw;
    }
}

void QueryList::forget_dormant() noexcept {
    for (const std::unique_ptr<Query>& query : queries_) {
        const std::size_t before = query->bytes();
        query->forget_dormant();
        bytes_ -= before - query->bytes();
    }
}

std::vector<std::unique_ptr<Query>> QueryList::made_for(std::span<Archetype* const> archetypes) const {
    std::vector<std::unique_ptr<Query>> made;
    made.reserve(queries_.size());
    for (const std::unique_ptr<Query>& query : queries_) {
        made.push_back(std::make_unique<Query>(query->desc(), registry_, shared_, relations_));
        for (Archetype* const archetype : archetypes) made.back()->add_archetype(*archetype);
    }
    return made;
}

void QueryList::exchange(std::span<const std::unique_ptr<Query>> made) noexcept {
    for (std::size_t i = 0; i < queries_.size(); ++i) {
        bytes_ += made[i]->bytes() - queries_[i]->bytes();
        queries_[i]->exchange(*made[i]);
    }
}

}  // namespace perigee::internal
