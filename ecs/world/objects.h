// The objects that object components refer to: C++ values of any type, owned together.
//
// Invariant: the cell of the component has the number of the object in World::objects(); setting it moves no
// row, and no handle becomes stale. For the main thread.
#pragma once

#include "ecs/base/contract.h"
#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/world.h"

#include <memory>
#include <typeinfo>
#include <utility>

namespace perigee {

/// False when the entity is dead, lacks it, or memory is exhausted. Expects: a component of kind object.
bool set_object(World& world, Entity entity, ComponentId component, std::shared_ptr<void> object,
                ObjectOwner owner, const std::type_info* type);
template <typename T>
bool set_object(World& world, Entity entity, ComponentId component, std::shared_ptr<T> object) {
    return set_object(world, entity, component, std::move(object), 0, &typeid(T));
}

/// The place of the entity's object in the store; 0 when there is none.
ObjectSlot object_slot(const World& world, Entity entity, ComponentId component);
/// Null when the component refers to none or its owner is gone. Expects: T is the type it was set with.
template <typename T> std::shared_ptr<T> object_of(const World& world, Entity entity, ComponentId component) {
    const ObjectStore& objects = world.objects();
    const ObjectSlot slot = object_slot(world, entity, component);
    ECS_EXPECTS(objects.get(slot) == nullptr || *objects.type(slot) == typeid(T));
    return std::static_pointer_cast<T>(objects.get(slot));
}

}  // namespace perigee
