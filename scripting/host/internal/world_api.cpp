// One line each; explanations are at the implementation, in ecs/.
#include "scripting/host/internal/world_api.h"

#include "ecs/archetype/archetype.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/chunk_start.h"
#include "ecs/query/query.h"
#include "ecs/relations/sources.h"
#include "ecs/schedule/resource_access.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/script_limits.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/query_work.h"
#include "scripting/mods/internal/world_share.h"
#include "scripting/mods/script_system.h"
#include "scripting/views/lua_memory.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

namespace perigee::internal {

namespace {

CommandBuffer& commands_of(void* system) noexcept { return static_cast<ScriptSystem*>(system)->commands(); }

std::size_t value_bytes(void* system, ComponentId component) noexcept {
    return system_at(system).world().registry().row_bytes(component);
}
const void* get(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).get(entity_from_number(entity), component_at(component));
}
void* edit(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).edit(entity_from_number(entity), component_at(component));
}
bool has(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).has(entity_from_number(entity), component_at(component));
}
bool is_alive(void* world, double entity) noexcept {
    return world_at(world).is_alive(entity_from_number(entity));
}
double entity_count(void* world) noexcept { return static_cast<double>(world_at(world).entity_count()); }
void* resource_data(void* world, std::uint32_t component) noexcept {
    return world_at(world).resources().data(component_at(component));
}

/// Reports the running system's access to a resource in debug builds, before it happens.
void note_resource(void* world, std::uint32_t component, bool is_written) noexcept {
    static_cast<void>(
        resource_of(world_at(world), component_at(component), is_written ? Access::write : Access::read));
}

// Outside systems a change happens at once, and the pools ask the quota entered by ShareChange.
bool may_make(std::size_t entities) noexcept {
    WorldShare* const share = share_of_thread();
    return share == nullptr || share->ask_entities(entities);
}
double spawn_empty(void* world) noexcept {
    return may_make(1) ? number_from_entity(world_at(world).spawn()) : 0;
}
double spawn(void* world, std::uint32_t prefab) noexcept {
    WorldShare* const share = share_of_thread();
    if (share != nullptr && !share->ask_entities(entities_of_prefab(world_at(world), PrefabId{prefab})))
        return 0;
    return number_from_entity(world_at(world).spawn(PrefabId{prefab}));
}
bool start_chunk(void* world, double entity, std::uint32_t component, const void* value) noexcept {
    return perigee::start_chunk(world_at(world), entity_from_number(entity),
                                {component_at(component), static_cast<const std::byte*>(value)});
}
bool start_prefab_chunk(void* world, double entity, std::uint32_t prefab) noexcept {
    return perigee::start_chunk(world_at(world), entity_from_number(entity), PrefabId{prefab});
}
bool destroy(void* world, double entity) noexcept {
    return world_at(world).destroy(entity_from_number(entity));
}
bool add(void* world, double entity, std::uint32_t component, const void* value) noexcept {
    return world_at(world).add(entity_from_number(entity), component_at(component), value);
}
bool remove(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).remove(entity_from_number(entity), component_at(component));
}
bool set(void* world, double entity, std::uint32_t component, const void* value) noexcept {
    return world_at(world).set(entity_from_number(entity), component_at(component), value);
}

bool is_enabled(void* world, double entity, std::uint32_t component) noexcept {
    return world_at(world).is_enabled(entity_from_number(entity), component_at(component));
}
bool set_enabled(void* world, double entity, std::uint32_t component, bool is_enabled) noexcept {
    return world_at(world).set_enabled(entity_from_number(entity), component_at(component), is_enabled);
}
double clone(void* world, double entity) noexcept {
    if (!may_make(1)) return 0;
    return number_from_entity(world_at(world).clone(entity_from_number(entity)));
}

// Data packed by scripts/runtime/data/changes.lua: `added` values, then the numbers of `removed` components.
struct Changes {
    std::array<ComponentValue, kMaxChanges> added;
    std::array<ComponentId, kMaxChanges> removed;
    std::span<const ComponentValue> to_add;
    std::span<const ComponentId> to_remove;

    Changes(const void* packed, std::uint32_t add_count, std::uint32_t remove_count) noexcept {
        const auto* from = static_cast<const perigee_change*>(packed);
        for (std::uint32_t i = 0; i < add_count; ++i, ++from) {
            added[i] = {ComponentId{static_cast<std::uint16_t>(from->component)},
                        reinterpret_cast<const std::byte*>(from->value)};
        }
        for (std::uint32_t i = 0; i < remove_count; ++i, ++from) {
            removed[i] = ComponentId{static_cast<std::uint16_t>(from->component)};
        }
        to_add = {added.data(), add_count};
        to_remove = {removed.data(), remove_count};
    }
};

bool change(void* world, double entity, const void* packed, std::uint32_t added,
            std::uint32_t removed) noexcept {
    const Changes changes(packed, added, removed);
    return world_at(world).change(entity_from_number(entity), changes.to_add, changes.to_remove);
}

// ---- all entities of a query ----

const Query& query_at(void* query) noexcept { return *static_cast<const Query*>(query); }

/// An upper bound of the matching rows: filters read data that other systems may be writing.
std::size_t max_rows_of(const Query& query) noexcept {
    std::size_t rows = 0;
    for (const QueryMatch& match : query.matches()) rows += match.archetype->entity_count();
    return rows;
}

double add_all(void* world, void* query, std::uint32_t component, const void* value) noexcept {
    return static_cast<double>(
        perigee::add_all(world_at(world), query_at(query), component_at(component), value));
}
double remove_all(void* world, void* query, std::uint32_t component) noexcept {
    return static_cast<double>(
        perigee::remove_all(world_at(world), query_at(query), component_at(component)));
}
double set_all(void* world, void* query, std::uint32_t component, const void* value) noexcept {
    return static_cast<double>(
        perigee::set_all(world_at(world), query_at(query), component_at(component), value));
}
double enable_all(void* world, void* query, std::uint32_t component, bool is_enabled) noexcept {
    return static_cast<double>(
        perigee::set_enabled_all(world_at(world), query_at(query), component_at(component), is_enabled));
}
double destroy_all(void* world, void* query) noexcept {
    return static_cast<double>(perigee::destroy_all(world_at(world), query_at(query)));
}
double query_entity_count(void* query) noexcept {
    return static_cast<double>(query_at(query).entity_count());
}
/// `into`: room for query_entity_count() numbers. False: there is no memory to collect them.
bool query_entities(void* query, void* into) noexcept {
    try {
        auto* at = static_cast<double*>(into);
        for (const Entity entity : query_at(query).entities()) *at++ = number_from_entity(entity);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
/// -1: there is no memory to sort the rows.
template <typename Count> double counted(Count count) noexcept {
    try {
        return static_cast<double>(count());
    } catch (const std::bad_alloc&) {
        return -1;
    }
}
double query_chunk_count(void* query) noexcept {
    return counted([&] { return query_at(query).chunk_count(); });
}
double query_steps(void* query, std::uint32_t work) noexcept {
    return steps_of(query_at(query), static_cast<QueryWork>(work));
}
double relation_steps(void* world, std::uint32_t component) noexcept {
    return steps_to_find_sources(world_at(world), component_at(component));
}
/// Entities whose relation points at the entity; -1: there is no memory to find them.
double source_count(void* world, double entity, std::uint32_t component) noexcept {
    return counted([&] {
        return perigee::source_count(world_at(world), component_at(component), entity_from_number(entity));
    });
}
/// `into`: room for source_count() numbers. False: there is no memory to collect them.
bool sources(void* world, double entity, std::uint32_t component, void* into) noexcept {
    try {
        auto* at = static_cast<double*>(into);
        for (const Entity source :
             sources_of(world_at(world), component_at(component), entity_from_number(entity))) {
            *at++ = number_from_entity(source);
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
double steps_to_count(void* system) noexcept { return system_at(system).steps_to_count(); }
bool may_count(void* system, void* query) noexcept {
    return static_cast<ScriptSystem*>(system)->may_count(query_at(query));
}
double visit_count(void* system) noexcept {
    return counted([&] { return system_at(system).run_counts().visits; });
}
double row_count(void* system) noexcept {
    return counted([&] { return system_at(system).run_counts().rows; });
}

bool fill_rows(void* views) noexcept { return static_cast<ViewSet*>(views)->fill_rows(); }
std::int32_t chunk_changed(void* views, std::uint32_t component) noexcept {
    return static_cast<std::int32_t>(static_cast<const ViewSet*>(views)->changed(component));
}

// ---- named queries ----

ScriptVisit& visit_at(void* visit) noexcept { return *static_cast<ScriptVisit*>(visit); }
double steps_to_begin(void* visit) noexcept { return visit_at(visit).steps_to_begin(); }
std::int32_t begin_visit(void* visit) noexcept { return static_cast<std::int32_t>(visit_at(visit).begin()); }
std::int32_t next_chunk(void* visit) noexcept { return static_cast<std::int32_t>(visit_at(visit).next()); }

// ---- commands ----

bool command_is_allowed(void* system, std::uint32_t component, bool for_all) noexcept {
    return !commands_of(system).refusal(component_at(component), for_all);
}
double command_clone(void* system, double entity) noexcept {
    if (!system_at(system).may_grow(bytes_of_clone(system_at(system).world(), entity_from_number(entity)), 1))
        return 0;
    return number_from_entity(commands_of(system).clone(entity_from_number(entity)));
}
void command_enable(void* system, double entity, std::uint32_t component, bool is_enabled) noexcept {
    commands_of(system).set_enabled(entity_from_number(entity), component_at(component), is_enabled);
}
bool command_change(void* system, double entity, const void* packed, std::uint32_t added,
                    std::uint32_t removed) noexcept {
    const Changes changes(packed, added, removed);
    std::size_t bytes = 0;
    for (const ComponentValue& value : changes.to_add) bytes += value_bytes(system, value.component);
    if (!system_at(system).may_grow(bytes)) return false;
    commands_of(system).change(entity_from_number(entity), changes.to_add, changes.to_remove);
    return true;
}
bool command_add_all(void* system, void* query, std::uint32_t component, const void* value) noexcept {
    const std::size_t rows = max_rows_of(query_at(query));
    if (!system_at(system).may_grow(rows * value_bytes(system, component_at(component)))) return false;
    commands_of(system).add_all(query_at(query), component_at(component), value);
    return true;
}
void command_remove_all(void* system, void* query, std::uint32_t component) noexcept {
    commands_of(system).remove_all(query_at(query), component_at(component));
}
void command_set_all(void* system, void* query, std::uint32_t component, const void* value) noexcept {
    commands_of(system).set_all(query_at(query), component_at(component), value);
}
void command_enable_all(void* system, void* query, std::uint32_t component, bool is_enabled) noexcept {
    commands_of(system).set_enabled_all(query_at(query), component_at(component), is_enabled);
}
void command_destroy_all(void* system, void* query) noexcept {
    commands_of(system).destroy_all(query_at(query));
}
/// 0 when the world is full.
double command_spawn_empty(void* system) noexcept {
    if (!system_at(system).may_grow(kBytesOfEntity, 1)) return 0;
    return number_from_entity(commands_of(system).spawn());
}
double command_spawn(void* system, std::uint32_t prefab) noexcept {
    const PrefabSize size = size_of_prefab(system_at(system).world(), PrefabId{prefab});
    if (!system_at(system).may_grow(size.bytes, size.parts)) return 0;
    return number_from_entity(commands_of(system).spawn(PrefabId{prefab}));
}
bool command_spawn_many(void* system, std::uint32_t prefab, std::uint32_t count,
                        std::int32_t initializer) noexcept {
    return system_at(system).spawn_many(PrefabId{prefab}, count, initializer);
}
void command_destroy(void* system, double entity) noexcept {
    commands_of(system).destroy(entity_from_number(entity));
}
bool command_add(void* system, double entity, std::uint32_t component, const void* value) noexcept {
    if (!system_at(system).may_grow(value_bytes(system, component_at(component)))) return false;
    commands_of(system).add(entity_from_number(entity), component_at(component), value);
    return true;
}
/// Records a change that has no command of its own. `make` returns it, and is called where memory may be
/// short.
template <typename Make> bool record_call(void* system, std::size_t bytes, Make make) noexcept {
    if (!system_at(system).may_grow(bytes)) return false;
    try {
        commands_of(system).call(make());
    } catch (const std::bad_alloc&) {
        return false;
    }
    return true;
}
/// Of a new entity: a chunk component, which commands alone do not add.
bool command_start_chunk(void* system, double entity, std::uint32_t component, const void* value) noexcept {
    const ComponentId id = component_at(component);
    const std::size_t size = system_at(system).world().registry().info(id).schema.size;
    const auto* const bytes = static_cast<const std::byte*>(value);
    return record_call(system, kBytesOfEntity + size, [&] {
        return [entity = entity_from_number(entity), id,
                copy = std::vector<std::byte>(bytes, bytes + (value != nullptr ? size : 0))](World& world) {
            static_cast<void>(
                perigee::start_chunk(world, entity, {id, copy.empty() ? nullptr : copy.data()}));
            return true;
        };
    });
}
/// Of a new entity to which components were added: the values of its prefab for the chunk.
bool command_start_prefab_chunk(void* system, double entity, std::uint32_t prefab) noexcept {
    if (!has_chunk_components(system_at(system).world(), PrefabId{prefab})) return true;
    return record_call(system, kBytesOfEntity, [&] {
        return [entity = entity_from_number(entity), prefab](World& world) {
            static_cast<void>(perigee::start_chunk(world, entity, PrefabId{prefab}));
            return true;
        };
    });
}
void command_remove(void* system, double entity, std::uint32_t component) noexcept {
    commands_of(system).remove(entity_from_number(entity), component_at(component));
}
void command_set(void* system, double entity, std::uint32_t component, const void* value) noexcept {
    commands_of(system).set(entity_from_number(entity), component_at(component), value);
}

void command_set_parent(void* system, double child, double parent) noexcept {
    commands_of(system).set_parent(entity_from_number(child), entity_from_number(parent));
}

/// Expects: host.check_name reported no error.
bool command_set_name(void* system, double entity, const void* text, std::uint32_t length) noexcept {
    WorldShare* const share = share_of_thread();  // the text is interned now
    if (share != nullptr && !share->ask_at_once(MemoryKind::texts, length)) return false;
    if (!system_at(system).may_grow(kBytesOfEntity)) return false;
    static_cast<void>(commands_of(system).set_name(entity_from_number(entity),
                                                   std::string_view(static_cast<const char*>(text), length)));
    return true;
}

/// Keys sort like the numbers: negative ones first, fractions between whole numbers. False without memory.
bool command_sort_key(void* system, double key) noexcept {
    auto bits = std::bit_cast<std::uint64_t>(key + 0.0);  // -0 is 0
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    bits = (bits & kSign) != 0 ? ~bits : bits | kSign;
    try {
        commands_of(system).sort_key(bits);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
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
        native_function<&get>("world_get"),
        native_function<&edit>("world_edit"),
        native_function<&has>("world_has"),
        native_function<&is_alive>("world_is_alive"),
        native_function<&entity_count>("world_entity_count"),
        native_function<&resource_data>("resource_data"),
        native_function<&note_resource>("note_resource"),
        native_function<&spawn_empty>("world_spawn_empty"),
        native_function<&start_chunk>("world_start_chunk"),
        native_function<&start_prefab_chunk>("world_start_prefab_chunk"),
        native_function<&spawn>("world_spawn"),
        native_function<&destroy>("world_destroy"),
        native_function<&add>("world_add"),
        native_function<&remove>("world_remove"),
        native_function<&set>("world_set"),
        native_function<&command_spawn_empty>("command_spawn_empty"),
        native_function<&command_spawn>("command_spawn"),
        native_function<&command_spawn_many>("command_spawn_many"),
        native_function<&command_destroy>("command_destroy"),
        native_function<&command_add>("command_add"),
        native_function<&command_start_chunk>("command_start_chunk"),
        native_function<&command_start_prefab_chunk>("command_start_prefab_chunk"),
        native_function<&command_remove>("command_remove"),
        native_function<&command_set>("command_set"),
        native_function<&is_enabled>("world_is_enabled"),
        native_function<&set_enabled>("world_set_enabled"),
        native_function<&clone>("world_clone"),
        native_function<&change>("world_change"),
        native_function<&add_all>("world_add_all"),
        native_function<&remove_all>("world_remove_all"),
        native_function<&set_all>("world_set_all"),
        native_function<&enable_all>("world_enable_all"),
        native_function<&destroy_all>("world_destroy_all"),
        native_function<&query_entity_count>("query_entity_count"),
        native_function<&query_entities>("query_entities"),
        native_function<&query_chunk_count>("query_chunk_count"),
        native_function<&query_steps>("query_steps"),
        native_function<&relation_steps>("relation_steps"),
        native_function<&source_count>("world_source_count"),
        native_function<&sources>("world_sources"),
        native_function<&steps_to_count>("system_steps_to_count"),
        native_function<&may_count>("system_may_count"),
        native_function<&visit_count>("system_visit_count"),
        native_function<&row_count>("system_row_count"),
        native_function<&fill_rows>("chunk_fill_rows"),
        native_function<&chunk_changed>("chunk_changed"),
        native_function<&steps_to_begin>("visit_steps"),
        native_function<&begin_visit>("visit_begin"),
        native_function<&next_chunk>("visit_next"),
        native_function<&command_is_allowed>("command_is_allowed"),
        native_function<&command_clone>("command_clone"),
        native_function<&command_enable>("command_enable"),
        native_function<&command_change>("command_change"),
        native_function<&command_add_all>("command_add_all"),
        native_function<&command_remove_all>("command_remove_all"),
        native_function<&command_set_all>("command_set_all"),
        native_function<&command_enable_all>("command_enable_all"),
        native_function<&command_destroy_all>("command_destroy_all"),
        native_function<&command_set_parent>("command_set_parent"),
        native_function<&command_set_name>("command_set_name"),
        native_function<&command_sort_key>("command_sort_key"),
        native_function<&text_length>("text_length"),
    };
}

}  // namespace perigee::internal
