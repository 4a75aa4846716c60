// Runs of the same change, for command playback: look-ups that single calls do for each entity are done
// once per run. The result is that of the single calls in order.
#include "ecs/base/internal/copy_value.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"

#include <algorithm>

namespace perigee {

namespace {

// The number of changes at the start of the list that concern living entities of one archetype.
std::size_t count_in_archetype(const internal::EntityStore& store, std::span<const ComponentChange> changes,
                               std::uint32_t archetype) noexcept {
    std::size_t count = 0;
    Location location;
    while (count < changes.size() && store.index().find(changes[count].entity, location) &&
           store.units().archetype[location.unit()] == archetype) {
        ++count;
    }
    return count;
}

// Moves entities of `source` along an edge, into runs of rows. Stops early when memory is exhausted or an
// entity is named twice, since it has already left. Returns the number moved.
std::size_t move_many(internal::EntityStore& store, std::span<const ComponentChange> changes,
                      const ArchetypeEdge& edge, Archetype& source) {
    Archetype& target = *edge.target;
    const internal::CopyPlan::Op& added = edge.added;
    std::size_t done = 0;
    while (done < changes.size()) {
        const auto wanted =
            static_cast<std::uint32_t>(std::min<std::size_t>(changes.size() - done, kMaxChunkRows));
        const Archetype::Run run = target.append(wanted, store.version());
        if (run.count == 0) return done;
        const ChunkSlot slot = target.chunks()[run.chunk];
        for (std::uint32_t row = run.row; row < run.row + run.count; ++row, ++done) {
            const ComponentChange& change = changes[done];
            const Location from = store.index().location(change.entity);
            if (store.units().archetype[from.unit()] != source.index()) [[unlikely]] {
                for (std::uint32_t last = run.row + run.count; last > row; --last) {
                    target.remove(run.chunk, last - 1, store.version());
                }
                return done;
            }
            Archetype::entities(slot)[row] = change.entity;
            edge.copies.copy_row(store.pool().address(from.unit()), from.row(), slot.data, row);
            if (added.size != 0) {
                internal::copy_value(
                    slot.data + added.target_offset + std::size_t{row} * added.size,
                    change.value != nullptr ? change.value : target.default_image() + added.source_offset,
                    added.size);
            }
            store.index().place(change.entity, Location(slot.unit, row));
            store.remove_row(from, source);
        }
    }
    return done;
}

template <bool kIsAdding>
std::size_t change_many(internal::EntityStore& store, ComponentId component,
                        std::span<const ComponentChange> changes) {
    store.guard().begin_change();
    std::size_t done = 0;
    while (!changes.empty()) {
        std::size_t handled = 1;
        const ComponentChange& change = changes.front();
        Archetype* source = nullptr;
        const ArchetypeEdge* edge = nullptr;
        Location location;
        if (store.index().find(change.entity, location)) {
            source = &store.archetype_at(location);
            if (store.graph().column_place(source->index(), component).is_present() != kIsAdding) {
                edge = kIsAdding ? store.graph().adding(*source, component)
                                 : store.graph().removing(*source, component);
            }
        }
        if (edge != nullptr && edge->is_plain) {
            const std::size_t run = count_in_archetype(store, changes, source->index());
            const std::size_t moved = move_many(store, changes.first(run), *edge, *source);
            done += moved;
            handled = std::max<std::size_t>(moved, 1);
        } else {
            const bool is_done = kIsAdding ? store.add(change.entity, component, change.value)
                                           : store.remove(change.entity, component);
            done += is_done ? 1 : 0;
        }
        changes = changes.subspan(handled);
    }
    return done;
}

}  // namespace

std::size_t add_many(World& world, ComponentId component, std::span<const ComponentChange> changes) {
    return change_many<true>(world.store(), component, changes);
}

std::size_t remove_many(World& world, ComponentId component, std::span<const ComponentChange> changes) {
    return change_many<false>(world.store(), component, changes);
}

}  // namespace perigee
