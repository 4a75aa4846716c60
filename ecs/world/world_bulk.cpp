// Creates many entities at once, run by run: a run is a range of new rows in one chunk.
#include "ecs/base/contract.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <new>

namespace perigee {

namespace {

// A view that shows a chunk of any archetype with its components as terms, in their order.
class WholeArchetypeMatch {
public:
    /// False when memory is exhausted. The same archetype each time.
    bool show(Archetype& archetype, const TypeBindings& types) noexcept {
        if (match_.archetype != nullptr) return true;
        if (!internal::try_reserve(places_, archetype.components().size())) return false;
        for (const ComponentId component : archetype.components()) {
            places_.push_back(place_of(archetype, component));
        }
        match_ = QueryMatch{.archetype = &archetype, .terms = places_.data(), .types = &types};
        return true;
    }
    const QueryMatch& match() const noexcept { return match_; }

private:
    std::vector<TermPlace> places_;
    QueryMatch match_{};
};

}  // namespace

std::size_t World::spawn_many(Archetype& archetype, std::size_t count, const SpawnInitializer& initialize,
                              Entity* out) {
    return spawn_runs(archetype, image_of(archetype), count, initialize, out);
}

std::size_t World::spawn_many(PrefabId id, std::size_t count, const SpawnInitializer& initialize,
                              Entity* out) {
    const Prefab& prefab = prefabs_.get(id);
    if (prefab.parts.empty()) return spawn_runs(*prefab.archetype, image_of(prefab), count, initialize, out);
    std::vector<Entity> roots;
    if (!internal::try_reserve(roots, count)) return 0;
    roots.resize(count);
    roots.resize(spawn_runs(*prefab.archetype, image_of(prefab), count, initialize, roots.data()));
    const std::size_t done = complete(prefab, roots);
    if (out != nullptr) std::copy_n(roots.begin(), done, out);
    return done;
}

std::size_t World::spawn_runs(Archetype& archetype, const RowImage& image, std::size_t count,
                              const SpawnInitializer& initialize, Entity* out) {
    begin_structural_change();
    const std::uint32_t partition = archetype.require_partition(image.shared);
    if (partition == kNoPartition) return 0;
    std::vector<Entity> made;  // only kept when a failing initialiser may have to undo them
    WholeArchetypeMatch whole;
    std::size_t done = 0;
    while (done < count) {
        const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(count - done, kMaxChunkRows));
        if (!index_.prepare(wanted)) break;
        if (initialize &&
            !(whole.show(archetype, registry_.types()) && internal::try_reserve(made, done + wanted)))
            break;
        const Archetype::Run run = archetype.append(wanted, change_version_, partition);
        if (run.count == 0) break;
        fill_run(archetype, image.columns, run);
        const ChunkSlot& slot = archetype.chunks()[run.chunk];
        const Entity* entities = Archetype::entities(slot) + run.row;
        const std::uint32_t complete =
            image.extras == nullptr ? run.count : complete_run(image, archetype, run);
        if (out != nullptr) std::copy_n(entities, complete, out + done);
        done += complete;
        if (!initialize) {
            note_born(archetype, entities, complete);
            if (complete < run.count) break;
            continue;
        }
        if (complete < run.count) {
            made.insert(made.end(), entities, entities + complete);
            undo_spawns(made);
            return 0;
        }
        made.insert(made.end(), entities, entities + run.count);
        ChunkView view(whole.match(), slot, run.chunk);
        if (!call_initializer(initialize, view, run)) {
            undo_spawns(made);
            return 0;
        }
    }
    note_born(archetype, made.data(), made.size());
    archetype.drop_partition(partition);  // when not even its first row could be made
    return done;
}

// Also false if it runs out of memory, since the rows are then incomplete.
bool World::call_initializer(const SpawnInitializer& initialize, ChunkView& view, const Archetype::Run& run) {
    const Lock lock(*this);
    try {
        return initialize(view, run.row, run.row + run.count);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// They were never visible, so they are removed without handlers, even with cleanup components.
void World::undo_spawns(std::span<const Entity> entities) noexcept {
    for (std::size_t i = entities.size(); i > 0; --i) {
        const Location location = index_.location(entities[i - 1]);
        Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
        const ChunkSlot slot = archetype.chunks()[units_.chunk_index[location.unit()]];
        release_cells(archetype, archetype.owning_columns(), slot, location.row(), 1);
        take_row(location, archetype);
        index_.release_alive(entities[i - 1]);
    }
    entity_count_ -= entities.size();
}

// Ids, records and values of a run of new rows.
void World::fill_run(Archetype& archetype, const std::byte* image, const Archetype::Run& run) {
    const ChunkSlot& slot = archetype.chunks()[run.chunk];
    Entity* entities = Archetype::entities(slot);
    for (std::uint32_t row = run.row; row < run.row + run.count; ++row) {
        entities[row] = index_.create(Location{slot.unit, row});
    }
    entity_count_ += run.count;
    archetype.write_images(run.chunk, run.row, run.count, image);
}

// ---- clones ----

Entity World::clone(Entity entity) {
    Entity made;
    return clone_many(entity, 1, &made) == 1 ? made : Entity{};
}

std::size_t World::clone_many(Entity entity, std::size_t count, Entity* out) {
    return clone_runs(entity, count, [&](std::size_t number, Location place) {
        const Entity made = index_.create(place);
        if (out != nullptr) out[number] = made;
        return made;
    });
}

bool World::place_clone(Entity reserved, Entity original) {
    const std::size_t made = clone_runs(original, 1, [&](std::size_t, Location place) {
        index_.place(reserved, place);
        return reserved;
    });
    if (made == 0) release_reserved(reserved);
    return made == 1;
}

// `next_entity` returns the id of the n-th new row, at its location.
template <typename NextEntity>
std::size_t World::clone_runs(Entity entity, std::size_t count, NextEntity&& next_entity) {
    begin_structural_change();
    Location location;
    if (!index_.find(entity, location)) return 0;
    Archetype& source = graph_.at(units_.archetype[location.unit()]);
    const ArchetypeTransition* way = graph_.cloning(source);
    if (way == nullptr) return 0;
    const ArchetypeTransition& transition = *way;
    Archetype* target = transition.target;
    const std::uint32_t old_partition = source.chunks()[units_.chunk_index[location.unit()]].partition;
    const std::uint32_t partition = target_partition(transition, source, old_partition, {});
    if (partition == kNoPartition) return 0;
    std::size_t done = 0;
    while (done < count) {
        const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(count - done, kMaxChunkRows));
        if (!index_.prepare(wanted)) break;
        const Archetype::Run run = target->append(wanted, change_version_, partition);
        if (run.count == 0) break;
        const std::uint32_t copied = copy_into_run(location, transition, run);
        const ChunkSlot slot = target->chunks()[run.chunk];
        for (std::uint32_t row = run.row; row < run.row + copied; ++row, ++done) {
            Archetype::entities(slot)[row] = next_entity(done, Location{slot.unit, row});
        }
        entity_count_ += copied;
        note_born(*target, Archetype::entities(slot) + run.row, copied);
        for (std::uint32_t row = run.count; row > copied; --row) {
            target->remove(run.chunk, run.row + row - 1, change_version_);
        }
        if (copied != run.count) break;
    }
    target->drop_partition(partition);
    return done;
}

// Writes the values of one row into each row of a new run. Returns the number of complete rows: fewer only
// when memory for owning cells ran out.
std::uint32_t World::copy_into_run(Location from, const ArchetypeTransition& transition,
                                   const Archetype::Run& run) {
    Archetype& target = *transition.target;
    const ChunkSlot& slot = target.chunks()[run.chunk];
    const std::byte* source = pool_.address(from.unit());
    const std::uint32_t end = run.row + run.count;
    transition.copies.repeat_row(source, from.row(), slot.data, run.row, run.count);
    for (const ArchetypeTransition::Mask& mask : transition.masks) {
        const auto* bits = reinterpret_cast<const std::uint64_t*>(source + mask.source_offset);
        if (internal::row_bit(bits, from.row())) continue;
        auto* words = reinterpret_cast<std::uint64_t*>(slot.data + mask.target_offset);
        for (std::uint32_t row = run.row; row < end; ++row) internal::set_row_bit(words, row, false);
    }
    if (target.owning_columns().empty()) return run.count;
    for (std::uint32_t row = run.row; row < end; ++row) {
        if (!clone_cells(target, slot, row)) return row - run.row;
    }
    return run.count;
}

}  // namespace perigee
