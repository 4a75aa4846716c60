// Reads and writes the cell. The store counts references and frees objects.
#include "ecs/world/objects.h"

#include "ecs/schema/registry.h"

#include <cstring>
#include <new>

namespace perigee {

namespace {

void expect_object(const World& world, ComponentId component) {
    const ComponentInfo& info = world.registry().info(component);
    ECS_EXPECTS(info.kind() == ComponentKind::object, info.schema.name);
}

}  // namespace

bool set_object(World& world, Entity entity, ComponentId component, std::shared_ptr<void> object,
                ObjectOwner owner, const std::type_info* type) {
    expect_object(world, component);
    std::byte* const cell = world.edit(entity, component);
    if (cell == nullptr) return false;
    ObjectSlot slot;
    std::memcpy(&slot, cell, sizeof slot);
    // The cell is written first: a destructor may read it.
    const std::shared_ptr<void> before = world.objects().get(slot);
    try {
        world.objects().assign(slot, std::move(object), owner, type);
    } catch (const std::bad_alloc&) {
        return false;
    }
    std::memcpy(cell, &slot, sizeof slot);
    return true;
}

ObjectSlot object_slot(const World& world, Entity entity, ComponentId component) {
    expect_object(world, component);
    ObjectSlot slot = 0;
    if (const std::byte* cell = world.get(entity, component)) std::memcpy(&slot, cell, sizeof slot);
    return slot;
}

}  // namespace perigee
