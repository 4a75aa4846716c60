// Each function checks its arguments, and then makes the plugin's C call in C++.
#include "engine/plugin/internal/plugin_host.h"

#include "ecs/migrate/schema_change.h"
#include "ecs/schema/bind.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/prefab.h"
#include "ecs/world/run_scope.h"
#include "engine/base/error_codes.h"
#include "engine/plugin/internal/plugin_data.h"
#include "engine/plugin/internal/plugin_system.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <utility>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

PluginHost& host_of(const PerigeeHost* host) noexcept {
    return const_cast<PluginHost&>(*static_cast<const PluginHost*>(host));
}

// Running out of memory is an ordinary failure; no caller could catch an exception.
template <typename Body> void guarded(PluginHost& host, Body&& body) noexcept {
    try {
        body();
    } catch (const std::exception& exception) {
        host.mistakes.emplace_back(exception.what());
    }
}

// Its systems may log side by side.
void log_text(PluginHost& host, LogLevel level, std::string_view text) {
    if (!host.log_sink) return;
    wait_for_turn();
    const std::lock_guard lock(host.log_mutex);
    host.log_sink({level, host.name, text});
}

// ---- types ----

constexpr std::array<FieldType, 20> kFieldTypesOfAbi = {
    FieldType::structure,  // 0 is not a type
    FieldType::boolean,   FieldType::i8,     FieldType::u8,   FieldType::i16,  FieldType::u16,
    FieldType::i32,       FieldType::u32,    FieldType::i64,  FieldType::u64,  FieldType::f32,
    FieldType::f64,       FieldType::vec2,   FieldType::vec3, FieldType::vec4, FieldType::color,
    FieldType::entity,    FieldType::string, FieldType::quat, FieldType::mat4};
static_assert(kFieldTypesOfAbi[PERIGEE_F32] == FieldType::f32 &&
              kFieldTypesOfAbi[PERIGEE_STRING] == FieldType::string &&
              kFieldTypesOfAbi[PERIGEE_MAT4] == FieldType::mat4);

constexpr std::array<ComponentKind, 7> kKindsOfAbi = {
    ComponentKind::component, ComponentKind::tag,    ComponentKind::enableable, ComponentKind::shared,
    ComponentKind::resource,  ComponentKind::buffer, ComponentKind::event};
static_assert(kKindsOfAbi[PERIGEE_EVENT] == ComponentKind::event);

struct Described {
    Schema schema;
    BoundType layout;
};

Result<Described> described(const PerigeeStruct* type) {
    if (type == nullptr || type->name == nullptr) return Error{e::kPluginTypeWithoutName};
    if (type->kind >= kKindsOfAbi.size()) return Error{fmt::format(e::kPluginKind, type->name, type->kind)};
    if (type->field_count != 0 && type->fields == nullptr)
        return Error{fmt::format(e::kPluginNoFields, type->name)};
    BoundType layout{type->size, 1, {}};
    for (std::uint32_t i = 0; i < type->field_count; ++i) {
        const PerigeeField& field = type->fields[i];
        if (field.name == nullptr || field.type == 0 || field.type >= kFieldTypesOfAbi.size())
            return Error{fmt::format(e::kPluginField, type->name, i, field.type)};
        const FieldType field_type = kFieldTypesOfAbi[field.type];
        const std::uint32_t count = std::max(field.count, 1U);
        const bool is_string = field_type == FieldType::string;
        const std::uint32_t size = is_string ? count : field_type_info(field_type).size * count;
        layout.fields.push_back({field.name, field_type, field.offset, size, is_string ? 0 : field.count});
    }
    Schema schema = schema_from_type(type->name, layout);
    schema.kind = kKindsOfAbi[type->kind];
    return Described{std::move(schema), std::move(layout)};
}

// The alignment is that of the schema: in C a struct has the alignment of its members.
Result<ComponentId> checked(World& world, Described& type) {
    const Result<ComponentId> id = world.registry().require(type.schema.name);
    if (!id) return id;
    const Schema& schema = world.registry().info(id.value()).schema;
    type.layout.alignment = schema.alignment;
    if (const Result<void> same = check_binding(schema, type.layout); !same) return same.error();
    fix_layout(world, id.value());
    return id;
}

PerigeeComponent component_or_error(PluginHost& host, const Result<ComponentId>& id) {
    if (id) return id.value().index;
    host.mistakes.push_back(id.error().message);
    return PERIGEE_NO_COMPONENT;
}

bool is_open(PluginHost& host, const char* function) {
    if (!host.is_open) log_text(host, LogLevel::error, fmt::format(e::kPluginTooLate, function));
    return host.is_open;
}

PerigeeComponent declare(const PerigeeHost* self, const PerigeeStruct* type) noexcept {
    PluginHost& host = host_of(self);
    PerigeeComponent component = PERIGEE_NO_COMPONENT;
    guarded(host, [&] {
        if (!is_open(host, "declare")) return;
        Result<Described> wanted = described(type);
        if (!wanted) {
            host.mistakes.push_back(wanted.error().message);
            return;
        }
        Schema schema = wanted.value().schema;
        const bool is_new = !host.world.registry().find(schema.name);
        const Result<ComponentId> declared =
            is_new ? host.world.declare(std::move(schema)) : Result<ComponentId>(ComponentId{});
        component = component_or_error(host, declared ? checked(host.world, wanted.value()) : declared);
    });
    return component;
}

PerigeeComponent bind(const PerigeeHost* self, const PerigeeStruct* type) noexcept {
    PluginHost& host = host_of(self);
    PerigeeComponent component = PERIGEE_NO_COMPONENT;
    guarded(host, [&] {
        if (!is_open(host, "bind")) return;
        Result<Described> wanted = described(type);
        if (wanted) {
            component = component_or_error(host, checked(host.world, wanted.value()));
        } else {
            host.mistakes.push_back(wanted.error().message);
        }
    });
    return component;
}

PerigeeComponent find(const PerigeeHost* self, const char* name) noexcept {
    if (name == nullptr) return PERIGEE_NO_COMPONENT;
    return host_of(self).world.registry().find(name).value_or(ComponentId{}).index;
}

int add_system(const PerigeeHost* self, const PerigeeSystem* system) noexcept {
    PluginHost& host = host_of(self);
    bool is_added = false;
    guarded(host, [&] {
        if (!is_open(host, "add_system")) return;
        Result<SystemDesc> desc = system_of_plugin(host, system);
        if (!desc) {
            host.mistakes.push_back(desc.error().message);
            return;
        }
        host.is_open = false;  // not for on_create
        const Result<SystemId> added = host.schedule.add(std::move(desc).value());
        host.is_open = true;
        is_added = added.ok();
        is_added ? host.systems.push_back(added.value()) : host.mistakes.push_back(added.error().message);
    });
    return is_added ? PERIGEE_OK : PERIGEE_FAILED;
}

int add_job(const PerigeeHost* self, const PerigeeJob* job) noexcept {
    PluginHost& host = host_of(self);
    bool is_added = false;
    guarded(host, [&] {
        if (!is_open(host, "add_job")) return;
        Result<JobDesc> desc = job_of_plugin(host, job);
        const std::string name = desc ? desc.value().name : std::string();
        const Result<void> added = desc ? NamedJobs::of(host.world).add(host.world, std::move(desc).value())
                                        : Result<void>(desc.error());
        is_added = added.ok();
        is_added ? host.jobs.push_back(name) : host.mistakes.push_back(added.error().message);
    });
    return is_added ? PERIGEE_OK : PERIGEE_FAILED;
}

// True if there is a group of that name inside that one.
bool is_there(const Schedule& schedule, const GroupDesc& wanted) {
    const std::optional<SystemId> known = schedule.find(wanted.name);
    if (!known) return false;
    const SystemStatus status = schedule.status(*known);
    return status.is_group && status.group == wanted.group;
}

int add_group(const PerigeeHost* self, const PerigeeGroup* group) noexcept {
    PluginHost& host = host_of(self);
    bool is_added = false;
    guarded(host, [&] {
        if (!is_open(host, "add_group")) return;
        Result<GroupDesc> desc = group_of_plugin(group);
        if (!desc) {
            host.mistakes.push_back(desc.error().message);
        } else if (is_there(host.schedule, desc.value())) {
            is_added = true;
        } else {
            const Result<SystemId> added = host.schedule.add_group(std::move(desc).value());
            is_added = added.ok();
            if (!is_added) host.mistakes.push_back(added.error().message);
        }
    });
    return is_added ? PERIGEE_OK : PERIGEE_FAILED;
}

void log(const PerigeeHost* self, int level, const char* text) noexcept {
    PluginHost& host = host_of(self);
    guarded(host, [&] {
        if (text == nullptr) return;
        const bool is_known = level >= PERIGEE_LOG_INFO && level <= PERIGEE_LOG_ERROR;
        log_text(host, is_known ? static_cast<LogLevel>(level) : LogLevel::error, text);
    });
}

// ---- in calls of a system ----

void fail(PerigeeContext* self, const char* reason) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] { fail_run(context, reason != nullptr ? reason : ""); });
}

std::uint64_t random(PerigeeContext* self) noexcept {
    PluginContext& context = context_of(self);
    return context.is_parallel ? 0 : context.system.random.next();
}

const ComponentRegistry& registry_of(const PluginContext& context) noexcept {
    return context.system.world.registry();
}

void* resource(PerigeeContext* self, PerigeeComponent component) noexcept {
    PluginContext& context = context_of(self);
    void* value = nullptr;
    guarded(context, [&] {
        if (may_use(context, component, Access::read))
            value = context.system.world.resources().data(ComponentId{component});
    });
    return value;
}

const void* get(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component) noexcept {
    PluginContext& context = context_of(self);
    const void* value = nullptr;
    guarded(context, [&] {
        if (may_use(context, component, Access::read))
            value = context.system.world.get(Entity{entity}, ComponentId{component});
    });
    return value;
}

int is_alive(PerigeeContext* self, PerigeeEntity entity) noexcept {
    return context_of(self).system.world.is_alive(Entity{entity}) ? 1 : 0;
}

// ---- commands ----

PerigeeEntity spawn(PerigeeContext* self) noexcept {
    PluginContext& context = context_of(self);
    Entity entity;
    guarded(context, [&] { entity = context.commands.spawn(); });
    return entity.bits;
}

PerigeeEntity spawn_prefab(PerigeeContext* self, const char* name) noexcept {
    PluginContext& context = context_of(self);
    Entity entity;
    guarded(context, [&] {
        const std::string_view wanted = name != nullptr ? name : "";
        const std::optional<PrefabId> prefab = context.system.world.prefabs().find(wanted);
        if (prefab) {
            entity = context.commands.spawn(*prefab);
        } else {
            fail_run(context, fmt::format(e::kPluginNoPrefab, wanted));
        }
    });
    return entity.bits;
}

void destroy(PerigeeContext* self, PerigeeEntity entity) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] { context.commands.destroy(Entity{entity}); });
}

void add(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component, const void* value) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] {
        if (may_command(context, component, value != nullptr))
            context.commands.add(Entity{entity}, ComponentId{component}, value);
    });
}

void remove(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] {
        if (may_command(context, component, false))
            context.commands.remove(Entity{entity}, ComponentId{component});
    });
}

void set(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component, const void* value) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] {
        if (!may_command(context, component, true)) return;
        if (value == nullptr && registry_of(context).value_bytes(ComponentId{component}) != 0) {
            fail_run(context, e::kPluginSetWithoutValue);
        } else {
            context.commands.set(Entity{entity}, ComponentId{component}, value);
        }
    });
}

void set_enabled(PerigeeContext* self, PerigeeEntity entity, PerigeeComponent component,
                 int is_enabled) noexcept {
    PluginContext& context = context_of(self);
    guarded(context, [&] {
        if (may_command(context, component, false))
            context.commands.set_enabled(Entity{entity}, ComponentId{component}, is_enabled != 0);
    });
}

}  // namespace

void fail_run(PluginContext& context, std::string reason) {
    if (context.reason.empty()) context.reason = std::move(reason);
}

bool may_use(PluginContext& context, PerigeeComponent component, Access access) {
    if (component >= registry_of(context).size()) {
        fail_run(context, fmt::format(e::kPluginNoSuchType, component));
        return false;
    }
    const SystemDesc* const system = context.system.system;
    if (system == nullptr || declares(*system, ComponentId{component}, access)) return true;
    const std::string& name = registry_of(context).info(ComponentId{component}).schema.name;
    fail_run(context, fmt::format(e::kPluginUndeclared, name));
    return false;
}

bool may_command(PluginContext& context, PerigeeComponent component, bool has_value) {
    if (component >= registry_of(context).size()) {
        fail_run(context, fmt::format(e::kPluginNoSuchType, component));
        return false;
    }
    const ComponentInfo& info = registry_of(context).info(ComponentId{component});
    const bool is_plain = is_component_kind(info.kind()) && (!has_value || !info.owns_memory());
    std::optional<std::string> refusal = context.commands.refusal(ComponentId{component});
    if (!refusal && !is_plain)
        refusal = fmt::format(e::kPluginCommand, info.schema.name, kind_name(info.kind()));
    if (!refusal) return true;
    fail_run(context, *std::move(refusal));
    return false;
}

// Members known to plugins of version 1 keep their offsets.
static_assert(offsetof(PerigeeHost, set_enabled) == 17 * sizeof(void*));

PluginHost::PluginHost(std::uint32_t abi, World& of_world, Schedule& of_schedule, LogSink to_log,
                       std::string plugin)
    : PerigeeHost{abi,
                  &internal::declare,
                  &internal::bind,
                  &internal::find,
                  &internal::add_system,
                  &internal::log,
                  &internal::fail,
                  &internal::random,
                  &internal::resource,
                  &internal::get,
                  &internal::is_alive,
                  &internal::spawn,
                  &internal::spawn_prefab,
                  &internal::destroy,
                  &internal::add,
                  &internal::remove,
                  &internal::set,
                  &internal::set_enabled,
                  &internal::add_group,
                  &read_plugin_events,
                  &send_plugin_event,
                  &read_plugin_buffer,
                  &edit_plugin_buffer,
                  &push_to_plugin_buffer,
                  &resize_plugin_buffer,
                  &add_plugin_buffer,
                  &internal::add_job},
      world(of_world),
      schedule(of_schedule),
      log_sink(std::move(to_log)),
      name(std::move(plugin)) {}

PluginContext::PluginContext(const PluginHost& of_host, SystemContext& of_system, CommandBuffer& into,
                             bool shares_system) noexcept
    : PerigeeContext{&of_host, of_system.time.dt, of_system.time.time, of_system.elapsed,
                     of_system.time.tick},
      system(of_system),
      commands(into),
      is_parallel(shares_system) {}

// A call with an unnoticed error has failed too.
Result<void> result_of(const PluginContext& context, int status) {
    if (status == PERIGEE_OK && context.reason.empty()) return {};
    if (!context.reason.empty()) return Error{context.reason};
    return Error{fmt::format(e::kPluginReturned, status)};
}

}  // namespace perigee::internal
