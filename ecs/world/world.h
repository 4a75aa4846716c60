// The world: entities, their components, and the queries over them.
//
// Invariant: structural change (spawn, destroy, add, remove) never happens while a query is being visited:
// the world is locked then, and changes go into a CommandBuffer. When memory runs out, a change happens
// completely or not at all, and the world stays usable. Functions that return a bool or an Entity report this
// in their result; all others throw std::bad_alloc.
//
// The functions below work with ids and bytes, for components that are known only at run time; those by C++
// type have the same names (typed_world.h). The stores of a world are in world_stores.h. Not here: many
// entities at once (bulk.h), objects (objects.h), prefabs (ecs/prefab/), parents and names (ecs/relations/),
// threads (ecs/parallel/), systems and their order (ecs/schedule/).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/query/query.h"
#include "ecs/schema/component.h"
#include "ecs/world/component_value.h"
#include "ecs/world/internal/structure_guard.h"
#include "ecs/world/typed_world.h"
#include "ecs/world/world_stores.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace perigee {

class Archetype;
class ArchetypeGraph;
class DynamicBuffer;
class EntityIndex;
struct PrefabId;
namespace internal {
class EntityStore;
}

class World : public WorldStores, public TypedWorld {
public:
    World();
    explicit World(const WorldConfig& config);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // ---- types ----

    /// Adds a component, tag, resource, event or blob type; see ComponentRegistry::declare.
    /// Lists of a blob become types of their own (ecs/schema/blob_schema.h).
    Result<ComponentId> declare(Schema schema);

    // ---- entities ----

    /// Creates an entity without components. Null when the world is full.
    Entity spawn();
    /// Creates an entity with the components and values of a prefab, and all its parts.
    Entity spawn(PrefabId prefab);
    /// Creates an entity in a prepared archetype, with default values. The fastest way to create one.
    Entity spawn(Archetype& archetype);

    /// Creates an entity with the same components and values. Buffers are copied with their elements; objects
    /// are shared. Cleanup components and components with an on_remove handler (names, hierarchy links) are
    /// not copied. Null when the entity is not alive or memory is exhausted.
    Entity clone(Entity entity);

    /// Destroys the entity and all that depend on it, such as its children. An entity with cleanup components
    /// then awaits cleanup: it is no longer alive, but its id is not reused and its cleanup components can
    /// still be read and removed. It is gone when the last of them is removed.
    /// Returns false and changes nothing when the entity is not alive or memory is exhausted. Destroying
    /// needs memory only for entities with cleanup components or dependents.
    bool destroy(Entity entity);
    /// Destroys every entity, including those that await cleanup. Types, prefabs, queries and resources stay.
    void clear();

    bool is_alive(Entity entity) const noexcept;
    /// True if the entity is destroyed but still has cleanup components.
    bool awaits_cleanup(Entity entity) const noexcept;
    /// Number of living entities.
    std::size_t entity_count() const noexcept;

    // ---- components of one entity ----

    /// Adds a component with `value` (row bytes) or the schema's defaults. Components that it requires are
    /// added with their defaults. If the entity has the component already, a given value is set; without one
    /// nothing changes. The value of a chunk component is used only if the entity starts a new chunk; `set`
    /// changes an existing one. False when the entity is dead, the row gets too wide, or memory is exhausted.
    bool add(Entity entity, ComponentId component, const void* value = nullptr);
    /// Removes a component; removing an absent one is a no-op. False when the entity is dead or memory is
    /// exhausted. Cleanup components can be removed from a destroyed entity; removing the last one ends it.
    bool remove(Entity entity, ComponentId component);
    /// Adds and removes several components in one move. A component named in `remove` is gone afterwards,
    /// even if it is also added or required by an added one. Returns false and changes nothing when the
    /// entity is dead, the row gets too wide, or memory is exhausted.
    bool change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove);
    bool has(Entity entity, ComponentId component) const noexcept;

    /// The value's bytes. Null when the entity is dead or lacks the component, and for tags. For shared and
    /// chunk components it is the value that applies to the entity; for buffers and objects it is the cell.
    /// Lifetime: until the next structural change.
    const std::byte* get(Entity entity, ComponentId component) const;
    /// The same for writing: marks the value as changed. Null for shared values, which only `set` changes.
    std::byte* edit(Entity entity, ComponentId component);
    /// Copies `value` over the component. Setting a shared value moves the row to the chunks of that value,
    /// so it is a structural change. False when the component is absent, for tags, buffers and objects, and
    /// when memory for a new shared value is exhausted.
    bool set(Entity entity, ComponentId component, const void* value);

    /// Enables or disables an enableable component of one entity, in place. False when the component is
    /// absent or the entity is dead.
    bool set_enabled(Entity entity, ComponentId component, bool is_enabled);
    /// True if the entity has the component and, for an enableable kind, it is enabled.
    bool is_enabled(Entity entity, ComponentId component) const noexcept;

    /// A handle to the entity's buffer, which is marked as changed. Empty when the entity is dead or lacks
    /// it. Lifetime: until the next structural change; using it later is a contract violation.
    /// Expects: a component of kind buffer.
    DynamicBuffer buffer(Entity entity, ComponentId component);

    /// Calls `handler` before an entity loses a component of this type, by removal or by destruction. The
    /// handler may make structural changes. One handler per type. When memory runs out, the handler may have
    /// been called although the component stays.
    /// Expects: no archetype has the component yet.
    /// Cost: entities with the component are destroyed and changed one by one, even by bulk operations.
    void on_remove(ComponentId component, std::function<void(World&, Entity)> handler);

    // ---- archetypes and queries ----

    /// The archetype with exactly these components, created if necessary.
    Result<Archetype*> archetype(std::span<const ComponentId> components);
    /// The archetype of an entity that is alive or awaits cleanup; null for others.
    const Archetype* archetype_of(Entity entity) const noexcept;
    const ArchetypeGraph& archetypes() const noexcept;
    const EntityIndex& entities() const noexcept;

    /// The query for this description; the same description returns the same query. Lifetime: the world's.
    /// Errors: an id that is not a component or tag of this world, or an id named twice.
    Result<Query*> query(const QueryDesc& desc);
    /// Calls fn(ChunkView&) for each matching chunk with the world locked. `changed` compares with
    /// reader_version().
    template <typename Function> void each_chunk(const Query& query, Function&& fn);
    /// The same for a reader whose last run was at `since`.
    template <typename Function>
    void each_chunk_since(const Query& query, ChangeVersion since, Function&& fn);

    // ---- time of change, and locking ----

    /// Grows with each system run; columns remember the version that last wrote them.
    /// Inside a system it is the version of that run. advance_change_version begins and returns the next one.
    ChangeVersion change_version() const noexcept;
    ChangeVersion advance_change_version() noexcept;
    /// The version of the running system's previous run, which a query's `changed` filter compares with. 0
    /// outside systems: everything counts as changed.
    ChangeVersion reader_version() const noexcept;
    /// Grows with each structural change. Code that keeps row addresses compares it.
    std::uint64_t structure_version() const noexcept;

    /// While a lock exists, structural change is a contract violation.
    class Lock : public internal::StructureLock {
    public:
        explicit Lock(World& world) noexcept;
    };
    bool is_locked() const noexcept;

    // ---- by C++ type; see typed_world.h ----

    using TypedWorld::add, TypedWorld::remove, TypedWorld::has, TypedWorld::get, TypedWorld::edit;
    using TypedWorld::archetype, TypedWorld::buffer, TypedWorld::query;
    using TypedWorld::declare, TypedWorld::set, TypedWorld::set_enabled, TypedWorld::is_enabled;
    using TypedWorld::spawn;

    /// Rows and records, for the files of the core. Hosts do not need it.
    internal::EntityStore& store() noexcept { return *store_; }
    const internal::EntityStore& store() const noexcept { return *store_; }

private:
    std::unique_ptr<internal::EntityStore> store_;
};

}  // namespace perigee

#include "ecs/world/internal/typed_query_impl.h"
#include "ecs/world/internal/typed_world_impl.h"
#include "ecs/world/internal/world_impl.h"
