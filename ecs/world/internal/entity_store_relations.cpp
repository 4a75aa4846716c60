// Follows up the death of targets of relations.
//
// Invariant: after settle_relations no relation points at an entity that died, unless memory ran out. Sources
// are handled in order of relation and index, so the result does not depend on when the index was read.
#include "ecs/query/relation_index.h"
#include "ecs/schema/registry.h"
#include "ecs/world/internal/entity_store.h"
#include "ecs/world/internal/follow_up_work.h"

#include <cstring>
#include <new>
#include <vector>

namespace perigee::internal {

bool EntityStore::destroy_target(Entity entity) {
    Location location;
    static_cast<void>(index_.find(entity, location));
    Archetype& archetype = archetype_at(location);
    if (!archetype.is_plain()) {
        if (!destroy_special(entity)) return false;
    } else {
        --entity_count_;
        free_row(entity, location, archetype);
    }
    settle_relations();
    return true;
}

void EntityStore::follow_dead_targets() {
    const HoldTargets hold(*this);
    try {
        std::vector<RelationIndex::Orphan> orphans;
        // Chunks are read first and last: in between, only handlers of removals write relations.
        for (bool reads_chunks = true; !orphans.empty() || reads_chunks;) {
            orphans.clear();
            relations_->find_orphans(reads_chunks, orphans);
            t_follow_up_work += orphans.size();
            bool has_changed = false;
            for (const auto& [relation, source] : orphans)
                has_changed = follow(relation, source) || has_changed;
            if (!orphans.empty() && !has_changed) break;
            reads_chunks = orphans.empty() && !reads_chunks;
        }
    } catch (const std::bad_alloc&) {
        relations_->look_for_all();
    }
}

bool EntityStore::follow(ComponentId relation, Entity source) {
    if (!index_.is_alive(source)) return false;  // died with another
    const Schema& schema = registry_.info(relation).schema;
    if (schema.on_target_destroyed == OnTargetDestroyed::destroy) {
        if (destroy(source)) return true;
    } else if (std::byte* const value = edit(source, relation)) {
        std::memset(value + target_offset(schema), 0, sizeof(Entity));
        return true;
    }
    relations_->look_for_all();
    return false;
}

}  // namespace perigee::internal
