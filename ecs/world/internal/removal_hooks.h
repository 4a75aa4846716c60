// What follows when an entity dies or loses a component: handlers of the host, books kept outside the rows,
// and entities that depend on it.
//
// Invariant: handlers run first and may change the world; then the change is planned, with its consequences;
// books are updated when nothing can fail any more. The world knows no relation: the hierarchy registers
// itself here.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

class RowPlan;

/// For data kept outside the rows of a component, such as the index of names.
struct Books {
    /// Called at the moment of removal, when nothing can fail any more. It makes no structural change. May be
    /// null.
    void (*forget)(World&, Entity) noexcept = nullptr;
    /// Carries out World::remove of this component; null: it is removed alone.
    using Remover = bool (*)(World&, Entity);
    Remover remove = nullptr;
};

/// Entities that share the fate of another one. Functions that return a bool return false when memory is
/// exhausted.
struct Dependents {
    /// An entity and all that die with it, in the order of dependence. May throw std::bad_alloc.
    std::vector<Entity> (*subtree)(const World&, Entity top);
    /// True if destroying the entity affects no other entity.
    bool (*dies_alone)(const World&, Entity) noexcept;
    /// Plans the destruction of an entity and its dependents.
    bool (*plan_death)(World&, Entity top, RowPlan& plan);
    /// Plans what follows for others when these components leave an entity. Does not cover its own row.
    bool (*plan_leaving)(World&, Entity, std::span<const ComponentId> leaving, RowPlan& plan);
};

class RemovalHooks {
public:
    using Handler = std::function<void(World&, Entity)>;

    explicit RemovalHooks(World& world) noexcept : world_(world) {}

    void set_handler(ComponentId component, Handler handler);
    /// The last call for a component counts.
    void keep(ComponentId component, const Books& books);
    /// One for the world.
    void set_dependents(const Dependents& dependents) noexcept { dependents_ = dependents; }

    bool has_handlers() const noexcept { return !handlers_.empty(); }
    /// Calls the handlers of these components of an entity. False when one ran out of memory: the entity
    /// stays as it is then.
    bool call(Entity entity, std::span<const ComponentId> components);
    /// Calls the handlers of all entities that will die with an entity, the last dependents first, including
    /// entities that a handler adds there. False when memory is exhausted.
    bool call_for_death(Entity top);

    /// Updates the books of an entity that loses these components (sorted).
    void update_books(Entity entity, std::span<const ComponentId> leaving) noexcept;
    /// The books' own way to remove the component; null if there is none.
    Books::Remover remover(ComponentId component) const noexcept;

    bool dies_alone(Entity entity) const noexcept;
    bool plan_death(Entity top, RowPlan& plan);
    bool plan_leaving(Entity entity, std::span<const ComponentId> leaving, RowPlan& plan);

private:
    World& world_;
    std::map<ComponentId, Handler> handlers_;
    std::vector<std::pair<ComponentId, Books>> books_;  ///< in order of the first call
    Dependents dependents_{};
};

}  // namespace perigee::internal
