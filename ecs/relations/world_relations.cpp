// Changes of rows that affect the hierarchy: an entity that is destroyed takes its children along, and one
// that loses its parent leaves the parent's list of children.
//
// These are functions of World. They are here, above World, because they follow the hierarchy. Not here: all
// other changes of rows (ecs/world/world_rows.cpp).
#include "ecs/base/internal/reserve_more.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/world/internal/row_plan.h"
#include "ecs/world/internal/steps_on_the_way.h"
#include "ecs/world/world.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <span>
#include <vector>

namespace perigee {

bool World::change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove) {
    expect_unlocked();
    Location location;
    if (!index_.find(entity, location)) return false;
    Archetype* source = &graph_.at(units_.archetype[location.unit()]);
    Archetype* target = changed(*source, add, remove);
    if (target == nullptr) return false;
    std::vector<ComponentValue> given;
    if (!internal::try_reserve(given, add.size())) return false;
    const ArchetypeTransition* transition = graph_.between(*source, *target);
    if (transition == nullptr) return false;
    if (target != source) ++structure_version_;
    if (!transition->hooked.empty()) {
        // A handler may change the entity itself, so the way is found again.
        if (!call_hooks(entity, transition->hooked)) return false;
        if (!index_.find(entity, location)) return false;
        source = &graph_.at(units_.archetype[location.unit()]);
        target = changed(*source, add, remove);
        if (target == nullptr) return false;
        transition = graph_.between(*source, *target);
        if (transition == nullptr) return false;
    }
    for (const ComponentValue& part : add) {
        const bool is_there = target->has(part.component);
        if (is_there && part.value != nullptr && registry_.value_bytes(part.component) != 0) {
            given.push_back(part);
        }
    }
    if (!transition->hooked.empty()) {
        internal::RowPlan plan(*this);
        const bool is_possible = internal::plan_leaving(*this, entity, transition->hooked, plan) &&
                                 plan.move(entity, transition, given);
        if (is_possible) plan.finish();
        return is_possible;
    }
    if (!move_special(entity, location, *source, transition, given)) return false;
    if (target == source) {
        // Not moved, or only to other shared values: the row is written at its current location.
        for (const ComponentValue& part : given) {
            if (!is_shared_kind(registry_.info(part.component).kind())) {
                static_cast<void>(set(entity, part.component, part.value));
            }
        }
    }
    return true;
}

// Calls the handlers of all entities that will die with an entity, deepest first, including entities that a
// handler adds there.
bool World::tell_of_death(Entity top) {
    if (remove_handlers_.empty()) return true;
    try {
        std::set<Entity> told;
        for (std::size_t before = SIZE_MAX; told.size() != before;) {
            before = told.size();
            const std::vector<Entity> dying = internal::family_of(*this, top);
            for (std::size_t i = dying.size(); i-- > 0;) {
                if (!is_alive(dying[i]) || !told.insert(dying[i]).second) continue;
                if (!call_hooks(dying[i], archetype_of(dying[i])->components())) return false;
            }
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool World::destroy_special(Entity entity) {
    internal::t_steps_on_the_way += 8;
    Location location;
    static_cast<void>(index_.find(entity, location));
    Archetype* archetype = &graph_.at(units_.archetype[location.unit()]);
    if (archetype->is_hooked()) {
        // Found before a handler is called: then the rest seldom fails.
        if (archetype->has_cleanup() && graph_.destroying(*archetype) == nullptr) return false;
        if (!tell_of_death(entity)) return false;
        if (!index_.find(entity, location)) return true;  // a handler destroyed it
        archetype = &graph_.at(units_.archetype[location.unit()]);
        if (!archetype->has_cleanup() && internal::dies_alone(*this, entity)) {
            tell_keepers(entity, archetype->components());
            --entity_count_;
            return free_row(entity, location, *archetype);
        }
        internal::RowPlan plan(*this);
        const bool is_possible = internal::plan_death(*this, entity, plan);
        if (is_possible) plan.finish();
        return is_possible;
    }
    if (!archetype->has_cleanup()) {
        --entity_count_;
        return free_row(entity, location, *archetype);
    }
    if (!move_special(entity, location, *archetype, graph_.destroying(*archetype), {}, true)) return false;
    --entity_count_;
    return true;
}

// Removes a component along an edge that is not plain, or from a held entity.
bool World::remove_special(Entity entity, ComponentId component) {
    Location location;
    if (!locate(entity, location) || component == graph_.destroyed_tag()) return false;
    if (is_bound<Parent>() && component == id<Parent>()) return set_parent(*this, entity, Entity{}).ok();
    if (graph_.is_hooked(component) && is_alive(entity)) return change(entity, {}, {&component, 1});
    Archetype& archetype = graph_.at(units_.archetype[location.unit()]);
    const ArchetypeTransition* transition = graph_.removing(archetype, component);
    if (transition == nullptr) return false;
    if (transition->target == &archetype) return true;
    const bool is_held = archetype.is_destroyed();
    if (is_held && transition->target->components().size() == 1) return free_row(entity, location, archetype);
    return move_special(entity, location, archetype, transition, {}, is_held);
}

}  // namespace perigee
