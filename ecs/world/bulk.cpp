// Changes to all entities that a query matches, by whole archetypes, chunks and columns.
//
// Invariant: the result is that of the single calls on each entity, except for the order of rows. If the
// target has the same columns as the source, as with tags, shared and chunk components, whole chunks are
// moved: no row is copied and no record written.
#include "ecs/world/bulk.h"

#include "ecs/archetype/internal/row_cells.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/world/internal/follow_up_work.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/internal/row_recorder.h"
#include "ecs/world/internal/row_runs.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <new>
#include <vector>

namespace perigee {

namespace {

void expect_own(const World& world, const Query& query) {
    ECS_EXPECTS(query.is_of(world.registry()), "a query of another world");
}

// A snapshot of the query's archetypes with rows. A change may create archetypes that also match, and moves
// rows to other archetypes of the list.
struct MatchedRows {
    Archetype* archetype;
    std::size_t count;
};
// Empty when memory is exhausted.
std::vector<MatchedRows> rows_of(const Query& query) noexcept {
    std::vector<MatchedRows> rows;
    if (!internal::try_reserve(rows, query.matches().size())) return {};
    for (const QueryMatch& match : query.matches()) {
        const std::size_t count = match.archetype->entity_count();
        if (count != 0) rows.push_back({match.archetype, count});
    }
    return rows;
}

// For queries that filter rows: the entities, which are then changed one by one. Empty if memory runs out
// while collecting them.
template <typename Function> std::size_t count_done(const Query& query, Function&& change) {
    std::vector<Entity> entities;
    try {
        entities = query.entities();
    } catch (const std::bad_alloc&) {
        return 0;
    }
    std::size_t done = 0;
    for (const Entity entity : entities) {
        if (change(entity)) ++done;
    }
    return done;
}

// Empty when memory is exhausted.
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

// Copies `count` enabled bits, starting at a row, to another place.
void copy_bits(const std::uint64_t* source, std::uint32_t from, std::uint64_t* target, std::uint32_t to,
               std::uint32_t count) noexcept {
    for (std::uint32_t i = 0; i < count; ++i) {
        internal::set_row_bit(target, to + i, internal::row_bit(source, from + i));
    }
}

// ---- moving rows ----

// Moves the rows of one chunk into runs of rows of the target, column by column. Returns how many were moved;
// the others stay. An empty chunk is left for drop_if_empty.
std::size_t move_chunk(internal::EntityStore& store, Archetype& source, std::uint32_t chunk,
                       const ArchetypeEdge& edge, std::uint32_t partition, const ComponentValue& given) {
    Archetype& target = *edge.target;
    const ChunkSlot old = source.chunks()[chunk];
    std::uint32_t done = 0;
    while (done < old.row_count) {
        const Archetype::Run run = target.append(old.row_count - done, store.version(), partition);
        if (run.count == 0) break;
        const ChunkSlot slot = target.chunks()[run.chunk];
        const Entity* entities = Archetype::entities(old) + done;
        std::copy_n(entities, run.count, Archetype::entities(slot) + run.row);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const Location place(slot.unit, run.row + i);
            store.index().place(entities[i], place, target.is_destroyed());
        }
        edge.copies.copy_rows(old.data, done, slot.data, run.row, run.count);
        edge.also_added.fill_rows(target.default_image(), slot.data, run.row, run.count);
        if (const internal::CopyPlan::Op& added = edge.added; added.size != 0) {
            const bool has_value =
                given.value != nullptr && store.registry().value_bytes(given.component) != 0;
            internal::fill_values(slot.data + added.target_offset + std::size_t{run.row} * added.size,
                                  has_value ? given.value : target.default_image() + added.source_offset,
                                  added.size, run.count);
        }
        for (const ArchetypeEdge::Mask& mask : edge.masks) {
            copy_bits(reinterpret_cast<const std::uint64_t*>(old.data + mask.source_offset), done,
                      reinterpret_cast<std::uint64_t*>(slot.data + mask.target_offset), run.row, run.count);
        }
        if (edge.is_reported) store.recorder().moved(edge, {chunk, done, run.count});
        store.cells().release(source, edge.released, old, done, run.count);
        done += run.count;
    }
    if (target.is_destroyed() && !source.is_destroyed()) store.count_destroyed(done);
    source.leave(chunk, done, store.version(), [&store, &source](Entity entity, Location place) {
        store.index().place(entity, place, source.is_destroyed());
    });
    return done;
}

// True if whole chunks can move along the edge.
bool is_adoptable(const Archetype& source, const ArchetypeEdge& edge) noexcept {
    return edge.target->has_same_columns(source) && edge.target->is_destroyed() == source.is_destroyed() &&
           !edge.is_reported;
}

// Moves all rows of an archetype along an edge. Returns how many were moved: all, unless memory is exhausted.
std::size_t change_archetype(internal::EntityStore& store, Archetype& source, const ArchetypeEdge& edge,
                             const ComponentValue& given) {
    Archetype& target = *edge.target;
    if (&target == &source && !given.component.is_valid()) return source.entity_count();
    const std::span<const ComponentValue> all_given(&given, given.component.is_valid() ? 1 : 0);
    const bool moves_chunks = is_adoptable(source, edge);
    // A value for a chunk component applies to the moved chunks, not to existing ones.
    const bool sets_chunk_value = given.value != nullptr && target.chunk_value_of(given.component) >= 0;
    const std::size_t count = source.entity_count();
    std::size_t done = 0;
    bool is_complete = true;
    // Starts with the last chunk, so that removing a chunk does not renumber chunks that are visited later.
    for (std::uint32_t chunk = source.chunk_count(); chunk-- > 0;) {
        const ChunkSlot slot = source.chunks()[chunk];
        const std::uint32_t partition = store.target_partition(edge, source, slot.partition, all_given);
        is_complete = partition != kNoPartition;
        if (!is_complete) break;
        if (&target == &source && partition == slot.partition) {
            done += slot.row_count;
            continue;
        }
        std::size_t moved = 0;
        if (moves_chunks &&
            (sets_chunk_value || slot.row_count == source.capacity() || !target.has_room(partition))) {
            moved = target.adopt_chunk(source, chunk, partition, store.version()) ? slot.row_count : 0;
            if (sets_chunk_value && moved != 0) {
                store.write_given(target.chunks()[target.chunk_count() - 1], 0, target, all_given);
            }
        } else {
            moved = move_chunk(store, source, chunk, edge, partition, given);
            source.drop_if_empty(chunk);  // at once: the next rows reuse memory that is in the cache
        }
        target.drop_partition(partition);
        done += moved;
        is_complete = moved == slot.row_count;
        if (!is_complete) break;
    }
    return is_complete ? count : done;
}

// For a chunk component whose value cannot move with whole chunks: new chunks get the value, existing ones
// keep theirs.
std::size_t add_chunk_values(internal::EntityStore& store, std::span<const Entity> entities,
                             ComponentId component, const void* value) {
    return static_cast<std::size_t>(std::count_if(entities.begin(), entities.end(), [&](Entity entity) {
        return store.add(entity, component, value);
    }));
}

// ---- values in place ----

// Moves all rows to the partitions with this shared value and their other shared values.
std::size_t regroup(internal::EntityStore& store, Archetype& archetype, ComponentId component,
                    const void* value) {
    const ArchetypeEdge* edge = store.graph().between(archetype, archetype);
    if (edge == nullptr) return 0;
    return change_archetype(store, archetype, *edge, {component, static_cast<const std::byte*>(value)});
}

// Writes one value to all rows. Returns how many rows have the component.
std::size_t set_rows(internal::EntityStore& store, Archetype& archetype, ComponentId component,
                     const void* value) {
    const ColumnPlace place = store.graph().column_place(archetype.index(), component);
    const std::uint32_t bytes = store.registry().value_bytes(component);
    if (place.is_shared()) return regroup(store, archetype, component, value);
    if (bytes == 0) return 0;
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        if (place.is_chunk_value()) {
            archetype.set_version(chunk, archetype.chunk_value_slot(place.column), store.version());
            internal::copy_value(archetype.chunk_value(chunk, place.column),
                                 static_cast<const std::byte*>(value), bytes);
            continue;
        }
        const ChunkSlot& slot = archetype.chunks()[chunk];
        archetype.set_version(chunk, place.column, store.version());
        internal::fill_values(slot.data + std::size_t{place.line} * kCacheLine,
                              static_cast<const std::byte*>(value), bytes, slot.row_count);
    }
    return archetype.entity_count();
}

// ---- destroying ----

// Frees the ids chunk by chunk and then releases all chunks at once: no row is moved.
void free_rows(internal::EntityStore& store, Archetype& archetype) {
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        const ChunkSlot& slot = archetype.chunks()[chunk];
        store.recorder().removed(archetype, {chunk, 0, slot.row_count});
        for (std::uint32_t row = 0; archetype.is_hooked() && row < slot.row_count; ++row) {
            store.hooks().run_component_hooks(Archetype::entities(slot)[row], archetype.components());
        }
        store.cells().release(archetype, slot, 0, slot.row_count);
        store.index().release_all(Archetype::entities(slot), slot.row_count);
    }
    if (!archetype.is_destroyed()) store.count_destroyed(archetype.entity_count());
    archetype.clear();
}

std::size_t destroy_rows(internal::EntityStore& store, Archetype& archetype) {
    const std::size_t count = archetype.entity_count();
    if (archetype.is_destroyed() || count == 0) return 0;
    if (archetype.is_hooked()) {
        std::size_t destroyed = 0;
        for (const Entity entity : entities_of(archetype)) {
            if (store.destroy(entity)) ++destroyed;
        }
        return destroyed;
    }
    if (archetype.has_cleanup()) {
        const ArchetypeEdge* edge = store.graph().destroying(archetype);
        return edge == nullptr ? 0 : change_archetype(store, archetype, *edge, {});
    }
    free_rows(store, archetype);
    return count;
}

}  // namespace

// ---- creating ----

std::size_t spawn_many(World& world, Archetype& archetype, std::size_t count,
                       const SpawnInitializer& initialize, Entity* out) {
    return internal::spawn_runs(world.store(), archetype, internal::image_of(archetype), count, initialize,
                                out);
}

std::size_t spawn_many(World& world, PrefabId id, std::size_t count, const SpawnInitializer& initialize,
                       Entity* out) {
    internal::EntityStore& store = world.store();
    const Prefab& prefab = world.prefabs().get(id);
    const internal::RowImage image = internal::image_of(prefab);
    if (prefab.parts.empty())
        return internal::spawn_runs(store, *prefab.archetype, image, count, initialize, out);
    std::vector<Entity> roots;
    if (!internal::try_reserve(roots, count)) return 0;
    roots.resize(count);
    roots.resize(internal::spawn_runs(store, *prefab.archetype, image, count, initialize, roots.data()));
    const std::size_t done = internal::complete_roots(store, prefab, roots);
    if (out != nullptr) std::copy_n(roots.begin(), done, out);
    return done;
}

std::size_t clone_many(World& world, Entity entity, std::size_t count, Entity* out) {
    return internal::clone_runs(world.store(), entity, count, out);
}

bool warm(World& world, const Archetype& archetype, std::size_t count) {
    const std::size_t chunks = (count + archetype.capacity() - 1) / archetype.capacity();
    return world.store().pool().warm(chunks * archetype.layout().unit_count);
}

// ---- by query ----

std::size_t add_all(World& world, const Query& query, ComponentId component, const void* value) {
    expect_own(world, query);
    internal::EntityStore& store = world.store();
    store.guard().begin_change();
    if (component == store.graph().destroyed_tag()) return 0;
    const ComponentValue given{component, static_cast<const std::byte*>(value)};
    const bool is_per_chunk = store.registry().info(component).kind() == ComponentKind::chunk;
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return store.add(entity, component, value); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (archetype->is_destroyed()) continue;
        if (archetype->has(component)) {
            const bool has_value =
                value != nullptr && store.registry().value_bytes(component) != 0 && !is_per_chunk;
            // Rows that were moved here from earlier archetypes are already counted.
            done += has_value ? std::min(count, set_rows(store, *archetype, component, value)) : count;
            continue;
        }
        const ArchetypeEdge* edge = store.graph().adding(*archetype, component);
        if (edge == nullptr) continue;
        if (is_per_chunk && value != nullptr && !is_adoptable(*archetype, *edge)) {
            done += add_chunk_values(store, entities_of(*archetype), component, value);
        } else {
            done += change_archetype(store, *archetype, *edge, given);
        }
    }
    return done;
}

std::size_t remove_all(World& world, const Query& query, ComponentId component) {
    expect_own(world, query);
    internal::EntityStore& store = world.store();
    store.guard().begin_change();
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return store.remove(entity, component); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (!archetype->has(component)) {
            done += count;
        } else if (archetype->is_destroyed() || store.graph().is_hooked(component)) {
            for (const Entity entity : entities_of(*archetype)) {
                if (store.remove(entity, component)) ++done;
            }
        } else if (const ArchetypeEdge* edge = store.graph().removing(*archetype, component)) {
            done += change_archetype(store, *archetype, *edge, {component, nullptr});
        }
    }
    return done;
}

std::size_t set_all(World& world, const Query& query, ComponentId component, const void* value) {
    expect_own(world, query);
    internal::EntityStore& store = world.store();
    store.guard().begin_change();
    if (!query.is_plain()) {
        return count_done(query, [&](Entity entity) { return store.set(entity, component, value); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (archetype->has(component)) done += set_rows(store, *archetype, component, value);
    }
    return done;
}

std::size_t set_enabled_all(World& world, const Query& query, ComponentId component, bool is_enabled) {
    expect_own(world, query);
    internal::EntityStore& store = world.store();
    store.guard().begin_change();
    if (!query.is_plain()) {
        return count_done(query,
                          [&](Entity entity) { return store.set_enabled(entity, component, is_enabled); });
    }
    std::size_t done = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        const ColumnPlace place = store.graph().column_place(archetype->index(), component);
        if (place.mask == 0) continue;
        const std::uint32_t slot = enabled_slot(*archetype, place);
        for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
            const ChunkSlot& rows = archetype->chunks()[chunk];
            auto* words = reinterpret_cast<std::uint64_t*>(rows.data) + place.mask;
            for (std::uint32_t row = 0; row < rows.row_count; row += 64) {
                const std::uint32_t bits = std::min(64u, rows.row_count - row);
                const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
                words[row / 64] = is_enabled ? all : 0;
            }
            archetype->set_version(chunk, slot, store.version());
        }
        done += count;
    }
    return done;
}

namespace {

std::size_t destroy_matches(internal::EntityStore& store, const Query& query) {
    const internal::EntityStore::HoldTargets hold(store);
    const bool is_hooked =
        std::any_of(query.matches().begin(), query.matches().end(), [](const QueryMatch& match) {
            return match.archetype->is_hooked() && match.archetype->entity_count() != 0;
        });
    if (!query.is_plain() || is_hooked) {
        // Also with handlers: destroying an entity may destroy others, or move them to a visited archetype.
        std::vector<Entity> entities = query.entities();
        std::erase_if(entities, [&store](Entity entity) { return !store.index().is_alive(entity); });
        for (const Entity entity : entities) store.destroy(entity);
        return static_cast<std::size_t>(
            std::count_if(entities.begin(), entities.end(),
                          [&store](Entity entity) { return !store.index().is_alive(entity); }));
    }
    std::size_t destroyed = 0;
    for (const auto& [archetype, count] : rows_of(query)) {
        if (!archetype->is_destroyed()) destroyed += destroy_rows(store, *archetype);
    }
    return destroyed;
}

}  // namespace

std::size_t destroy_all(World& world, const Query& query) {
    expect_own(world, query);
    world.store().guard().begin_change();
    const std::size_t destroyed = destroy_matches(world.store(), query);
    world.store().settle_relations();
    return destroyed;
}

void World::clear() {
    internal::EntityStore& store = *store_;
    store.guard().begin_change();
    const internal::EntityStore::HoldTargets hold(store);  // their sources die too
    // Repeats while it makes progress: a handler may move an entity to an archetype that was already emptied.
    for (std::size_t before = SIZE_MAX;
         store.hooks().has_handlers() && store.entity_count() != 0 && store.entity_count() < before;) {
        before = store.entity_count();
        for (std::size_t i = 0; i < store.graph().size(); ++i)
            destroy_rows(store, store.graph().at(static_cast<std::uint32_t>(i)));
    }
    for (std::size_t i = 0; i < store.graph().size(); ++i)
        free_rows(store, store.graph().at(static_cast<std::uint32_t>(i)));
}

}  // namespace perigee
