// Rows are filled column by column; what a prefab's image cannot express is added row by row.
#include "ecs/world/internal/row_runs.h"

#include "ecs/archetype/internal/row_cells.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/query/chunk_view.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/internal/row_recorder.h"
#include "ecs/world/prefab.h"

#include <algorithm>
#include <new>
#include <vector>

namespace perigee::internal {

namespace {

// A view of a chunk of any archetype, with the archetype's components as terms, in order.
class WholeArchetypeMatch {
public:
    /// False when memory is exhausted. Expects: the same archetype in each call.
    bool show(Archetype& archetype, const EntityStore& store) noexcept {
        if (match_.archetype != nullptr) return true;
        if (!try_reserve(places_, archetype.components().size())) return false;
        for (const ComponentId component : archetype.components()) {
            places_.push_back(place_of(archetype, component));
        }
        match_ = QueryMatch{.archetype = &archetype,
                            .terms = places_.data(),
                            .values = &store.shared(),
                            .types = &store.registry().types(),
                            .term_count = static_cast<std::uint32_t>(places_.size())};
        return true;
    }
    const QueryMatch& match() const noexcept { return match_; }

private:
    std::vector<TermPlace> places_;
    QueryMatch match_{};
};

// ---- new rows ----

// Writes ids, records and values of a run of new rows.
void fill_run(EntityStore& store, Archetype& archetype, const std::byte* image, const Archetype::Run& run) {
    const ChunkSlot& slot = archetype.chunks()[run.chunk];
    Entity* entities = Archetype::entities(slot);
    for (std::uint32_t row = run.row; row < run.row + run.count; ++row) {
        entities[row] = store.index().create(Location{slot.unit, row});
    }
    store.count_created(run.count);
    archetype.write_images(run.chunk, run.row, run.count, image);
}

// Writes long buffers, disabled bits and chunk values. False when memory is exhausted.
bool write_extras(EntityStore& store, const Prefab& prefab, Archetype& archetype, const ChunkSlot& slot,
                  std::uint32_t row) {
    for (const std::uint32_t number : prefab.extras) {
        const PrefabComponent& part = prefab.components[number];
        if (const int mask = archetype.mask_of(part.component); mask >= 0 && !part.is_enabled) {
            const MaskColumn& place = archetype.layout().masks[static_cast<std::size_t>(mask)];
            set_row_bit(Archetype::mask_words(slot, place), row, false);
        }
        if (part.value.empty()) continue;
        const ComponentInfo& info = store.registry().info(part.component);
        if (info.kind() == ComponentKind::buffer) {
            const int column = archetype.column_of(part.component);
            std::byte* cell =
                Archetype::cell(slot, archetype.layout().columns[static_cast<std::size_t>(column)], row);
            const auto length = static_cast<std::uint32_t>(part.value.size() / info.schema.size);
            DynamicBuffer buffer(cell, info, store.cells().buffers(), store.guard().version());
            if (!buffer.assign(part.value.data(), length)) return false;
        } else if (info.kind() == ComponentKind::chunk) {
            const ComponentValue value{part.component, part.value.data()};
            store.write_given(slot, row, archetype, {&value, 1});
        }
    }
    return true;
}

// Adds the prefab's extras to the rows of a run. Returns how many succeeded: fewer only when memory is
// exhausted; the others are removed then.
std::uint32_t complete_run(EntityStore& store, const RowImage& image, Archetype& archetype,
                           const Archetype::Run& run) {
    const ChunkSlot slot = archetype.chunks()[run.chunk];
    for (std::uint32_t i = 0; i < run.count; ++i) {
        if (write_extras(store, *image.extras, archetype, slot, run.row + i)) continue;
        for (std::uint32_t gone = run.count; gone > i; --gone) {  // from the end, so that no row moves
            const Entity entity = Archetype::entities(slot)[run.row + gone - 1];
            undo_spawns(store, {&entity, 1});
        }
        return i;
    }
    return run.count;
}

// Also false if it runs out of memory, since the rows are then incomplete.
bool call_initializer(EntityStore& store, const SpawnInitializer& initialize, ChunkView& view,
                      const Archetype::Run& run) {
    const StructureLock lock(store.guard());
    try {
        return initialize(view, run.row, run.row + run.count);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// ---- clones ----

// Writes the values of one row into each row of a new run. Returns the number of complete rows: fewer only
// when memory for owning cells ran out.
std::uint32_t copy_into_run(EntityStore& store, Location from, const ArchetypeEdge& edge,
                            const Archetype::Run& run) {
    Archetype& target = *edge.target;
    const ChunkSlot& slot = target.chunks()[run.chunk];
    const std::byte* source = store.pool().address(from.unit());
    const std::uint32_t end = run.row + run.count;
    edge.copies.repeat_row(source, from.row(), slot.data, run.row, run.count);
    for (const ArchetypeEdge::Mask& mask : edge.masks) {
        const auto* bits = reinterpret_cast<const std::uint64_t*>(source + mask.source_offset);
        if (row_bit(bits, from.row())) continue;
        auto* words = reinterpret_cast<std::uint64_t*>(slot.data + mask.target_offset);
        for (std::uint32_t row = run.row; row < end; ++row) set_row_bit(words, row, false);
    }
    if (target.owning_columns().empty()) return run.count;
    for (std::uint32_t row = run.row; row < end; ++row) {
        if (!store.cells().clone(target, slot, row)) return row - run.row;
    }
    return run.count;
}

// `next_entity` returns the id of the n-th new row, at its location.
template <typename NextEntity>
std::size_t clone_rows(EntityStore& store, Entity entity, std::size_t count, NextEntity&& next_entity) {
    store.guard().begin_change();
    Location location;
    if (!store.index().find(entity, location)) return 0;
    Archetype& source = store.archetype_at(location);
    const ArchetypeEdge* edge = store.graph().cloning(source);
    if (edge == nullptr) return 0;
    Archetype* target = edge->target;
    const std::uint32_t old_partition = store.slot_at(location).partition;
    const std::uint32_t partition = store.target_partition(*edge, source, old_partition, {});
    if (partition == kNoPartition) return 0;
    std::size_t done = 0;
    while (done < count) {
        const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(count - done, kMaxChunkRows));
        if (!store.index().prepare(wanted)) break;
        const Archetype::Run run = target->append(wanted, store.version(), partition);
        if (run.count == 0) break;
        const std::uint32_t copied = copy_into_run(store, location, *edge, run);
        const ChunkSlot slot = target->chunks()[run.chunk];
        for (std::uint32_t row = run.row; row < run.row + copied; ++row, ++done) {
            Archetype::entities(slot)[row] = next_entity(done, Location{slot.unit, row});
        }
        store.count_created(copied);
        store.recorder().added(*target, Archetype::entities(slot) + run.row, copied);
        for (std::uint32_t row = run.count; row > copied; --row) {
            target->remove(run.chunk, run.row + row - 1, store.version());
        }
        if (copied != run.count) break;
    }
    target->drop_partition(partition);
    return done;
}

}  // namespace

void undo_spawns(EntityStore& store, std::span<const Entity> entities) noexcept {
    for (std::size_t i = entities.size(); i > 0; --i) {
        const Location location = store.index().location(entities[i - 1]);
        Archetype& archetype = store.archetype_at(location);
        const ChunkSlot slot = store.slot_at(location);
        store.cells().release(archetype, slot, location.row(), 1);
        store.remove_row(location, archetype);
        store.index().release_alive(entities[i - 1]);
    }
    store.count_destroyed(entities.size());
}

std::size_t spawn_runs(EntityStore& store, Archetype& archetype, const RowImage& image, std::size_t count,
                       const SpawnInitializer& initialize, Entity* out) {
    ECS_EXPECTS(store.graph().has(archetype), "an archetype of another world");
    store.guard().begin_change();
    const std::uint32_t partition = archetype.require_partition(image.shared);
    if (partition == kNoPartition) return 0;
    std::vector<Entity> made;  // kept only if a failing initialiser may have to undo them
    WholeArchetypeMatch whole;
    std::size_t done = 0;
    while (done < count) {
        const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(count - done, kMaxChunkRows));
        if (!store.index().prepare(wanted)) break;
        if (initialize && !(whole.show(archetype, store) && try_reserve(made, done + wanted))) break;
        const Archetype::Run run = archetype.append(wanted, store.version(), partition);
        if (run.count == 0) break;
        fill_run(store, archetype, image.columns, run);
        const ChunkSlot& slot = archetype.chunks()[run.chunk];
        const Entity* entities = Archetype::entities(slot) + run.row;
        const std::uint32_t complete =
            image.extras == nullptr ? run.count : complete_run(store, image, archetype, run);
        if (out != nullptr) std::copy_n(entities, complete, out + done);
        done += complete;
        if (!initialize) {
            store.recorder().added(archetype, entities, complete);
            if (complete < run.count) break;
            continue;
        }
        if (complete < run.count) {
            made.insert(made.end(), entities, entities + complete);
            undo_spawns(store, made);
            return 0;
        }
        made.insert(made.end(), entities, entities + run.count);
        ChunkView view(whole.match(), slot, run.chunk);
        if (!call_initializer(store, initialize, view, run)) {
            undo_spawns(store, made);
            return 0;
        }
    }
    store.recorder().added(archetype, made.data(), made.size());
    archetype.drop_partition(partition);  // if not even its first row was created
    return done;
}

std::size_t place_runs(EntityStore& store, std::span<const Entity> entities, Archetype& archetype,
                       const RowImage& image) {
    store.guard().begin_change();
    const std::uint32_t partition = archetype.require_partition(image.shared);
    std::size_t done = 0;
    while (done < entities.size() && partition != kNoPartition) {
        const auto wanted =
            static_cast<std::uint32_t>(std::min<std::size_t>(entities.size() - done, kMaxChunkRows));
        const Archetype::Run run = archetype.append(wanted, store.version(), partition);
        if (run.count == 0) break;
        const ChunkSlot& slot = archetype.chunks()[run.chunk];
        std::copy_n(entities.begin() + static_cast<std::ptrdiff_t>(done), run.count,
                    Archetype::entities(slot) + run.row);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            store.index().place(entities[done + i], Location{slot.unit, run.row + i});
        }
        archetype.write_images(run.chunk, run.row, run.count, image.columns);
        store.count_created(run.count);
        done += run.count;
        const std::uint32_t complete =
            image.extras == nullptr ? run.count : complete_run(store, image, archetype, run);
        store.recorder().added(archetype, entities.data() + done - run.count, complete);
        if (complete == run.count) continue;
        // The remaining ids of this run were released with their rows; the ids after it are released here.
        for (std::size_t rest = entities.size(); rest > done; --rest)
            store.index().release(entities[rest - 1]);
        return done - (run.count - complete);
    }
    if (partition != kNoPartition) archetype.drop_partition(partition);
    for (std::size_t rest = entities.size(); rest > done; --rest) store.index().release(entities[rest - 1]);
    return done;
}

std::size_t clone_runs(EntityStore& store, Entity entity, std::size_t count, Entity* out) {
    return clone_rows(store, entity, count, [&](std::size_t number, Location place) {
        const Entity made = store.index().create(place);
        if (out != nullptr) out[number] = made;
        return made;
    });
}

bool clone_to(EntityStore& store, Entity reserved, Entity original) {
    return clone_rows(store, original, 1, [&](std::size_t, Location place) {
               store.index().place(reserved, place);
               return reserved;
           }) == 1;
}

std::size_t complete_roots(EntityStore& store, const Prefab& prefab, std::span<const Entity> roots) {
    if (roots.empty() || prefab.spawn_parts == nullptr || prefab.spawn_parts(store.world(), prefab, roots))
        return roots.size();
    undo_spawns(store, roots);
    return 0;
}

}  // namespace perigee::internal
