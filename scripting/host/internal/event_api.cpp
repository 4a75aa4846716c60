// One line each; ecs/events/system_events.h documents events.
#include "scripting/host/internal/event_api.h"

#include "ecs/events/event_writer.h"
#include "ecs/world/world.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/script_system.h"

#include <cstdint>
#include <new>

namespace perigee::internal {

namespace {

/// Null when memory is exhausted.
void* event_view(void* system, std::uint32_t event, bool is_writing) noexcept {
    try {
        EventViews::Pair& views = system_at(system).event_views().of(component_at(event));
        return is_writing ? &views.writing : &views.reading;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void event_read(void* system, std::uint32_t event) noexcept {
    system_at(system).read_events(component_at(event));
}
bool event_send(void* system, std::uint32_t event, const void* row) noexcept {
    return system_at(system).send_event(component_at(event), row);
}
bool event_send_many(void* system, std::uint32_t event, double count) noexcept {
    return system_at(system).send_events(component_at(event), static_cast<std::size_t>(count));
}
bool world_send(void* world, std::uint32_t event, const void* row) noexcept {
    EventWriter writer(*static_cast<World*>(world));
    writer.send(component_at(event), row);
    return !writer.overflow() && !writer.deliver();
}

}  // namespace

std::vector<NativeFunction> event_functions() {
    return {
        native_function<&event_view>("event_view"), native_function<&event_read>("event_read"),
        native_function<&event_send>("event_send"), native_function<&event_send_many>("event_send_many"),
        native_function<&world_send>("world_send"),
    };
}

}  // namespace perigee::internal
