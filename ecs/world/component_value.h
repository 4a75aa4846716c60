// Parameter and result types of the world's functions for components whose type is known only at run time: an
// id and a pointer to the bytes. None of them owns bytes.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "ecs/storage/shared_store.h"

#include <cstddef>

namespace perigee {

/// A component and the bytes of its value; null for the schema's defaults. A value for a chunk component is
/// written to the chunk in which the row lands.
struct ComponentValue {
    ComponentId component;
    const std::byte* value = nullptr;
};

/// One of the distinct values of a shared component.
struct SharedValue {
    SharedIndex index;
    const std::byte* value;  ///< lifetime: until the next structural change
    std::size_t entities;
    std::size_t chunks;
};

/// A component to add to or remove from one entity, among many.
struct ComponentChange {
    Entity entity;
    const std::byte* value = nullptr;  ///< the row's bytes; null for the schema's defaults, and to remove
};

}  // namespace perigee
