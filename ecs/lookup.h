// Random access by entity inside a visit: the target's position, the parent's health.
//
// Invariant: a system looks up only what it declared (SystemDesc::access or its query), so that whoever
// orders systems knows of it. `const T` reads, `T` writes and marks the chunk's column as changed. It finds
// rows and changes values, never structure.
#pragma once

#include "ecs/contract.h"
#include "ecs/system.h"
#include "ecs/world.h"

#include <type_traits>

namespace perigee {

template <typename T> class Lookup {
    using Component = std::remove_const_t<T>;
    static constexpr bool kWrites = !std::is_const_v<T>;

public:
    /// Expects: the system declared `T` as read, or as written when T is not const.
    explicit Lookup(const SystemContext& context) : Lookup(context.world) {
        ECS_EXPECTS(context.system == nullptr ||
                        declares(*context.system, component_, kWrites ? Access::write : Access::read),
                    context.system->name, context.world.registry().info(component_).schema.name,
                    "access that the system did not declare");
    }
    /// Outside systems.
    explicit Lookup(World& world) : world_(world), component_(world.id<Component>()) {}

    bool has(Entity entity) const noexcept { return world_.has(entity, component_); }

    /// The entity's value; null when it is not alive or has none.
    /// Lifetime: until the next structural change. Cost: two cache misses.
    T* get(Entity entity) const {
        if constexpr (kWrites) {
            return reinterpret_cast<T*>(world_.edit(entity, component_));
        } else {
            return world_.get<Component>(entity, component_);
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

}  // namespace perigee
