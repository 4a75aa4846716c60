// Changes to several entities that happen together or not at all.
//
// Invariant: move() already takes the entity's new row, so every step that may run out of memory is done when
// finish() begins. An unfinished plan returns all rows, and nothing has changed. Between the first move() and
// finish() no other code may change the world. Source of the idea: two-phase commit.
#pragma once

#include "ecs/archetype/location.h"
#include "ecs/base/entity.h"
#include "ecs/world/component_value.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perigee {
class World;
struct ArchetypeEdge;
}  // namespace perigee

namespace perigee::internal {

class EntityStore;

class RowPlan {
public:
    explicit RowPlan(World& world) noexcept;
    ~RowPlan();
    RowPlan(const RowPlan&) = delete;
    RowPlan& operator=(const RowPlan&) = delete;

    /// Moves the entity along an edge from its archetype; a null edge means exhausted memory. `given` must
    /// live until finish(). With `is_destroyed`, the move destroys the entity. False when memory is
    /// exhausted. Expects: each entity appears once in a plan; if the edge leads to the same archetype,
    /// `given` has only shared values.
    bool move(Entity entity, const ArchetypeEdge* edge, std::span<const ComponentValue> given = {},
              bool is_destroyed = false);
    /// Adds and removes components; see World::change.
    bool change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove);
    /// Changes the value of a shared component that the entity has.
    bool set_shared(Entity entity, const ComponentValue& value);
    /// Removes the entity and frees its id, even if it has cleanup components. False when memory is
    /// exhausted.
    bool erase(Entity entity) noexcept;
    /// Destroys a living entity: its row is removed, or keeps only its cleanup components.
    bool destroy(Entity entity);

    /// Calls the handlers (World::on_remove) of the entity and its descendants, as its destruction would.
    /// False when memory is exhausted. Call it before the plan, since handlers may change the world.
    static bool call_handlers(World& world, Entity entity);

    /// Carries out the plan: runs the component hooks while every row is still in place, then moves and
    /// removes the rows.
    void finish() noexcept;

private:
    struct Move {
        Entity entity;
        Location from;
        Location to;
        const ArchetypeEdge* edge;
        std::span<const ComponentValue> given;
        bool is_destroyed;
    };

    World& world_;
    EntityStore& store_;
    std::vector<Move> moves_;
    std::vector<Entity> ends_;
    std::vector<Location> left_;  ///< old locations of the moved rows; has room for all
    bool is_finished_ = false;
};

}  // namespace perigee::internal
