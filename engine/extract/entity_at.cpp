// A walk over all positions.
#include "engine/extract/entity_at.h"

#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/world.h"
#include "engine/extract/components.h"

#include <cstring>

namespace perigee {

namespace {

float coordinate(const std::byte* cell, const Field& field) {
    float value = 0;
    std::memcpy(&value, cell + field.offset, sizeof value);
    return value;
}

const Field* number_of(const Schema& schema, std::string_view name) {
    const Field* const field = schema.field(name);
    return field != nullptr && field->type == FieldType::f32 && field->array_length == 0 ? field : nullptr;
}

}  // namespace

Entity entity_at(const World& world, float x, float y, float screen_width, float screen_height) {
    const std::optional<ComponentId> position = world.registry().find(kPositionName);
    const std::optional<ComponentId> of_camera = world.registry().find(kCameraName);
    if (!position || !of_camera) return {};
    const ComponentInfo& info = world.registry().info(*position);
    const Field* const left = number_of(info.schema, "x");
    const Field* const top = number_of(info.schema, "y");
    if (left == nullptr || top == nullptr || !info.has_column()) return {};
    Camera camera;
    std::memcpy(&camera, world.resources().data(*of_camera), sizeof camera);
    if (!(camera.zoom > 0)) return {};
    const float at_x = camera.x + (x - screen_width / 2) / camera.zoom;
    const float at_y = camera.y + (y - screen_height / 2) / camera.zoom;
    const float reach = kEntityReach / camera.zoom;
    float nearest = reach * reach;
    Entity found;
    internal::each_cell(world, info, [&](Entity entity, const std::byte* cell) {
        const float dx = coordinate(cell, *left) - at_x;
        const float dy = coordinate(cell, *top) - at_y;
        const float distance = dx * dx + dy * dy;
        if (!(distance <= nearest)) return;
        nearest = distance;
        found = entity;
    });
    return found;
}

}  // namespace perigee
