// What follows when an entity dies or loses a component: handlers of the host, hooks of components whose data
// is also kept outside the rows, and entities that depend on it.
//
// Invariant: handlers run first and may change the world. Then the change is planned, with its consequences.
// Component hooks run last, when nothing can fail any more. The world knows no relation: the hierarchy
// registers itself here.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

class RowPlan;

/// All rows of a component that a world is about to have, instead of those that it has.
class ComingRows {
public:
    virtual void each(ComponentId component,
                      const std::function<void(Entity, const std::byte* cell)>& fn) const = 0;

protected:
    ~ComingRows() = default;
};

/// For components with data outside their rows, such as the index of names.
struct ComponentHooks {
    /// Called at the removal, when nothing can fail any more. Makes no structural change. May be null.
    void (*on_removed)(World&, Entity) noexcept = nullptr;
    /// Carries out World::remove of this component. Null: only the component is removed.
    using Remover = bool (*)(World&, Entity);
    Remover remove = nullptr;
    /// When all rows are replaced at once: `prepare` makes the data for the coming rows and may throw
    /// std::bad_alloc; `replace` puts it into use, after the rows are. Both null for data that needs neither.
    std::shared_ptr<void> (*prepare)(ComponentId component, const ComingRows& rows) = nullptr;
    void (*replace)(World&, void* prepared) noexcept = nullptr;
};

/// The dependence of entities on others, such as children on parents. Functions that return a bool return
/// false when memory is exhausted.
struct Dependents {
    /// An entity and all that die with it, each after the one it depends on. May throw std::bad_alloc.
    std::vector<Entity> (*subtree)(const World&, Entity top);
    /// True if destroying the entity affects no other entity.
    bool (*dies_alone)(const World&, Entity) noexcept;
    /// Plans the destruction of an entity and its dependents.
    bool (*plan_death)(World&, Entity top, RowPlan& plan);
    /// Plans what follows for other entities when an entity loses these components; its own row is not
    /// included.
    bool (*plan_leaving)(World&, Entity, std::span<const ComponentId> leaving, RowPlan& plan);
};

class RemovalHooks {
public:
    using Handler = std::function<void(World&, Entity)>;

    explicit RemovalHooks(World& world) noexcept : world_(world) {}

    void set_handler(ComponentId component, Handler handler);
    /// The last call for a component counts.
    void set_component_hooks(ComponentId component, const ComponentHooks& hooks);
    /// One for the world.
    void set_dependents(const Dependents& dependents) noexcept { dependents_ = dependents; }

    bool has_handlers() const noexcept { return !handlers_.empty(); }
    /// Calls the handlers of these components of an entity. False when one ran out of memory: the entity
    /// stays as it is then.
    bool call(Entity entity, std::span<const ComponentId> components);
    /// Calls the handlers of all entities that will die with an entity, the last dependents first, including
    /// entities that a handler adds there. False when memory is exhausted.
    bool call_for_death(Entity top);

    /// Calls on_removed of these components (sorted) for an entity that loses them.
    void run_component_hooks(Entity entity, std::span<const ComponentId> leaving) noexcept;
    /// ComponentHooks::remove of the component; null if there is none.
    ComponentHooks::Remover remover(ComponentId component) const noexcept;
    std::span<const std::pair<ComponentId, ComponentHooks>> component_hooks() const noexcept {
        return component_hooks_;
    }

    bool dies_alone(Entity entity) const noexcept;
    bool plan_death(Entity top, RowPlan& plan);
    bool plan_leaving(Entity entity, std::span<const ComponentId> leaving, RowPlan& plan);

private:
    World& world_;
    std::map<ComponentId, Handler> handlers_;
    std::vector<std::pair<ComponentId, ComponentHooks>> component_hooks_;  ///< in order of the first call
    Dependents dependents_{};
};

}  // namespace perigee::internal
