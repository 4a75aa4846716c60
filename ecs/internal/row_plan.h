// Changes to several entities that happen together or not at all.
//
// Invariant: move() takes the row that its entity will have, so all that may run out of memory has happened
// when finish() begins; a plan that is not finished gives all rows back, and nothing has changed. Between the
// first move() and finish() nobody else may change the world. Source of the idea: two-phase commit.
#pragma once

#include "ecs/component_value.h"
#include "ecs/entity.h"
#include "ecs/location.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perigee {
class World;
struct ArchetypeTransition;
}  // namespace perigee

namespace perigee::internal {

class RowPlan {
public:
    explicit RowPlan(World& world) noexcept : world_(world) {}
    ~RowPlan();
    RowPlan(const RowPlan&) = delete;
    RowPlan& operator=(const RowPlan&) = delete;

    /// The entity goes along `way`, which starts at its archetype; null stands for memory that is exhausted.
    /// `given` lasts until finish(). With `is_held` it is destroyed by that. False when memory is exhausted.
    /// Expects: no entity is named twice in a plan; where the way leads nowhere else, `given` has only shared
    /// values.
    bool move(Entity entity, const ArchetypeTransition* way, std::span<const ComponentValue> given = {},
              bool is_held = false);
    /// Components come and go; see World::change.
    bool change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove);
    /// Another value of a shared component that it has.
    bool set_shared(Entity entity, const ComponentValue& value);
    /// The entity goes, its id too, and cleanup components do not hold it. False when memory is exhausted.
    bool end(Entity entity) noexcept;
    /// A living entity is destroyed: it ends, or is held where it has cleanup components.
    bool destroy(Entity entity);

    /// Calls the handlers (World::on_remove) of the entity and all below it, as its destruction would. False
    /// when memory is exhausted. Before the plan: they may change the world.
    static bool tell_handlers(World& world, Entity entity);

    /// Does it all: first those are told that keep books (World::keep_books), while every row is still at its
    /// place, then the rows go.
    void finish() noexcept;

private:
    struct Move {
        Entity entity;
        Location from;
        Location to;
        const ArchetypeTransition* way;
        std::span<const ComponentValue> given;
        bool is_held;
    };

    World& world_;
    std::vector<Move> moves_;
    std::vector<Entity> ends_;
    std::vector<Location> left_;  ///< where the moved ones stood; has room for all
    bool is_finished_ = false;
};

}  // namespace perigee::internal
