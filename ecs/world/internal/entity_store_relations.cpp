// Follows up the death of targets of relations.
//
// Invariant: after settle_relations no relation points at an entity that died, unless memory ran out. Sources
// are handled in order of relation and index, so the result does not depend on when the index was read.
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
        destroy_plain(entity, location, archetype);
    }
    settle_relations();
    return true;
}

void EntityStore::follow_dead_targets() {
    const HoldTargets hold(*this);
    try {
        std::vector<RelationIndex::Orphan> orphans;
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            orphans.clear();
            relations_->find_orphans(guard_.version(), orphans);
            t_follow_up_work += orphans.size();
            for (const auto& [relation, source] : orphans) {
                const Schema& schema = registry_.info(relation).schema;
                if (schema.on_target_destroyed == OnTargetDestroyed::destroy) {
                    has_changed = destroy(source) || has_changed;
                } else if (std::byte* const value =
                               index_.is_alive(source) ? edit(source, relation) : nullptr) {
                    std::memset(value + target_offset(schema), 0, sizeof(Entity));
                    has_changed = true;
                }
            }
        }
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace perigee::internal
