// Runs of the same change, for command playback: look-ups that single calls make for each entity are made
// once per run. The result is that of the single calls in order.
#include "ecs/base/contract.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/world/world.h"

#include <algorithm>

namespace perigee {

std::size_t World::place_reserved(std::span<const Entity> entities, PrefabId id) {
    const Prefab& prefab = prefabs_.get(id);
    const std::size_t born = place_runs(entities, *prefab.archetype, image_of(prefab));
    return complete(prefab, entities.first(born));
}

std::size_t World::place_reserved(std::span<const Entity> entities, Archetype& archetype) {
    return place_runs(entities, archetype, image_of(archetype));
}

std::size_t World::place_runs(std::span<const Entity> entities, Archetype& archetype, const RowImage& image) {
    begin_structural_change();
    const std::uint32_t partition = archetype.require_partition(image.shared);
    std::size_t done = 0;
    while (done < entities.size() && partition != kNoPartition) {
        const auto wanted =
            static_cast<std::uint32_t>(std::min<std::size_t>(entities.size() - done, kMaxChunkRows));
        const Archetype::Run run = archetype.append(wanted, change_version_, partition);
        if (run.count == 0) break;
        const ChunkSlot& slot = archetype.chunks()[run.chunk];
        std::copy_n(entities.begin() + static_cast<std::ptrdiff_t>(done), run.count,
                    Archetype::entities(slot) + run.row);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            index_.place(entities[done + i], Location{slot.unit, run.row + i});
        }
        archetype.write_images(run.chunk, run.row, run.count, image.columns);
        entity_count_ += run.count;
        done += run.count;
        const std::uint32_t complete =
            image.extras == nullptr ? run.count : complete_run(image, archetype, run);
        note_born(archetype, entities.data() + done - run.count, complete);
        if (complete == run.count) continue;
        // The remaining ids of this run were released with their rows; the ids after it are released here.
        for (std::size_t rest = entities.size(); rest > done; --rest) index_.release(entities[rest - 1]);
        return done - (run.count - complete);
    }
    if (partition != kNoPartition) archetype.drop_partition(partition);
    for (std::size_t rest = entities.size(); rest > done; --rest) index_.release(entities[rest - 1]);
    return done;
}

std::size_t World::add_many(ComponentId component, std::span<const ComponentChange> changes) {
    return change_many<true>(component, changes);
}

std::size_t World::remove_many(ComponentId component, std::span<const ComponentChange> changes) {
    return change_many<false>(component, changes);
}

template <bool kIsAdding>
std::size_t World::change_many(ComponentId component, std::span<const ComponentChange> changes) {
    begin_structural_change();
    std::size_t done = 0;
    while (!changes.empty()) {
        std::size_t handled = 1;
        const ComponentChange& change = changes.front();
        Archetype* source = nullptr;
        const ArchetypeTransition* transition = nullptr;
        Location location;
        if (index_.find(change.entity, location)) {
            source = &graph_.at(units_.archetype[location.unit()]);
            if (graph_.column_place(source->index(), component).is_present() != kIsAdding) {
                transition =
                    kIsAdding ? graph_.adding(*source, component) : graph_.removing(*source, component);
            }
        }
        if (transition != nullptr && transition->is_plain) {
            const std::size_t run = count_in_archetype(changes, source->index());
            const std::size_t moved = move_many(changes.first(run), *transition, *source);
            done += moved;
            handled = std::max<std::size_t>(moved, 1);
        } else {
            const bool is_done =
                kIsAdding ? add(change.entity, component, change.value) : remove(change.entity, component);
            done += is_done ? 1 : 0;
        }
        changes = changes.subspan(handled);
    }
    return done;
}

// How many changes from the first on are about living entities of one archetype.
std::size_t World::count_in_archetype(std::span<const ComponentChange> changes,
                                      std::uint32_t archetype) const noexcept {
    std::size_t count = 0;
    Location location;
    while (count < changes.size() && index_.find(changes[count].entity, location) &&
           units_.archetype[location.unit()] == archetype) {
        ++count;
    }
    return count;
}

// Moves entities of `source` along an edge, into runs of rows. Stops early when memory is exhausted or an
// entity is named twice, since it has already left. Returns the number moved.
std::size_t World::move_many(std::span<const ComponentChange> changes, const ArchetypeTransition& transition,
                             Archetype& source) {
    Archetype& target = *transition.target;
    const internal::CopyPlan::Op& added = transition.added;
    std::size_t done = 0;
    while (done < changes.size()) {
        const auto wanted =
            static_cast<std::uint32_t>(std::min<std::size_t>(changes.size() - done, kMaxChunkRows));
        const Archetype::Run run = target.append(wanted, change_version_);
        if (run.count == 0) return done;
        const ChunkSlot slot = target.chunks()[run.chunk];
        for (std::uint32_t row = run.row; row < run.row + run.count; ++row, ++done) {
            const ComponentChange& change = changes[done];
            const Location from = index_.location(change.entity);
            if (units_.archetype[from.unit()] != source.index()) [[unlikely]] {
                for (std::uint32_t last = run.row + run.count; last > row; --last) {
                    target.remove(run.chunk, last - 1, change_version_);
                }
                return done;
            }
            Archetype::entities(slot)[row] = change.entity;
            transition.copies.copy_row(pool_.address(from.unit()), from.row(), slot.data, row);
            if (added.size != 0) {
                internal::copy_value(
                    slot.data + added.target_offset + std::size_t{row} * added.size,
                    change.value != nullptr ? change.value : target.default_image() + added.source_offset,
                    added.size);
            }
            index_.place(change.entity, Location(slot.unit, row));
            take_row(from, source);
        }
    }
    return done;
}

}  // namespace perigee
