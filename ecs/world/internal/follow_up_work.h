// What follows a structural change and is not known in advance: relations whose target died are settled, and
// the work is counted: entities passed on the way up to a root, descendants of a moved entity. A limit on
// such changes reads and resets the count of its thread. settle_relations is inline, because most worlds have
// no relations.
#pragma once

#include "ecs/query/relation_index.h"
#include "ecs/world/internal/entity_store.h"

#include <cstdint>

namespace perigee::internal {

inline constinit thread_local std::uint64_t t_follow_up_work = 0;  // entities

inline void EntityStore::settle_relations() {
    if (!relations_->is_empty() && targets_held_ == 0) [[unlikely]]
        follow_dead_targets();
}

}  // namespace perigee::internal
