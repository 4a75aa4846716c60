// Changes to all entities that a query matches, by whole archetypes, chunks and columns.
//
// Invariant: the result is that of the single calls on each entity, except for the order of rows. If the
// target has the same columns as the source, as with tags, shared and chunk components, whole chunks are
// moved: no row is copied and no record written.
#include "ecs/base/contract.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <new>

namespace perigee {

namespace {

// A snapshot of the query's archetypes with rows: a change creates new ones, which may match too, and moves
// rows to others of the list.
struct MatchedRows {
    Archetype* archetype;
    std::size_t count;
};
// None when memory is exhausted.
std::vector<MatchedRows> rows_of(const Query& query) noexcept {
    std::vector<MatchedRows> rows;
    if (!internal::try_reserve(rows, query.matches().size())) return {};
    for (const QueryMatch& match : query.matches()) {
        const std::size_t count = match.archetype->entity_count();
        if (count != 0) rows.push_back({match.archetype, count});
    }
    return rows;
}

// For queries that filter rows and not only archetypes: one entity after another. None if memory runs out
// while collecting them.
template <typename Function> std::size_t count_done(const Query& query, Function&& change) {
    std::vector<Entity> entities;
    try {
        entities = query.entities();
    } catch (const std::bad_alloc&) {
        return 0;
    }
    std::size_t done = 0;
    for (const Entity entity : entities) done += change(entity) ? 1 : 0;
    return done;
}

// None when memory is exhausted.
std::vector<Entity> entities_of(const Archetype& archetype) noexcept {
    std::vector<Entity> entities;
    if (!internal::try_reserve(entities, archetype.entity_count())) return {};
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        const ChunkSlot& slot = archetype.chunks()[chunk];
        entities.insert(entities.end(), Archetype::entities(slot),
                        Archetype::entities(slot) + slot.row_count);
    }
    return entities;
}

// Copies `count` enabled bits, from one row on, to another place.
void copy_bits(const std::uint64_t* source, std::uint32_t from, std::uint64_t* target, std::uint32_t to,
               std::uint32_t count) noexcept {
    for (std::uint32_t i = 0; i < count; ++i) {
        internal::set_row_bit(target, to + i, internal::row_bit(source, from + i));
    }
}

}  // namespace

std::size_t World::add_all(const Query& query, ComponentId component, const void* value) {
    begin_structural_change();
    if (component == graph_.destroyed_tag()) return 0;
    const ComponentValue given{component, static_cast<const std::byte*>(value)};
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return add(entity, component, value); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (archetype->is_destroyed()) continue;
        if (archetype->has(component)) {
            const bool has_value = value != nullptr && registry_.value_bytes(component) != 0;
            // Rows that came from earlier archetypes are counted there.
            done += has_value ? std::min(count, set_rows(*archetype, component, value)) : count;
            continue;
        }
        const ArchetypeTransition* transition = graph_.adding(*archetype, component);
        if (transition != nullptr) done += change_archetype(*archetype, *transition, given);
    }
    return done;
}

std::size_t World::remove_all(const Query& query, ComponentId component) {
    begin_structural_change();
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return remove(entity, component); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (!archetype->has(component)) {
            done += count;
        } else if (archetype->is_destroyed() || graph_.is_hooked(component)) {
            for (const Entity entity : entities_of(*archetype)) done += remove(entity, component) ? 1 : 0;
        } else if (const ArchetypeTransition* transition = graph_.removing(*archetype, component)) {
            done += change_archetype(*archetype, *transition, {component, nullptr});
        }
    }
    return done;
}

std::size_t World::set_all(const Query& query, ComponentId component, const void* value) {
    begin_structural_change();
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return set(entity, component, value); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (archetype->has(component)) done += set_rows(*archetype, component, value);
    }
    return done;
}

std::size_t World::set_enabled_all(const Query& query, ComponentId component, bool is_enabled) {
    begin_structural_change();
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return set_enabled(entity, component, is_enabled); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        const ColumnPlace place = graph_.column_place(archetype->index(), component);
        if (place.mask == 0) continue;
        const std::uint32_t slot = place.has_column() ? place.column : archetype->mask_slot(place.column);
        for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
            const ChunkSlot& rows = archetype->chunks()[chunk];
            auto* words = reinterpret_cast<std::uint64_t*>(rows.data) + place.mask;
            for (std::uint32_t row = 0; row < rows.row_count; row += 64) {
                const std::uint32_t bits = std::min(64u, rows.row_count - row);
                const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
                words[row / 64] = is_enabled ? all : 0;
            }
            archetype->set_version(chunk, slot, change_version_);
        }
        done += count;
    }
    return done;
}

std::size_t World::destroy_all(const Query& query) {
    begin_structural_change();
    const bool is_hooked =
        std::any_of(query.matches().begin(), query.matches().end(), [](const QueryMatch& match) {
            return match.archetype->is_hooked() && match.archetype->entity_count() != 0;
        });
    if (!query.is_plain() || is_hooked) {
        // With handlers too: a death may move others to an archetype that was visited, or destroy them.
        std::vector<Entity> entities = query.entities();
        std::erase_if(entities, [this](Entity entity) { return !is_alive(entity); });
        for (const Entity entity : entities) destroy(entity);
        return static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(),
                                                      [this](Entity entity) { return !is_alive(entity); }));
    }
    std::size_t destroyed = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (!archetype->is_destroyed()) destroyed += destroy_rows(*archetype);
    }
    return destroyed;
}

void World::clear() {
    begin_structural_change();
    // Again while it helps: a handler may move an entity to an archetype that was emptied before.
    for (std::size_t before = SIZE_MAX;
         !remove_handlers_.empty() && entity_count_ != 0 && entity_count_ < before;) {
        before = entity_count_;
        for (std::size_t i = 0; i < graph_.size(); ++i)
            destroy_rows(graph_.at(static_cast<std::uint32_t>(i)));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) free_rows(graph_.at(static_cast<std::uint32_t>(i)));
}

std::size_t World::destroy_rows(Archetype& archetype) {
    const std::size_t count = archetype.entity_count();
    if (archetype.is_destroyed() || count == 0) return 0;
    if (archetype.is_hooked()) {
        std::size_t destroyed = 0;
        for (const Entity entity : entities_of(archetype)) destroyed += destroy(entity) ? 1 : 0;
        return destroyed;
    }
    if (archetype.has_cleanup()) {
        const ArchetypeTransition* transition = graph_.destroying(archetype);
        return transition == nullptr ? 0 : change_archetype(archetype, *transition, {});
    }
    free_rows(archetype);
    return count;
}

// Frees the ids chunk by chunk and then releases all chunks at once: no row is moved.
void World::free_rows(Archetype& archetype) {
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        const ChunkSlot& slot = archetype.chunks()[chunk];
        note_gone(archetype, {chunk, 0, slot.row_count});
        for (std::uint32_t row = 0; archetype.is_hooked() && row < slot.row_count; ++row) {
            tell_keepers(Archetype::entities(slot)[row], archetype.components());
        }
        release_cells(archetype, archetype.owning_columns(), slot, 0, slot.row_count);
        index_.release_all(Archetype::entities(slot), slot.row_count);
    }
    if (!archetype.is_destroyed()) entity_count_ -= archetype.entity_count();
    archetype.clear();
}

// ---- values in place ----

// One value for all rows. Returns how many have it.
std::size_t World::set_rows(Archetype& archetype, ComponentId component, const void* value) {
    const ColumnPlace place = graph_.column_place(archetype.index(), component);
    const std::uint32_t bytes = registry_.value_bytes(component);
    if (place.is_shared()) return regroup(archetype, component, value);
    if (bytes == 0) return 0;
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        if (place.is_chunk_value()) {
            archetype.set_version(chunk, archetype.chunk_value_slot(place.column), change_version_);
            internal::copy_value(archetype.chunk_value(chunk, place.column),
                                 static_cast<const std::byte*>(value), bytes);
            continue;
        }
        const ChunkSlot& slot = archetype.chunks()[chunk];
        archetype.set_version(chunk, place.column, change_version_);
        internal::fill_values(slot.data + std::size_t{place.line} * kCacheLine,
                              static_cast<const std::byte*>(value), bytes, slot.row_count);
    }
    return archetype.entity_count();
}

// All rows to the partitions with this shared value, others of their values kept.
std::size_t World::regroup(Archetype& archetype, ComponentId component, const void* value) {
    const ArchetypeTransition* transition = graph_.between(archetype, archetype);
    if (transition == nullptr) return 0;
    return change_archetype(archetype, *transition, {component, static_cast<const std::byte*>(value)});
}

// ---- moving ----

// All rows of an archetype along a transition. Returns how many arrived: all, unless memory is exhausted.
std::size_t World::change_archetype(Archetype& source, const ArchetypeTransition& transition,
                                    const ComponentValue& given) {
    Archetype& target = *transition.target;
    if (&target == &source && !given.component.is_valid()) return source.entity_count();
    const std::span<const ComponentValue> all_given(&given, given.component.is_valid() ? 1 : 0);
    const bool is_adoptable = target.has_same_columns(source) &&
                              target.is_destroyed() == source.is_destroyed() && !transition.is_reported;
    // A value for a chunk component applies to the moved chunks, not to existing ones.
    const bool sets_chunk_value = given.value != nullptr && target.chunk_value_of(given.component) >= 0;
    const std::size_t count = source.entity_count();
    std::size_t done = 0;
    bool is_complete = true;
    // Starts with the last chunk, so that removed chunks do not renumber those still to be visited.
    for (std::uint32_t chunk = source.chunk_count(); chunk-- > 0;) {
        const ChunkSlot slot = source.chunks()[chunk];
        const std::uint32_t partition = target_partition(transition, source, slot.partition, all_given);
        is_complete = partition != kNoPartition;
        if (!is_complete) break;
        if (&target == &source && partition == slot.partition) {
            done += slot.row_count;
            continue;
        }
        std::size_t moved = 0;
        if (is_adoptable &&
            (sets_chunk_value || slot.row_count == source.capacity() || !target.has_room(partition))) {
            moved = target.adopt_chunk(source, chunk, partition, change_version_) ? slot.row_count : 0;
            if (sets_chunk_value && moved != 0) {
                write_given(target.chunks()[target.chunk_count() - 1], 0, target, all_given);
            }
        } else {
            moved = move_chunk(source, chunk, transition, partition, given);
            source.drop_if_empty(chunk);  // at once: the next rows go to memory that is still in the cache
        }
        target.drop_partition(partition);
        done += moved;
        is_complete = moved == slot.row_count;
        if (!is_complete) break;
    }
    return is_complete ? count : done;
}

// The rows of one chunk into runs of rows of the target, column by column. Returns how many found room; the
// others stay. An emptied chunk is left for drop_if_empty.
std::size_t World::move_chunk(Archetype& source, std::uint32_t chunk, const ArchetypeTransition& transition,
                              std::uint32_t partition, const ComponentValue& given) {
    Archetype& target = *transition.target;
    const ChunkSlot old = source.chunks()[chunk];
    std::uint32_t done = 0;
    while (done < old.row_count) {
        const Archetype::Run run = target.append(old.row_count - done, change_version_, partition);
        if (run.count == 0) break;
        const ChunkSlot slot = target.chunks()[run.chunk];
        const Entity* entities = Archetype::entities(old) + done;
        std::copy_n(entities, run.count, Archetype::entities(slot) + run.row);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const Location place(slot.unit, run.row + i);
            if (target.is_destroyed()) {
                index_.hold(entities[i], place);
            } else {
                index_.place(entities[i], place);
            }
        }
        transition.copies.copy_rows(old.data, done, slot.data, run.row, run.count);
        transition.also_added.fill_rows(target.default_image(), slot.data, run.row, run.count);
        if (const internal::CopyPlan::Op& added = transition.added; added.size != 0) {
            const bool has_value = given.value != nullptr && registry_.value_bytes(given.component) != 0;
            internal::fill_values(slot.data + added.target_offset + std::size_t{run.row} * added.size,
                                  has_value ? given.value : target.default_image() + added.source_offset,
                                  added.size, run.count);
        }
        for (const ArchetypeTransition::Mask& mask : transition.masks) {
            copy_bits(reinterpret_cast<const std::uint64_t*>(old.data + mask.source_offset), done,
                      reinterpret_cast<std::uint64_t*>(slot.data + mask.target_offset), run.row, run.count);
        }
        if (transition.is_reported) note_moved(transition, {chunk, done, run.count});
        release_cells(source, transition.released, old, done, run.count);
        done += run.count;
    }
    if (target.is_destroyed() && !source.is_destroyed()) entity_count_ -= done;
    source.leave(chunk, done, change_version_, [this, &source](Entity entity, Location place) {
        source.is_destroyed() ? index_.hold(entity, place) : index_.place(entity, place);
    });
    return done;
}

}  // namespace perigee
