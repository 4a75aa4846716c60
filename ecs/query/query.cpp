// Checks descriptions, matches archetypes against them, and resolves places once.
#include "ecs/query/query.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/suggest.h"
#include "ecs/query/relation_index.h"
#include "ecs/query/sorted_rows.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/shared_store.h"

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

const Leaf* leaf_of(const ComponentInfo& info, const std::string& path) {
    const auto found = std::find_if(info.leaves.begin(), info.leaves.end(),
                                    [&](const Leaf& leaf) { return leaf.path == path; });
    return found == info.leaves.end() ? nullptr : &*found;
}

bool is_ordered(FieldType type) noexcept { return is_scalar(type) && type != FieldType::asset; }

Result<void> check_kind(const ComponentInfo& info) {
    if (is_component_kind(info.kind())) return {};
    return Error{errors::query_of_kind(info.schema.name, kind_name(info.kind()))};
}

Result<void> check_order(const QueryDesc& desc, const ComponentRegistry& registry) {
    const OrderBy& order = *desc.order_by;
    const ComponentInfo& info = registry.info(order.component);
    const bool is_term = std::any_of(desc.terms.begin(), desc.terms.end(), [&](const QueryTerm& term) {
        return term.component == order.component && !term.is_optional;
    });
    if (!is_term) return Error{errors::order_without_term(info.schema.name)};
    if (!info.has_column() || info.kind() == ComponentKind::buffer || info.kind() == ComponentKind::object) {
        return Error{errors::order_of_kind(info.schema.name, kind_name(info.kind()))};
    }
    const Leaf* leaf = leaf_of(info, order.field);
    if (leaf != nullptr && is_ordered(leaf->type)) return {};
    std::vector<std::string_view> known;
    for (const Leaf& other : info.leaves) {
        if (is_ordered(other.type)) known.push_back(other.path);
    }
    return Error{errors::order_of_field(info.schema.name, order.field, nearest_name(order.field, known))};
}

Result<void> check_shared(const QueryDesc& desc, const ComponentRegistry& registry) {
    for (std::size_t i = 0; i < desc.shared.size(); ++i) {
        const SharedFilter& filter = desc.shared[i];
        ECS_EXPECTS(filter.component.index < registry.size(), filter.component.index);
        const ComponentInfo& info = registry.info(filter.component);
        if (!is_shared_kind(info.kind())) {
            return Error{errors::shared_filter_of_kind(info.schema.name, kind_name(info.kind()))};
        }
        if (filter.value.size() != info.schema.size) {
            return Error{errors::shared_filter_size(info.schema.name, info.schema.size, filter.value.size())};
        }
        for (std::size_t other = 0; other < i; ++other) {
            if (desc.shared[other].component == filter.component)
                return Error{errors::query_names_twice(info.schema.name)};
        }
    }
    return {};
}

Result<void> check_related(const QueryDesc& desc, const ComponentRegistry& registry) {
    for (std::size_t i = 0; i < desc.related.size(); ++i) {
        const ComponentId relation = desc.related[i].relation;
        ECS_EXPECTS(relation.index < registry.size(), relation.index);
        const Schema& schema = registry.info(relation).schema;
        if (!schema.index) return Error{errors::related_of_kind(schema.name)};
        for (std::size_t other = 0; other < i; ++other) {
            if (desc.related[other].relation == relation)
                return Error{errors::query_names_twice(schema.name)};
        }
    }
    return {};
}

}  // namespace

Result<void> check_query(const QueryDesc& desc, const ComponentRegistry& registry) {
    std::vector<ComponentId> named;
    named.reserve(desc.terms.size() + desc.any.size() + desc.without.size());
    for (const QueryTerm& term : desc.terms) named.push_back(term.component);
    named.insert(named.end(), desc.any.begin(), desc.any.end());
    named.insert(named.end(), desc.without.begin(), desc.without.end());
    std::vector<ComponentId> all = named;
    all.insert(all.end(), desc.changed.begin(), desc.changed.end());
    for (const ComponentId id : all) {
        ECS_EXPECTS(id.index < registry.size(), id.index);
        if (Result<void> checked = check_kind(registry.info(id)); !checked) return checked;
    }
    std::sort(named.begin(), named.end());
    if (const auto twice = std::adjacent_find(named.begin(), named.end()); twice != named.end()) {
        return Error{errors::query_names_twice(registry.info(*twice).schema.name)};
    }
    if (Result<void> checked = check_shared(desc, registry); !checked) return checked;
    if (Result<void> checked = check_related(desc, registry); !checked) return checked;
    if (!desc.order_by) return {};
    ECS_EXPECTS(desc.order_by->component.index < registry.size(), desc.order_by->component.index);
    return check_order(desc, registry);
}

Query::Query(QueryDesc desc, const ComponentRegistry& registry, const SharedStore& values,
             RelationIndex& relations)
    : desc_(std::move(desc)), registry_(registry), values_(values), relations_(relations) {
    const auto asks_for_destroyed = [&](ComponentId component) {
        const ComponentInfo& info = registry.info(component);
        return is_cleanup_kind(info.kind()) || info.schema.name == kDestroyedName;
    };
    bool has_row_filter = false;
    for (std::size_t term = 0; term < desc_.terms.size(); ++term) {
        const QueryTerm& named = desc_.terms[term];
        if (named.access == Access::write) written_terms_.push_back(static_cast<std::uint32_t>(term));
        term_bytes_.push_back(registry.row_bytes(named.component));
        wants_destroyed_ = wants_destroyed_ || asks_for_destroyed(named.component);
        has_row_filter = has_row_filter || (!named.is_optional && filters_rows(named.component));
        if (!desc_.order_by || desc_.order_by->component != named.component) continue;
        const Leaf* leaf = leaf_of(registry.info(named.component), desc_.order_by->field);
        ECS_EXPECTS(leaf != nullptr, desc_.order_by->field);
        order_ = Order{static_cast<std::uint32_t>(term), leaf->offset, leaf->size, leaf->type,
                       desc_.order_by->is_descending};
    }
    for (const ComponentId component : desc_.any) {
        wants_destroyed_ = wants_destroyed_ || asks_for_destroyed(component);
        has_row_filter = has_row_filter || filters_rows(component);
    }
    for (const ComponentId component : desc_.without) {
        has_row_filter = has_row_filter || filters_rows(component);
    }
    for (const SharedFilter& filter : desc_.shared) {
        wants_destroyed_ = wants_destroyed_ || asks_for_destroyed(filter.component);
    }
    is_plain_ =
        desc_.changed.empty() && desc_.shared.empty() && desc_.related.empty() && !order_ && !has_row_filter;
}

// ---- matching archetypes

bool Query::filters_rows(ComponentId component) const noexcept {
    return !desc_.include_disabled && registry_.info(component).kind() == ComponentKind::enableable;
}

bool Query::matches(const Archetype& archetype) const noexcept {
    if (archetype.is_destroyed() && !wants_destroyed_) return false;
    const auto is_there = [&](ComponentId component) { return archetype.has(component); };
    return std::all_of(desc_.terms.begin(), desc_.terms.end(),
                       [&](const QueryTerm& term) { return term.is_optional || is_there(term.component); }) &&
           (desc_.any.empty() || std::any_of(desc_.any.begin(), desc_.any.end(), is_there)) &&
           (desc_.changed.empty() || std::any_of(desc_.changed.begin(), desc_.changed.end(), is_there)) &&
           std::all_of(desc_.shared.begin(), desc_.shared.end(),
                       [&](const SharedFilter& filter) { return is_there(filter.component); }) &&
           std::all_of(desc_.related.begin(), desc_.related.end(),
                       [&](const RelatedFilter& filter) { return is_there(filter.relation); }) &&
           std::none_of(desc_.without.begin(), desc_.without.end(), [&](ComponentId component) {
               return is_there(component) && !filters_rows(component);
           });
}

RowFilter Query::row_filter_of(const Archetype& archetype) const {
    const auto mask_offset = [&](ComponentId component) { return place_of(archetype, component).mask; };
    RowFilter filter;
    for (const QueryTerm& term : desc_.terms) {
        if (!term.is_optional && filters_rows(term.component))
            filter.required.push_back(mask_offset(term.component));
    }
    for (const ComponentId component : desc_.without) {
        if (filters_rows(component) && archetype.has(component))
            filter.excluded.push_back(mask_offset(component));
    }
    for (const ComponentId component : desc_.any) {
        if (!archetype.has(component)) continue;
        if (!filters_rows(component)) {
            filter.any.clear();  // Present in every row, so the other components do not matter.
            break;
        }
        filter.any.push_back(mask_offset(component));
    }
    return filter;
}

void Query::add_archetype(Archetype& archetype) {
    if (!matches(archetype)) return;
    internal::reserve_more(matches_, matches_.size() + 1);
    internal::reserve_more(resolved_, resolved_.size() + 1);
    auto resolved = std::make_unique<Resolved>();
    std::vector<TermPlace>& places = resolved->places;
    for (const QueryTerm& term : desc_.terms) {
        places.push_back(place_of(archetype, term.component));
        places.back().is_read_only = term.access == Access::read;
    }
    for (const ComponentId component : desc_.changed) places.push_back(place_of(archetype, component));
    for (const SharedFilter& filter : desc_.shared) places.push_back(place_of(archetype, filter.component));
    for (TermPlace& place : places) {
        if (place.is_shared)
            place.size = registry_.info(archetype.shared_components()[place.side_index]).schema.size;
    }
    resolved->rows = row_filter_of(archetype);
    const TermPlace* changed = places.data() + desc_.terms.size();
    matches_.push_back(QueryMatch{&archetype, places.data(), changed, changed + desc_.changed.size(),
                                  resolved->rows.is_empty() ? nullptr : &resolved->rows, &values_,
                                  &registry_.types(), static_cast<std::uint32_t>(desc_.terms.size())});
    resolved_.push_back(std::move(resolved));
}

void Query::remove_archetype(const Archetype& archetype) noexcept {
    if (matches_.empty() || matches_.back().archetype != &archetype) return;
    matches_.pop_back();
    resolved_.pop_back();
}

void Query::forget_dormant() noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < matches_.size(); ++i) {
        if (matches_[i].archetype->is_dormant()) continue;
        matches_[kept] = matches_[i];
        resolved_[kept].swap(resolved_[i]);
        ++kept;
    }
    matches_.resize(kept);
    resolved_.resize(kept);
}

void Query::exchange(Query& other) noexcept {
    std::swap(desc_, other.desc_);
    std::swap(written_terms_, other.written_terms_);
    std::swap(term_bytes_, other.term_bytes_);
    std::swap(order_, other.order_);
    std::swap(is_plain_, other.is_plain_);
    std::swap(wants_destroyed_, other.wants_destroyed_);
    std::swap(matches_, other.matches_);
    std::swap(resolved_, other.resolved_);
}

// ---- counting

std::uint64_t Query::entity_count(ChangeVersion since) const {
    std::uint64_t count = 0;
    if (is_plain_) {
        for (const QueryMatch& match : matches_) count += match.archetype->entity_count();
    } else {
        for (FilteredVisit visit(*this, since); visit.next();) count += visit.passing_rows();
    }
    return count;
}

std::uint32_t Query::stored_chunk_count() const noexcept {
    std::uint32_t count = 0;
    for (const QueryMatch& match : matches_) count += match.archetype->chunk_count();
    return count;
}

std::uint32_t Query::chunk_count(ChangeVersion since) const {
    std::uint32_t count = 0;
    if (order_) {
        SortedRows rows(*this);
        rows.collect(0, since);
        count = rows.chunk_count();
    } else if (is_plain_) {
        count = stored_chunk_count();
    } else {
        for (FilteredVisit visit(*this, since); visit.next();) ++count;
    }
    return count;
}

std::vector<Entity> Query::entities(ChangeVersion since) const {
    std::vector<Entity> all;
    for (FilteredVisit visit(*this, since); visit.next();) {
        const std::span<const Entity> rows = visit.view().entities();
        visit.view().for_each_run([&](std::uint32_t first, std::uint32_t last) {
            all.insert(all.end(), rows.begin() + first, rows.begin() + last);
        });
    }
    return all;
}

}  // namespace perigee
