// Random access by entity inside a visit: the target's position, the parent's health.
//
// Invariant: a system looks up only what it declared (SystemDesc::access or its query), so that the schedule
// knows about it. `const T` reads, `T` writes and marks the chunk's column as changed. Kind and access are
// checked when a look-up is created, so a `get` is random access and nothing else. It finds rows and changes
// values, never structure.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/relations/sources.h"
#include "ecs/schedule/system.h"
#include "ecs/world/world.h"

#include <span>
#include <type_traits>
#include <vector>

namespace perigee {

namespace internal {

// The component id for a look-up of T, if the running system may look it up.
template <typename T> ComponentId component_to_look_up(const SystemContext& context, TypedUse use) {
    const ComponentId component = context.world.types().id<T>(use);
    ECS_EXPECTS(context.system == nullptr ||
                    declares(*context.system, component, std::is_const_v<T> ? Access::read : Access::write),
                context.system->name, context.world.registry().info(component).schema.name,
                "access that the system did not declare");
    return component;
}

}  // namespace internal

template <typename T> class Lookup {
    using Component = std::remove_const_t<T>;
    static constexpr bool kWrites = !std::is_const_v<T>;
    static constexpr TypedUse kUse = kWrites ? TypedUse::edit : TypedUse::read;

public:
    /// Expects: T is bound to a component with values (not a shared one for a look-up that writes); the
    /// system declared `T` as read, or as written when T is not const.
    explicit Lookup(const SystemContext& context)
        : world_(context.world), component_(internal::component_to_look_up<T>(context, kUse)) {}
    /// For use outside systems.
    explicit Lookup(World& world) : world_(world), component_(world.types().id<T>(kUse)) {}

    bool has(Entity entity) const noexcept { return world_.has(entity, component_); }

    /// The entity's value; null when it is not alive or lacks the component.
    /// Lifetime: until the next structural change. Cost: two cache misses.
    T* get(Entity entity) const {
        if constexpr (kWrites) {
            return reinterpret_cast<T*>(world_.edit(entity, component_));
        } else {
            return world_.template value<Component>(entity, component_);
        }
    }

    /// Expects: the entity has it.
    T& operator[](Entity entity) const {
        T* const value = get(entity);
        ECS_EXPECTS(value != nullptr, "no such component of this entity", entity.bits);
        return *value;
    }

private:
    World& world_;
    ComponentId component_;
};

/// The entities whose relation T points at `target`; see ecs/relations/sources.h.
/// Expects: T is bound to a relation that the system declared as read or written.
template <typename T> std::vector<Entity> sources_of(const SystemContext& context, Entity target) {
    return sources_of(context.world, internal::component_to_look_up<const T>(context, TypedUse::read),
                      target);
}

/// Buffers by entity: Lookup<Buffer<Waypoint>> gives a BufferView, Lookup<Buffer<const Waypoint>> a span.
template <typename T> class Lookup<Buffer<T>> {
    using Element = std::remove_const_t<T>;

public:
    using Found = typename BufferColumn<T>::Row;

    /// Expects: T is bound to a buffer; the system declared it as read, or as written when T is not const.
    explicit Lookup(const SystemContext& context)
        : world_(context.world), component_(internal::component_to_look_up<T>(context, TypedUse::buffer)) {}
    /// For use outside systems.
    explicit Lookup(World& world) : world_(world), component_(world.types().id<T>(TypedUse::buffer)) {}

    bool has(Entity entity) const noexcept { return world_.has(entity, component_); }

    /// The entity's buffer; empty when it is dead or has none. Lifetime: until the next structural change.
    Found get(Entity entity) const {
        if constexpr (std::is_const_v<T>) {
            return world_.template elements_of<Element>(entity, component_);
        } else {
            return world_.template buffer_of<Element>(entity, component_);
        }
    }

    /// Expects: the entity has it.
    Found operator[](Entity entity) const {
        ECS_EXPECTS(has(entity), "no such component of this entity", entity.bits);
        return get(entity);
    }

private:
    World& world_;
    ComponentId component_;
};

}  // namespace perigee
