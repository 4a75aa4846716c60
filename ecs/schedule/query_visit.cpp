// Marks written columns itself, after a look at their versions; rows in an order are marked when they are
// sorted.
#include "ecs/schedule/query_visit.h"

#include "ecs/archetype/archetype.h"
#include "ecs/base/contract.h"
#include "ecs/schema/registry.h"
#include "ecs/world/internal/log_access.h"

#include <cstddef>

namespace perigee {

void QueryVisit::begin(const Query& query, ChangeVersion since) {
    ECS_EXPECTS(query.is_of(world_.registry()), "a query of another world");
    end();
    const ChangeVersion version = world_.change_version();
    // A nested loop begins many visits of one query in a run, and all access the same data.
    if (logged_query_ != &query || logged_version_ != version) internal::log_visit(world_, query, since);
    logged_query_ = &query;
    logged_version_ = version;
    before_.resize(query.desc().terms.size());
    query_ = &query;
    since_ = since;
    if (query.desc().order_by) {
        visit_.emplace(query, version, since);
    } else {
        visit_.emplace(query, since);
    }
    lock_.emplace(world_);
}

bool QueryVisit::next() {
    if (!visit_) return false;
    if (!visit_->next()) {
        end();
        return false;
    }
    if (!query_->desc().order_by) mark_written();
    return true;
}

void QueryVisit::end() noexcept {
    visit_.reset();
    lock_.reset();
}

void QueryVisit::mark_written() noexcept {
    const QueryMatch& match = visit_->match();
    const std::uint32_t chunk = visit_->view().chunk_index();
    const ChangeVersion version = world_.change_version();
    const std::vector<QueryTerm>& terms = query_->desc().terms;
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const TermPlace& place = match.terms[term];
        if (terms[term].access != Access::write || !place.is_present) continue;
        before_[term] = place.version(*match.archetype, chunk);
        if (place.version_slot != kNoColumn) match.archetype->set_version(chunk, place.version_slot, version);
    }
}

bool QueryVisit::changed(ComponentId component) noexcept {
    ECS_EXPECTS(is_open() && !query_->desc().order_by);
    const QueryMatch& match = visit_->match();
    const std::vector<QueryTerm>& terms = query_->desc().terms;
    for (std::size_t term = 0; term < terms.size(); ++term) {
        if (terms[term].component != component) continue;
        if (!match.terms[term].is_present) return false;
        if (terms[term].access == Access::write) return before_[term] > since_;
        return match.terms[term].version(*match.archetype, visit_->view().chunk_index()) > since_;
    }
    const TermPlace place = place_of(*match.archetype, component);
    return place.is_present && place.version(*match.archetype, visit_->view().chunk_index()) > since_;
}

bool QueryVisit::rows_changed() noexcept {
    ECS_EXPECTS(is_open() && !query_->desc().order_by);
    return visit_->match().archetype->chunks()[visit_->view().chunk_index()].rows_version > since_;
}

}  // namespace perigee
