// Handlers and hooks by component. In a world without dependents each subtree is one entity.
#include "ecs/world/internal/removal_hooks.h"

#include "ecs/world/internal/row_plan.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <set>

namespace perigee::internal {

void RemovalHooks::set_handler(ComponentId component, Handler handler) {
    handlers_[component] = std::move(handler);
}

void RemovalHooks::set_component_hooks(ComponentId component, const ComponentHooks& hooks) {
    for (auto& [hooked, current] : component_hooks_) {
        if (hooked != component) continue;
        current = hooks;
        return;
    }
    component_hooks_.emplace_back(component, hooks);
}

bool RemovalHooks::call(Entity entity, std::span<const ComponentId> components) {
    if (handlers_.empty()) return true;
    try {
        const std::vector<ComponentId> all(components.begin(),
                                           components.end());  // handlers may create archetypes
        for (const ComponentId component : all) {
            const auto handler = handlers_.find(component);
            if (handler != handlers_.end() && world_.is_alive(entity) && world_.has(entity, component))
                handler->second(world_, entity);
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool RemovalHooks::call_for_death(Entity top) {
    if (handlers_.empty()) return true;
    try {
        std::set<Entity> handled;
        for (std::size_t before = SIZE_MAX; handled.size() != before;) {
            before = handled.size();
            const std::vector<Entity> dying =
                dependents_.subtree == nullptr ? std::vector<Entity>{top} : dependents_.subtree(world_, top);
            for (std::size_t i = dying.size(); i-- > 0;) {
                if (!world_.is_alive(dying[i]) || !handled.insert(dying[i]).second) continue;
                if (!call(dying[i], world_.archetype_of(dying[i])->components())) return false;
            }
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void RemovalHooks::run_component_hooks(Entity entity, std::span<const ComponentId> leaving) noexcept {
    for (const auto& [component, hooks] : component_hooks_) {
        if (hooks.on_removed != nullptr && std::binary_search(leaving.begin(), leaving.end(), component))
            hooks.on_removed(world_, entity);
    }
}

ComponentHooks::Remover RemovalHooks::remover(ComponentId component) const noexcept {
    for (const auto& [hooked, hooks] : component_hooks_) {
        if (hooked == component) return hooks.remove;
    }
    return nullptr;
}

bool RemovalHooks::dies_alone(Entity entity) const noexcept {
    return dependents_.dies_alone == nullptr || dependents_.dies_alone(world_, entity);
}

bool RemovalHooks::plan_death(Entity top, RowPlan& plan) {
    return dependents_.plan_death == nullptr ? plan.destroy(top) : dependents_.plan_death(world_, top, plan);
}

bool RemovalHooks::plan_leaving(Entity entity, std::span<const ComponentId> leaving, RowPlan& plan) {
    return dependents_.plan_leaving == nullptr || dependents_.plan_leaving(world_, entity, leaving, plan);
}

}  // namespace perigee::internal
