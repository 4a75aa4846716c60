// Lists of sources that are linked through their slots, so that reading a chunk again allocates nothing.
#include "ecs/query/relation_index.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perigee {

RelationIndex::RelationIndex(const ComponentRegistry& registry, const ArchetypeGraph& graph,
                             EntityIndex& entities, const UnitTable& units, const ChunkPool& pool,
                             Stamp stamp)
    : registry_(registry),
      graph_(graph),
      entities_(entities),
      units_(units),
      pool_(pool),
      stamp_(std::move(stamp)) {}

void RelationIndex::add(ComponentId component) {
    if (relation_of(component) != nullptr) return;
    entities_.note_deaths();
    Relation added;
    added.component = component;
    added.offset = target_offset(registry_.info(component).schema);
    const auto place = std::find_if(relations_.begin(), relations_.end(), [component](const Relation& other) {
        return component < other.component;
    });
    relations_.insert(place, std::move(added));
}

void RelationIndex::reset() {
    relations_.clear();
    for (std::uint16_t i = 0; i < registry_.size(); ++i) {
        if (registry_.info(ComponentId{i}).schema.index) add(ComponentId{i});
    }
    looks_for_all_ = true;
}

RelationIndex::Relation* RelationIndex::relation_of(ComponentId component) noexcept {
    for (Relation& relation : relations_) {
        if (relation.component == component) return &relation;
    }
    return nullptr;
}

// ---- reading chunks

void RelationIndex::refresh(Relation& relation) {
    bool has_read = false;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
        const ColumnPlace place = graph_.column_place(i, relation.component);
        if (!place.has_column()) continue;
        const Archetype& archetype = graph_.at(i);
        if (archetype.is_destroyed()) continue;
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            if (archetype.version(chunk, place.column) < relation.read_at) continue;
            const ChunkSlot& slot = archetype.chunks()[chunk];
            read_chunk(relation, slot, slot.data + std::size_t{place.line} * kCacheLine + relation.offset,
                       place.size);
            has_read = true;
        }
    }
    if (has_read) relation.read_at = stamp_();
}

void RelationIndex::read_chunk(Relation& relation, const ChunkSlot& slot, const std::byte* targets,
                               std::uint32_t stride) {
    const std::uint32_t slots = entities_.slot_count();
    if (relation.links.size() < slots) {
        relation.used.reserve(std::size_t{slots} + 1);
        relation.lists.resize(slots);
        relation.links.resize(slots);
    }
    const Entity* const sources = Archetype::entities(slot);
    for (std::uint32_t row = 0; row < slot.row_count; ++row, targets += stride) {
        Entity target;
        std::memcpy(&target, targets, sizeof target);
        const Entity source = sources[row];
        const Link& known = relation.links[source.index()];
        if (known.source == source && known.target == target) continue;
        if (target && is_dead(target)) relation.late.push_back(source.index());
        unlink(relation, source.index());
        link(relation, source, target);
    }
}

// ---- lists

RelationIndex::List& RelationIndex::list_of(Relation& relation, Entity target) noexcept {
    return target.index() < relation.lists.size() ? relation.lists[target.index()] : relation.beyond;
}

void RelationIndex::link(Relation& relation, Entity source, Entity target) noexcept {
    const std::uint32_t slot = source.index();
    relation.links[slot] = {source, target};
    if (!target) return;
    List& list = list_of(relation, target);
    if (list.first == kNone) {
        list.target = target;
        list.is_mixed = false;
        if (&list != &relation.beyond) {
            list.used_place = static_cast<std::uint32_t>(relation.used.size());
            relation.used.push_back(target.index());
        }
    } else {
        list.is_mixed = list.is_mixed || list.target != target;
        relation.links[slot].next = list.first;
        relation.links[list.first].previous = slot;
    }
    list.first = slot;
}

void RelationIndex::unlink(Relation& relation, std::uint32_t slot) noexcept {
    Link& link = relation.links[slot];
    if (link.target) {
        if (link.next != kNone) relation.links[link.next].previous = link.previous;
        if (link.previous != kNone) {
            relation.links[link.previous].next = link.next;
        } else {
            // The list may have been made when there were fewer slots.
            List* list = &list_of(relation, link.target);
            if (list->first != slot) list = &relation.beyond;
            list->first = link.next;
            if (link.next == kNone && list != &relation.beyond) {
                const std::uint32_t last = relation.used.back();
                relation.used[list->used_place] = last;
                relation.lists[last].used_place = list->used_place;
                relation.used.pop_back();
            }
        }
    }
    link = Link{};
}

bool RelationIndex::is_current(const Relation& relation, const Link& link,
                               Location& location) const noexcept {
    if (!entities_.find(link.source, location)) return false;
    const ColumnPlace place = graph_.column_place(units_.archetype[location.unit()], relation.component);
    if (!place.has_column()) return false;
    Entity target;
    std::memcpy(&target,
                pool_.address(location.unit()) + std::size_t{place.line} * kCacheLine +
                    std::size_t{location.row()} * place.size + relation.offset,
                sizeof target);
    return target == link.target;
}

// Calls fn(Entity, Location) for each source of the target, and drops entries that are out of date.
template <typename Function>
void RelationIndex::each_source(Relation& relation, List& list, Entity target, Function&& fn) {
    for (std::uint32_t slot = list.first; slot != kNone;) {
        const Link link = relation.links[slot];
        if (link.target == target) {
            Location location;
            if (is_current(relation, link, location)) {
                fn(link.source, location);
            } else {
                unlink(relation, slot);
            }
        }
        slot = link.next;
    }
}

template <typename Function>
void RelationIndex::each_source(ComponentId component, Entity target, Function&& fn) {
    Relation* const relation = relation_of(component);
    if (relation == nullptr || !target) return;
    const std::lock_guard guard(mutex_);
    refresh(*relation);
    if (target.index() < relation->lists.size())
        each_source(*relation, relation->lists[target.index()], target, fn);
    each_source(*relation, relation->beyond, target, fn);
}

// ---- look-ups

void RelationIndex::find(ComponentId relation, Entity target, std::vector<Entity>& found) {
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    each_source(relation, target, [&found](Entity source, Location) { found.push_back(source); });
    std::sort(found.begin() + first, found.end(), [](Entity a, Entity b) { return a.index() < b.index(); });
}

std::size_t RelationIndex::count(ComponentId relation, Entity target) {
    std::size_t count = 0;
    each_source(relation, target, [&count](Entity, Location) { ++count; });
    return count;
}

void RelationIndex::find_rows(ComponentId relation, Entity target, std::vector<Location>& found) {
    each_source(relation, target, [&found](Entity, Location location) { found.push_back(location); });
}

// ---- dead targets

bool RelationIndex::is_dead(Entity target) const noexcept {
    return !entities_.is_alive(target) && !entities_.is_reserved(target);
}

void RelationIndex::add_orphans(Relation& relation, List& list, std::vector<Orphan>& found) {
    if (list.first == kNone || (!list.is_mixed && !is_dead(list.target))) return;
    for (std::uint32_t slot = list.first; slot != kNone;) {
        const Link link = relation.links[slot];
        Location location;
        if (is_dead(link.target)) {
            if (is_current(relation, link, location)) {
                found.push_back({relation.component, link.source});
            } else {
                unlink(relation, slot);
            }
        }
        slot = link.next;
    }
}

void RelationIndex::add_all_orphans(Relation& relation, std::vector<Orphan>& found) {
    // Dropping an entry may take the last member out of `used`; from the end, no other place is skipped.
    for (std::size_t i = relation.used.size(); i-- > 0;)
        add_orphans(relation, relation.lists[relation.used[i]], found);
    add_orphans(relation, relation.beyond, found);
}

void RelationIndex::add_new_orphans(Relation& relation, std::vector<Orphan>& found) {
    for (const Entity dead : dead_) {
        const auto add = [&](Entity source, Location) { found.push_back({relation.component, source}); };
        if (dead.index() < relation.lists.size())
            each_source(relation, relation.lists[dead.index()], dead, add);
    }
    for (const std::uint32_t slot : relation.late) {
        const Link& link = relation.links[slot];
        Location location;
        if (link.target && is_dead(link.target) && is_current(relation, link, location))
            found.push_back({relation.component, link.source});
    }
}

void RelationIndex::find_orphans(bool reads_chunks, std::vector<Orphan>& found) {
    const std::lock_guard guard(mutex_);
    const auto order = [](const Orphan& orphan) { return std::pair(orphan.relation, orphan.source.index()); };
    if (!entities_.take_deaths(dead_)) looks_for_all_ = true;
    const bool finds_all = std::exchange(looks_for_all_, true);  // unless this ends well
    for (Relation& relation : relations_) {
        if (reads_chunks) refresh(relation);
        if (finds_all) {
            add_all_orphans(relation, found);
        } else {
            add_new_orphans(relation, found);
        }
        relation.late.clear();
    }
    std::sort(found.begin(), found.end(),
              [&order](const Orphan& a, const Orphan& b) { return order(a) < order(b); });
    found.erase(std::unique(found.begin(), found.end(),
                            [&order](const Orphan& a, const Orphan& b) { return order(a) == order(b); }),
                found.end());
    looks_for_all_ = false;
}

}  // namespace perigee
