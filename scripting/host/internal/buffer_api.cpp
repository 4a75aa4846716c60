// One line each; ecs/storage/buffer.h documents buffers.
#include "scripting/host/internal/buffer_api.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/world.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/script_system.h"

#include <algorithm>
#include <cstdint>

namespace perigee::internal {

namespace {

// Lua compares the structure version itself, so the handle made here is always fresh.
constexpr std::uint64_t kFresh = 0;

DynamicBuffer buffer_at(void* world, std::uint32_t component, void* cell,
                        std::uint32_t inline_capacity) noexcept {
    World& owner = world_at(world);
    return DynamicBuffer(*static_cast<BufferHeader*>(cell), inline_capacity,
                         owner.registry().info(component_at(component)), owner.buffers(), kFresh);
}

std::uint64_t heap_bytes(const BufferHeader& header, std::uint64_t size) noexcept {
    return header.heap != 0 ? BufferPool::block_bytes(header.heap_capacity * size) : 0;
}

/// True if the buffer may take memory for this many elements. Asks only if it has to grow.
bool may_hold(void* world, std::uint32_t component, const BufferHeader& header, std::uint32_t inline_capacity,
              std::uint64_t wanted) noexcept {
    const std::uint32_t capacity = header.heap != 0 ? header.heap_capacity : inline_capacity;
    WorldShare* const share = share_of_thread();
    if (wanted <= capacity || share == nullptr) return true;
    const std::uint64_t size = world_at(world).registry().info(component_at(component)).schema.size;
    if (wanted > kMaxBufferBytes / std::max<std::uint64_t>(size, 1)) return true;  // refused anyway
    const std::uint64_t heap = heap_bytes(header, size);
    const std::uint64_t bytes = BufferPool::block_bytes(std::max(wanted, std::uint64_t{capacity} * 2) * size);
    return share->ask_at_once(MemoryKind::buffers, bytes > heap ? bytes - heap : 0);
}

bool insert(void* world, std::uint32_t component, void* cell, std::uint32_t inline_capacity,
            std::uint32_t index, const void* element) noexcept {
    const auto& header = *static_cast<const BufferHeader*>(cell);
    if (!may_hold(world, component, header, inline_capacity, std::uint64_t{header.length} + 1)) return false;
    return buffer_at(world, component, cell, inline_capacity).insert(index, element);
}
bool resize(void* world, std::uint32_t component, void* cell, std::uint32_t inline_capacity,
            std::uint32_t length) noexcept {
    if (!may_hold(world, component, *static_cast<const BufferHeader*>(cell), inline_capacity, length))
        return false;
    return buffer_at(world, component, cell, inline_capacity).resize(length);
}
void remove_element(void* world, std::uint32_t component, void* cell, std::uint32_t index) noexcept {
    buffer_at(world, component, cell, 0).remove(index);
}
bool trim(void* world, std::uint32_t component, void* cell, std::uint32_t inline_capacity) noexcept {
    const auto& header = *static_cast<const BufferHeader*>(cell);
    const std::uint64_t size = world_at(world).registry().info(component_at(component)).schema.size;
    const std::uint64_t before = heap_bytes(header, size);
    const bool is_done = buffer_at(world, component, cell, inline_capacity).trim();
    const std::uint64_t after = heap_bytes(header, size);
    if (WorldShare* const share = share_of_thread(); share != nullptr && after < before)
        share->unmake(MemoryKind::buffers, before - after);
    return is_done;
}
std::uint32_t inline_capacity(void* world, std::uint32_t component) noexcept {
    return world_at(world).registry().info(component_at(component)).schema.buffer_capacity;
}
double max_elements(void* world, std::uint32_t component) noexcept {
    BufferHeader nothing;
    return buffer_at(world, component, &nothing, 0).max_length();
}

/// Address of the world's structure version. Expects: the entity is alive.
const void* structure_place(void* world, double entity) noexcept {
    return world_at(world).archetype_of(entity_from_number(entity))->buffer_source.structure_version;
}

/// The header of a buffer that is filled before playback; null when the commands are closed.
void* command_buffer(void* system, double entity, std::uint32_t component, bool is_set) noexcept {
    CommandBuffer& commands = static_cast<ScriptSystem*>(system)->commands();
    return commands.filled_header(entity_from_number(entity), component_at(component), is_set);
}

// ---- whole lists, C.Path { … } ----

/// Replaces the elements of the entity's buffer. Returns false and changes nothing when memory is exhausted.
/// Expects: the entity has the component.
bool assign(void* world, double entity, std::uint32_t component, const void* elements,
            std::uint32_t count) noexcept {
    return world_at(world)
        .buffer(entity_from_number(entity), component_at(component))
        .assign(elements, count);
}

/// The same at playback. Returns false and records nothing when memory is exhausted.
bool command_assign(void* of_world, void* system, double entity, std::uint32_t component,
                    const void* elements, std::uint32_t count, bool is_set) noexcept {
    World& world = world_at(of_world);
    CommandBuffer& commands = static_cast<ScriptSystem*>(system)->commands();
    const ComponentId id = component_at(component);
    const ComponentInfo& info = world.registry().info(id);
    BufferHeader whole;
    if (!may_hold(of_world, component, whole, 0, count)) return false;
    if (!DynamicBuffer(whole, 0, info, world.buffers(), kFresh).assign(elements, count)) return false;
    const Entity subject = entity_from_number(entity);
    DynamicBuffer filled = is_set ? commands.set_buffer(subject, id) : commands.add_buffer(subject, id);
    if (filled) {
        filled.take(whole);
    } else {
        release_buffer(whole, info.schema.size, world.buffers());
    }
    return true;
}

}  // namespace

std::vector<NativeFunction> buffer_functions() {
    return {
        native_function<&insert>("buffer_insert"),
        native_function<&resize>("buffer_resize"),
        native_function<&remove_element>("buffer_remove"),
        native_function<&trim>("buffer_trim"),
        native_function<&inline_capacity>("buffer_inline_capacity"),
        native_function<&max_elements>("buffer_max_elements"),
        native_function<&structure_place>("buffer_structure_place"),
        native_function<&command_buffer>("command_buffer"),
        native_function<&assign>("buffer_assign"),
        native_function<&command_assign>("command_assign"),
    };
}

}  // namespace perigee::internal
