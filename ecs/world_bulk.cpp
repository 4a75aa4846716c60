// Many entities at once, run by run: one run is a stretch of new rows in one chunk.
#include "ecs/contract.h"
#include "ecs/world.h"

#include <algorithm>

namespace perigee {

namespace {

// A view that shows a chunk of any archetype with its components as terms, in their order.
class WholeArchetypeMatch {
public:
    explicit WholeArchetypeMatch(Archetype& archetype) {
        const std::size_t terms = archetype.components().size();
        resolved_.resize(terms * 2, kNoColumn);
        for (std::size_t term = 0; term < terms; ++term) {
            const int column = archetype.column_of(archetype.components()[term]);
            if (column < 0) continue;
            resolved_[term] = archetype.layout().columns[static_cast<std::size_t>(column)].offset;
            resolved_[terms + term] = static_cast<std::uint32_t>(column);
        }
        match_ = QueryMatch{&archetype, resolved_.data(), resolved_.data() + terms};
    }
    const QueryMatch& match() const noexcept { return match_; }

private:
    std::vector<std::uint32_t> resolved_;
    QueryMatch match_{};
};

}  // namespace

std::size_t World::spawn_many(Archetype& archetype, std::size_t count, const SpawnInitializer& initialize,
                              Entity* out) {
    return spawn_runs(archetype, archetype.default_image(), count, initialize, out);
}

std::size_t World::spawn_many(PrefabId id, std::size_t count, const SpawnInitializer& initialize,
                              Entity* out) {
    const Prefab& prefab = prefabs_.get(id);
    return spawn_runs(*prefab.archetype, prefab.image.data(), count, initialize, out);
}

std::size_t World::spawn_runs(Archetype& archetype, const std::byte* image, std::size_t count,
                              const SpawnInitializer& initialize, Entity* out) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    std::vector<Entity> made;  // only kept when a failing initialiser may have to undo them
    const WholeArchetypeMatch whole(archetype);
    std::size_t done = 0;
    while (done < count) {
        const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(count - done, kMaxChunkRows));
        if (!index_.prepare(wanted)) break;
        const Archetype::Run run = archetype.append(wanted, change_version_);
        if (run.count == 0) break;
        fill_run(archetype, image, run);
        const ChunkSlot& slot = archetype.chunks()[run.chunk];
        const Entity* entities = Archetype::entities(slot) + run.row;
        if (out != nullptr) std::copy_n(entities, run.count, out + done);
        done += run.count;
        if (!initialize) continue;
        made.insert(made.end(), entities, entities + run.count);
        ChunkView view(whole.match(), slot, run.chunk);
        const bool is_initialized = [&] {
            const Lock lock(*this);
            return initialize(view, run.row, run.row + run.count);
        }();
        if (!is_initialized) {
            std::for_each(made.rbegin(), made.rend(), [this](Entity entity) { destroy(entity); });
            return 0;
        }
    }
    return done;
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

std::size_t World::destroy_all(const Query& query) {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    std::size_t destroyed = 0;
    for (const QueryMatch& match : query.matches()) destroyed += destroy_rows(*match.archetype);
    return destroyed;
}

void World::clear() {
    ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    for (std::size_t i = 0; i < graph_.size(); ++i) destroy_rows(graph_.at(static_cast<std::uint32_t>(i)));
}

// Frees the ids chunk by chunk and then gives all chunks back at once: no row is moved.
std::size_t World::destroy_rows(Archetype& archetype) {
    const std::size_t count = archetype.entity_count();
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
        const ChunkSlot& slot = archetype.chunks()[chunk];
        index_.release_all(Archetype::entities(slot), slot.row_count);
    }
    archetype.clear();
    entity_count_ -= count;
    return count;
}

}  // namespace perigee
