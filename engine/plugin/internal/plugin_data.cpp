// Each function checks its arguments, and then makes the plugin's C call in C++.
#include "engine/plugin/internal/plugin_data.h"

#include "ecs/events/system_events.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/event_store.h"
#include "engine/base/error_codes.h"
#include "engine/plugin/internal/plugin_host.h"

#include <fmt/format.h>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

const ComponentInfo& info_of(const PluginContext& context, PerigeeComponent component) noexcept {
    return context.system.world.registry().info(ComponentId{component});
}

// Expects: a type of this world.
bool is_of_kind(PluginContext& context, PerigeeComponent component, ComponentKind wanted) {
    const ComponentInfo& info = info_of(context, component);
    if (info.kind() == wanted) return true;
    fail_run(context,
             fmt::format(e::kPluginWrongKind, info.schema.name, kind_name(info.kind()), kind_name(wanted)));
    return false;
}

bool may_use(PluginContext& context, PerigeeComponent component, Access access, ComponentKind kind) {
    return may_use(context, component, access) && is_of_kind(context, component, kind);
}

// Empty when the entity has none, or the system may not.
DynamicBuffer buffer_to_change(PluginContext& context, PerigeeEntity entity, PerigeeComponent component) {
    if (!may_use(context, component, Access::write, ComponentKind::buffer)) return {};
    return context.system.world.buffer(Entity{entity}, ComponentId{component});
}

template <typename Change>
int change_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                  Change&& change) noexcept {
    PluginContext& context = context_of(self);
    bool is_done = false;
    guarded(context, [&] {
        DynamicBuffer buffer = buffer_to_change(context, entity, component);
        is_done = buffer && change(buffer);
    });
    return is_done ? PERIGEE_OK : PERIGEE_FAILED;
}

}  // namespace

// ---- events ----

const void* read_plugin_events(PerigeeContext* self, PerigeeComponent event, std::uint32_t* count) noexcept {
    static constexpr std::byte kNoFields{};  // events without fields are counted
    PluginContext& context = context_of(self);
    if (count != nullptr) *count = 0;
    const void* rows = nullptr;
    guarded(context, [&] {
        if (!may_use(context, event, Access::read, ComponentKind::event)) return;
        const EventBatch batch = context.system.events.read(ComponentId{event});
        if (count != nullptr) *count = static_cast<std::uint32_t>(batch.count);
        if (batch.count != 0) rows = batch.row_bytes != 0 ? batch.rows : &kNoFields;
    });
    return rows;
}

void send_plugin_event(PerigeeContext* self, PerigeeComponent event, const void* value) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] {
        if (!may_use(context, event, Access::write, ComponentKind::event)) return;
        if (context.is_parallel) {
            fail_run(context, e::kPluginSendFromMany);
        } else {
            context.system.events.send(ComponentId{event}, value);
        }
    });
}

// ---- buffers ----

const void* read_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                               std::uint32_t* length) noexcept {
    PluginContext& context = context_of(self);
    if (length != nullptr) *length = 0;
    const void* elements = nullptr;
    guarded(context, [&] {
        if (!may_use(context, component, Access::read, ComponentKind::buffer)) return;
        const void* const cell = context.system.world.get(Entity{entity}, ComponentId{component});
        if (cell == nullptr) return;
        const auto& header = *static_cast<const BufferHeader*>(cell);
        elements = header.elements();
        if (length != nullptr) *length = header.length;
    });
    return elements;
}

void* edit_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                         std::uint32_t* length) noexcept {
    PluginContext& context = context_of(self);
    if (length != nullptr) *length = 0;
    void* elements = nullptr;
    guarded(context, [&] {
        const DynamicBuffer buffer = buffer_to_change(context, entity, component);
        if (!buffer) return;
        elements = buffer.data();
        if (length != nullptr) *length = buffer.length();
    });
    return elements;
}

int push_to_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                          const void* element) noexcept {
    return change_buffer(self, entity, component,
                         [element](DynamicBuffer& buffer) { return buffer.push(element); });
}

int resize_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                         std::uint32_t length) noexcept {
    return change_buffer(self, entity, component,
                         [length](DynamicBuffer& buffer) { return buffer.resize(length); });
}

void add_plugin_buffer(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                       const void* elements, std::uint32_t count) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] {
        if (!may_command(context, component, false) || !is_of_kind(context, component, ComponentKind::buffer))
            return;
        DynamicBuffer buffer = context.commands.add_buffer(Entity{entity}, ComponentId{component});
        if (!buffer) return;
        const bool is_filled = elements != nullptr ? buffer.assign(elements, count) : buffer.resize(count);
        if (!is_filled)
            fail_run(context,
                     fmt::format(e::kPluginBufferMemory, count, info_of(context, component).schema.name));
    });
}

}  // namespace perigee::internal
