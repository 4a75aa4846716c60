// One line each; what needs explaining stands where it is implemented, in ecs/.
#include "scripting/internal/world_api.h"

#include "ecs/command_buffer.h"
#include "ecs/world.h"
#include "scripting/script_system.h"

#include <cstdint>
#include <cstring>

namespace perigee::internal {

namespace {

World& world_at(void* world) noexcept { return *static_cast<World*>(world); }
CommandBuffer& commands_of(void* system) noexcept { return static_cast<ScriptSystem*>(system)->commands(); }
ComponentId component_id(std::uint32_t number) noexcept {
    return ComponentId{static_cast<std::uint16_t>(number)};
}

const void* get(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).get(entity_from_number(entity), component_id(component));
}
void* edit(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).edit(entity_from_number(entity), component_id(component));
}
bool has(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).has(entity_from_number(entity), component_id(component));
}
bool is_alive(void* world, double entity) noexcept {
    return world_at(world).is_alive(entity_from_number(entity));
}
double entity_count(void* world) noexcept { return static_cast<double>(world_at(world).entity_count()); }
void* resource_data(void* world, std::uint32_t component) noexcept {
    return world_at(world).resources().data(component_id(component));
}

double spawn_empty(void* world) noexcept { return number_from_entity(world_at(world).spawn()); }
double spawn(void* world, std::uint32_t prefab) noexcept {
    return number_from_entity(world_at(world).spawn(PrefabId{prefab}));
}
bool destroy(void* world, double entity) noexcept {
    return world_at(world).destroy(entity_from_number(entity));
}
bool add(void* world, double entity, std::uint32_t component, const void* value) noexcept {
    return world_at(world).add(entity_from_number(entity), component_id(component), value);
}
bool remove(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).remove(entity_from_number(entity), component_id(component));
}
bool set(void* world, double entity, std::uint32_t component, const void* value) noexcept {
    return world_at(world).set(entity_from_number(entity), component_id(component), value);
}

double command_spawn_empty(void* system) noexcept { return number_from_entity(commands_of(system).spawn()); }
double command_spawn(void* system, std::uint32_t prefab) noexcept {
    return number_from_entity(commands_of(system).spawn(PrefabId{prefab}));
}
void command_spawn_many(void* system, std::uint32_t prefab, std::uint32_t count,
                        std::int32_t initializer) noexcept {
    static_cast<ScriptSystem*>(system)->spawn_many(PrefabId{prefab}, count, initializer);
}
void command_destroy(void* system, double entity) noexcept {
    commands_of(system).destroy(entity_from_number(entity));
}
void command_add(void* system, double entity, std::uint32_t component, const void* value) noexcept {
    commands_of(system).add(entity_from_number(entity), component_id(component), value);
}
void command_remove(void* system, double entity, std::uint32_t component) noexcept {
    commands_of(system).remove(entity_from_number(entity), component_id(component));
}
void command_set(void* system, double entity, std::uint32_t component, const void* value) noexcept {
    commands_of(system).set(entity_from_number(entity), component_id(component), value);
}

/// Bytes of a string(n) before its padding.
std::uint32_t text_length(const void* bytes, std::uint32_t capacity) noexcept {
    const void* end = std::memchr(bytes, 0, capacity);
    if (end == nullptr) return capacity;
    return static_cast<std::uint32_t>(static_cast<const char*>(end) - static_cast<const char*>(bytes));
}

}  // namespace

std::vector<NativeFunction> world_functions() {
    return {
        native_function("world_get", &get),
        native_function("world_edit", &edit),
        native_function("world_has", &has),
        native_function("world_is_alive", &is_alive),
        native_function("world_entity_count", &entity_count),
        native_function("resource_data", &resource_data),
        native_function("world_spawn_empty", &spawn_empty),
        native_function("world_spawn", &spawn),
        native_function("world_destroy", &destroy),
        native_function("world_add", &add),
        native_function("world_remove", &remove),
        native_function("world_set", &set),
        native_function("command_spawn_empty", &command_spawn_empty),
        native_function("command_spawn", &command_spawn),
        native_function("command_spawn_many", &command_spawn_many),
        native_function("command_destroy", &command_destroy),
        native_function("command_add", &command_add),
        native_function("command_remove", &command_remove),
        native_function("command_set", &command_set),
        native_function("text_length", &text_length),
    };
}

}  // namespace perigee::internal
