// Matching archetypes against a description and resolving columns once.
#include "ecs/query.h"

#include <algorithm>

namespace perigee {

Query::Query(QueryDesc desc) : desc_(std::move(desc)) {
    for (std::size_t term = 0; term < desc_.terms.size(); ++term) {
        if (desc_.terms[term].access == Access::write)
            written_terms_.push_back(static_cast<std::uint32_t>(term));
    }
}

bool Query::matches(const Archetype& archetype) const noexcept {
    const auto is_there = [&](ComponentId component) { return archetype.has(component); };
    return std::all_of(desc_.terms.begin(), desc_.terms.end(),
                       [&](const QueryTerm& term) { return term.is_optional || is_there(term.component); }) &&
           (desc_.any.empty() || std::any_of(desc_.any.begin(), desc_.any.end(), is_there)) &&
           std::none_of(desc_.without.begin(), desc_.without.end(), is_there);
}

void Query::consider(Archetype& archetype) {
    if (!matches(archetype)) return;
    const std::size_t terms = desc_.terms.size();
    auto resolved = std::make_unique<std::uint32_t[]>(terms * 2);
    for (std::size_t term = 0; term < terms; ++term) {
        const int column = archetype.column_of(desc_.terms[term].component);
        resolved[term] =
            column < 0 ? kNoColumn : archetype.layout().columns[static_cast<std::size_t>(column)].offset;
        resolved[terms + term] = column < 0 ? kNoColumn : static_cast<std::uint32_t>(column);
    }
    matches_.push_back(QueryMatch{&archetype, resolved.get(), resolved.get() + terms});
    resolved_.push_back(std::move(resolved));
}

std::uint64_t Query::entity_count() const noexcept {
    std::uint64_t count = 0;
    for (const QueryMatch& match : matches_) count += match.archetype->entity_count();
    return count;
}

std::uint32_t Query::chunk_count() const noexcept {
    std::uint32_t count = 0;
    for (const QueryMatch& match : matches_) count += match.archetype->chunk_count();
    return count;
}

}  // namespace perigee
