// The world owns entities, components, resources and queries. It is a façade: each part has its own file.
//
// Invariant: an entity's record, its row and its archetype always agree. Structural change (spawn, destroy,
// add, remove) never happens while a query is being visited: the world is locked then, and changes go into a
// CommandBuffer. When memory runs out, a change happens completely or not at all, and the world stays usable.
// Functions that return a bool, an Entity or a count report this in their result; all others throw
// std::bad_alloc. Not here: the order of systems (schedule.h), scripts (scripting/).
#pragma once

#include "ecs/archetype/archetype_graph.h"
#include "ecs/archetype/entity_index.h"
#include "ecs/base/entity.h"
#include "ecs/query/parallel_options.h"
#include "ecs/query/query.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/component_value.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/typed_world.h"
#include "ecs/world/world_config.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

namespace perigee {

class Jobs;
class WorkerPool;
namespace internal {
class RowPlan;
class SchemaRebuild;
}

class World : public TypedWorld {
    friend class Jobs;
    friend class TypedWorld;

public:
    explicit World(WorldConfig config = {});
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // ---- types ----

    /// Adds a component, tag or resource type; see ComponentRegistry::declare.
    Result<ComponentId> declare(Schema schema);
    const ComponentRegistry& registry() const noexcept { return registry_; }

    // By C++ type: bind, declare, id, is_bound. Here and below, see typed_world.h for the typed overloads.
    using TypedWorld::declare;

    /// Data that another file of the core keeps per world, such as the index of names; created on first use.
    /// `find_part` returns null before that.
    template <typename T> T& part() {
        const std::uint32_t number = type_number<T>();
        if (number >= kept_parts_.size()) kept_parts_.resize(std::size_t{number} + 1);
        if (kept_parts_[number] == nullptr) kept_parts_[number] = std::make_shared<T>();
        return *static_cast<T*>(kept_parts_[number].get());
    }
    template <typename T> const T* find_part() const noexcept {
        const std::uint32_t number = type_number<T>();
        return number < kept_parts_.size() ? static_cast<const T*>(kept_parts_[number].get()) : nullptr;
    }

    // ---- entities ----

    /// Creates an entity without components. Null when the world is full.
    Entity spawn();
    using TypedWorld::spawn;
    Entity spawn(PrefabId prefab);
    /// Creates an entity in a prepared archetype, with default values. The fastest way to create one.
    Entity spawn(Archetype& archetype);
    /// Creates `count` entities, chunk by chunk. `initialize` (may be empty) is called once for each run of
    /// new rows. Returns the number created, which is lower only when memory runs out. `out`, if not null,
    /// receives the ids.
    std::size_t spawn_many(Archetype& archetype, std::size_t count, const SpawnInitializer& initialize = {},
                           Entity* out = nullptr);
    std::size_t spawn_many(PrefabId prefab, std::size_t count, const SpawnInitializer& initialize = {},
                           Entity* out = nullptr);

    /// Creates an entity with the same components and values. Buffers are copied with their elements; objects
    /// are shared. Cleanup components and components with an on_remove handler (names, hierarchy links) are
    /// not copied. Null when the entity is not alive or memory is exhausted.
    Entity clone(Entity entity);
    /// Creates `count` clones. `out`, if not null, receives the ids. Returns the number created.
    std::size_t clone_many(Entity entity, std::size_t count, Entity* out = nullptr);

    /// Destroys the entity and its descendants in the hierarchy. An entity with cleanup components becomes
    /// held: it is no longer alive, but its id is not reused and its cleanup components can still be read and
    /// removed. It is gone when the last of them is removed.
    /// Returns false and changes nothing when the entity is not alive or memory is exhausted. Destroying
    /// needs memory only for entities that become held or have descendants.
    bool destroy(Entity entity);
    /// Destroys every entity, including held ones. Types, prefabs, queries and resources stay.
    void clear();

    /// The tag of held entities; not valid in a world without cleanup components.
    ComponentId destroyed_tag() const noexcept { return graph_.destroyed_tag(); }
    /// Destroyed, but still has cleanup components.
    bool is_held(Entity entity) const noexcept { return index_.is_held(entity); }
    bool is_alive(Entity entity) const noexcept { return index_.is_alive(entity); }
    std::size_t entity_count() const noexcept { return entity_count_; }

    Entity reserve();
    bool is_reserved(Entity entity) const noexcept { return index_.is_reserved(entity); }
    void release_reserved(Entity entity) noexcept;
    /// Brings a reserved entity to life. False when memory is exhausted (the id is released).
    bool place_reserved(Entity entity, Archetype& archetype);
    bool place_reserved(Entity entity, PrefabId prefab);
    /// Brings a reserved entity to life as a clone. The id is released on failure.
    bool place_clone(Entity reserved, Entity original);
    /// Brings many reserved entities to life, one run of rows at a time. Returns how many succeeded; these
    /// are the first ones of the span. The ids of the rest are released.
    std::size_t place_reserved(std::span<const Entity> entities, PrefabId prefab);
    std::size_t place_reserved(std::span<const Entity> entities, Archetype& archetype);

    // ---- components of one entity ----

    /// Adds a component with `value` (row bytes) or the schema's defaults. Components that it requires are
    /// added with their defaults. If the entity has the component already, a given value is set; without one
    /// nothing changes. False when the entity is dead, the row gets too wide, or memory is exhausted.
    bool add(Entity entity, ComponentId component, const void* value = nullptr);
    /// Removes a component; removing an absent one is a no-op. False when the entity is dead or memory is
    /// exhausted. Cleanup components can be removed from a held entity; removing the last one ends it.
    bool remove(Entity entity, ComponentId component);
    /// Adds the component to many entities, in order. Returns how many of the single calls would return true.
    /// Cost: about half that of single calls where neighbours in the list share an archetype.
    std::size_t add_many(ComponentId component, std::span<const ComponentChange> changes);
    std::size_t remove_many(ComponentId component, std::span<const ComponentChange> changes);
    /// Adds and removes several components in one move. A component named in `remove` is gone afterwards,
    /// even if it is also added or required by an added one. Returns false and changes nothing when the
    /// entity is dead, the row gets too wide, or memory is exhausted.
    bool change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove);
    bool has(Entity entity, ComponentId component) const noexcept;
    /// The value's bytes. Null when the entity is dead or lacks the component, and for tags. For shared and
    /// chunk components it is the value that applies to the entity; for buffers and objects it is the cell.
    /// `edit` marks the value as changed; it returns null for shared values, which only `set` changes.
    /// Lifetime: until the next structural change.
    const std::byte* get(Entity entity, ComponentId component) const {
        Location location;
        const std::byte* const found = cell(entity, component, registry_.row_bytes(component), location);
        note_cell(component, Access::read, found);
        return found;
    }
    std::byte* edit(Entity entity, ComponentId component);
    /// Copies `value` over the component. Setting a shared value moves the row to the chunks of that value,
    /// so it is a structural change. False when the component is absent, for tags, buffers and objects, and
    /// when memory for a new shared value is exhausted.
    bool set(Entity entity, ComponentId component, const void* value);

    /// Enables or disables an enableable component of one entity, in place. False when the component is
    /// absent.
    bool set_enabled(Entity entity, ComponentId component, bool is_enabled);
    /// True if the entity has the component and, for an enableable kind, it is enabled.
    bool is_enabled(Entity entity, ComponentId component) const noexcept;

    // By C++ type, checked.
    using TypedWorld::add;
    using TypedWorld::edit;
    using TypedWorld::get;
    using TypedWorld::has;
    using TypedWorld::is_enabled;
    using TypedWorld::remove;
    using TypedWorld::set;
    using TypedWorld::set_enabled;

    /// The archetype of a living or held entity; null when it is neither.
    const Archetype* archetype_of(Entity entity) const noexcept;

    // ---- buffers and objects of one entity

    /// A handle to the entity's buffer, which is marked as changed. Empty when the entity is dead or lacks
    /// it. Lifetime: until the next structural change; using it later is a contract violation.
    /// Expects: a component of kind buffer.
    DynamicBuffer buffer(Entity entity, ComponentId component);
    using TypedWorld::buffer;

    /// The object that an object component refers to. Null when it refers to none or its owner is gone. The
    /// entity does not move and no handle becomes stale. set_object is false when the entity is dead or lacks
    /// it. Expects: a component of kind object; T is the type it was set with; the main thread.
    template <typename T> bool set_object(Entity entity, ComponentId component, std::shared_ptr<T> object) {
        return set_object(entity, component, std::move(object), 0, &typeid(T));
    }
    bool set_object(Entity entity, ComponentId component, std::shared_ptr<void> object, ObjectOwner owner,
                    const std::type_info* type);
    template <typename T> std::shared_ptr<T> object(Entity entity, ComponentId component) const {
        const ObjectSlot slot = object_slot(entity, component);
        ECS_EXPECTS(objects_.get(slot) == nullptr || *objects_.type(slot) == typeid(T));
        return std::static_pointer_cast<T>(objects_.get(slot));
    }
    /// The place of the entity's object in objects(); 0 when there is none.
    ObjectSlot object_slot(Entity entity, ComponentId component) const;

    BufferPool& buffers() noexcept { return *buffers_; }
    const BufferPool& buffers() const noexcept { return *buffers_; }
    ObjectStore& objects() noexcept { return objects_; }
    const ObjectStore& objects() const noexcept { return objects_; }

    // ---- all entities that a query matches, chunk by chunk. Each returns how many it reached, which is
    // ---- fewer than all only when memory is exhausted.

    /// Adds a component. Entities that have it already keep their value, or take `value` if given. For a
    /// chunk component `value` is set in each chunk. Cost: without a new column (tags, shared and chunk
    /// components) whole chunks move between archetypes and no row is copied.
    std::size_t add_all(const Query& query, ComponentId component, const void* value = nullptr);
    std::size_t remove_all(const Query& query, ComponentId component);
    /// Sets the value on every entity that has the component. Setting a shared component moves rows to the
    /// chunks of the new value; a chunk component is set in each chunk.
    std::size_t set_all(const Query& query, ComponentId component, const void* value);
    std::size_t set_enabled_all(const Query& query, ComponentId component, bool is_enabled);
    std::size_t destroy_all(const Query& query);
    using TypedWorld::add_all;
    using TypedWorld::remove_all;
    using TypedWorld::set_all;
    using TypedWorld::set_enabled_all;

    // ---- shared values

    /// The distinct values of a shared component at present, by number.
    std::vector<SharedValue> shared_values(ComponentId component) const;
    SharedStore& shared() noexcept { return shared_; }
    const SharedStore& shared() const noexcept { return shared_; }

    // ---- archetypes, queries, resources, prefabs ----

    /// The archetype with exactly these components, created if necessary.
    Result<Archetype*> archetype(std::span<const ComponentId> components) {
        return graph_.require(components);
    }
    using TypedWorld::archetype;
    Archetype& empty_archetype() noexcept { return graph_.empty(); }
    /// The archetype with the components of `from` plus one; `from` itself if it has the component. Null when
    /// the row would be too wide.
    Archetype* archetype_with(Archetype& from, ComponentId component) {
        const ArchetypeTransition* transition = graph_.adding(from, component);
        return transition == nullptr ? nullptr : transition->target;
    }

    /// The query for this description; the same description returns the same query. Lifetime: the world's.
    /// Errors: an id that is not a component or tag of this world, or an id named twice.
    Result<Query*> query(const QueryDesc& desc);
    using TypedWorld::query;
    /// Calls fn(ChunkView&) for each matching chunk with the world locked. `changed` compares with
    /// reader_version().
    template <typename Function> void each_chunk(const Query& query, Function&& fn) {
        each_chunk_since(query, reader_version(), fn);
    }
    /// The same for a reader whose last run was at `since`.
    template <typename Function>
    void each_chunk_since(const Query& query, ChangeVersion since, Function&& fn) {
        const Lock lock(*this);
        note_visit(query, since);
        query.visit_chunks(change_version(), since, fn);
    }
    /// Calls fn(ChunkView&) or fn(ChunkView&, worker_index) from several threads at once, with the world
    /// locked; see parallel_query.h, which defines it.
    template <typename Function>
    void each_chunk_parallel(const Query& query, WorkerPool& pool, Function&& fn,
                             const ParallelOptions& options = {});

    /// Bytes used by all queries, including their per-archetype data.
    std::size_t query_bytes() const noexcept { return query_bytes_; }
    /// All queries, in the order in which they were made. Lifetime: until the next one is made.
    std::span<const std::unique_ptr<Query>> queries() const noexcept { return queries_; }

    ResourceStore& resources() noexcept { return resources_; }
    const ResourceStore& resources() const noexcept { return resources_; }
    /// Events sent and delivered. Hosts send with an EventWriter.
    EventStore& events() noexcept { return events_; }
    const EventStore& events() const noexcept { return events_; }

    /// Records changes to components. Each call needs a matching call of forget. See observers.h, also for
    /// errors and `payer`.
    Result<void> observe(Trigger trigger, ObservationPayer* payer = nullptr);
    void forget(Trigger trigger, ObservationPayer* payer = nullptr);
    Observers& observers() noexcept { return observers_; }

    /// The stores behind the handles in text and blob fields.
    TextPool& texts() noexcept { return texts_; }
    const TextPool& texts() const noexcept { return texts_; }
    BlobStore& blobs() noexcept { return blobs_; }
    const BlobStore& blobs() const noexcept { return blobs_; }
    /// For write_field.
    FieldContext field_context() noexcept { return {&texts_, &blobs_}; }

    /// Adds a prefab. Errors: a name in use, a component named twice, not a component, wrong value size, row
    /// too wide.
    Result<PrefabId> add_prefab(Prefab prefab);
    /// Removes the prefabs added after the first `count`. Expects: no entity was made from them.
    void withdraw_prefabs(std::size_t count) noexcept;
    const PrefabStore& prefabs() const noexcept { return prefabs_; }
    /// See PrefabStore. Expects: the world is not locked; no pending command uses either prefab.
    void swap_prefabs(PrefabId a, PrefabId b) noexcept { prefabs_.swap_contents(a, b); }

    // ---- time of change, locking, figures ----

    /// Grows with each system run; columns remember the version that last wrote them.
    /// Inside a system it is the version of that run.
    ChangeVersion change_version() const noexcept {
        const RunScope* const scope = run_scope(*this);
        return scope != nullptr ? scope->version : change_version_;
    }
    ChangeVersion advance_change_version() noexcept { return ++change_version_; }

    /// The version of the running system's previous run, which a query's `changed` filter compares with. 0
    /// outside systems: everything counts as changed.
    ChangeVersion reader_version() const noexcept {
        const RunScope* const scope = run_scope(*this);
        return scope != nullptr ? scope->since : 0;
    }

    /// While a lock exists, structural change is a contract violation. Systems run under the schedule's lock
    /// and take none themselves, since other systems may run at the same time.
    class Lock {
    public:
        explicit Lock(World& world) noexcept : world_(run_scope(world) == nullptr ? &world : nullptr) {
            if (world_ != nullptr) ++world_->lock_depth_;
        }
        ~Lock() {
            if (world_ != nullptr) --world_->lock_depth_;
        }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        World* world_;
    };
    bool is_locked() const noexcept { return lock_depth_ != 0; }
    /// Completes the host's jobs that work on this world (jobs.h). Every structural change calls it first.
    void wait_for_jobs() noexcept;

    /// Grows with each structural change. Code that keeps row addresses compares it.
    std::uint64_t structure_version() const noexcept { return structure_version_; }

    /// Calls `handler` before an entity loses a component of this type, by removal or by destruction. The
    /// handler may make structural changes. One handler per type. When memory runs out, the handler may have
    /// been called although the component stays.
    /// Expects: no archetype has the component yet.
    /// Cost: entities with the component are destroyed and changed one by one, even by bulk operations.
    void on_remove(ComponentId component, std::function<void(World&, Entity)> handler);
    /// The same for data kept outside the rows, such as the index of names. `keeper` (may be null) is called
    /// at the moment of removal, when nothing can fail any more. It makes no structural change.
    using Keeper = void (*)(World&, Entity) noexcept;
    void keep_books(ComponentId component, Keeper keeper);

    /// Commits memory for `entity_count` more entities of an archetype, so that creating them costs no page
    /// faults.
    bool warm(const Archetype& archetype, std::size_t entity_count);

    WorldStats stats() const noexcept;
    /// Bytes of one unit of chunk memory, including the gap behind it.
    std::size_t chunk_unit_bytes() const noexcept { return pool_.unit_stride(); }
    const ArchetypeGraph& archetypes() const noexcept { return graph_; }
    const ChunkPool& chunk_pool() const noexcept { return pool_; }
    const EntityIndex& entities() const noexcept { return index_; }

private:
    friend class internal::RowPlan;
    friend class internal::SchemaRebuild;
    Result<void> complete_type(const ComponentInfo& info);
    void resolve_prefab(Prefab& prefab, Archetype& archetype);
    Archetype& find_typed_archetype(std::uint32_t number, std::span<const ComponentId> components);
    bool knows_typed_archetype(std::uint32_t number, std::span<const ComponentId> components);

    /// The source of a new row: the values of its columns, and the numbers of its shared values.
    struct RowImage {
        const std::byte* columns;
        std::span<const SharedIndex> shared;
        const Prefab* extras;  ///< its extras are added to each row; null: none
    };
    static RowImage image_of(const Archetype& archetype) noexcept {
        return {archetype.default_image(), archetype.default_shared_values(), nullptr};
    }
    static RowImage image_of(const Prefab& prefab) noexcept {
        return {prefab.image.data(), prefab.shared, prefab.extras.empty() ? nullptr : &prefab};
    }

    /// In builds with debug checks, a system may touch only what it declared. If an access log is active, the
    /// access is recorded.
#if !PERIGEE_DEBUG_CHECKS
    void note_visit(const Query&, std::uint32_t) const noexcept {}
    void note_cell(ComponentId, Access, const std::byte*) const noexcept {}
#else
    void note_visit(const Query& query, ChangeVersion since) const;
    void note_cell(ComponentId component, Access access, const std::byte* cell) const;
#endif
    /// Systems that run in parallel may both ask for a query that does not exist yet.
    std::unique_lock<std::recursive_mutex> lock_queries() {
        const RunScope* const scope = run_scope(*this);
        if (scope == nullptr || !scope->is_beside_others()) return {};
        return std::unique_lock(query_mutex_);
    }

    /// For operations that may turn out to change nothing; then no lent view becomes stale.
    void expect_unlocked() {
        if (is_locked()) [[unlikely]]
            wait_for_jobs();
        ECS_EXPECTS(!is_locked(), "structural change while a query is visited; use a CommandBuffer");
    }
    void begin_structural_change() {
        expect_unlocked();
        ++structure_version_;
    }
    ChunkSlot* append_entity(Archetype& archetype) noexcept;
    Archetype::Row append_special(Entity entity, Archetype& archetype, std::uint32_t partition);
    Entity spawn_image(Archetype& archetype, const RowImage& image);
    Entity spawn_values(Archetype& archetype, std::span<const ComponentValue> values);
    bool place_image(Entity entity, Archetype& archetype, const RowImage& image);
    void take_row(Location location, Archetype& archetype) noexcept;
    bool locate(Entity entity, Location& location) const noexcept {
        return index_.find(entity, location) || index_.find_held(entity, location);
    }
    std::byte* special_cell(Entity entity, ComponentId component) const noexcept;
    bool call_hooks(Entity entity, std::span<const ComponentId> components);
    bool tell_of_death(Entity top);
    void tell_keepers(Entity entity, std::span<const ComponentId> leaving) noexcept;
    void fill_moved(Entity entity, Location from, Location to, const ArchetypeTransition& transition,
                    std::span<const ComponentValue> given, bool is_held) noexcept;
    bool destroy_special(Entity entity);
    bool free_row(Entity entity, Location location, Archetype& archetype) noexcept;
    bool move_special(Entity entity, Location from, Archetype& source, const ArchetypeTransition* way,
                      std::span<const ComponentValue> given, bool is_held = false);
    void report_all();
    void note_born(const Archetype& archetype, const Entity* entities, std::size_t count) noexcept;
    void note_gone(const Archetype& archetype, const Archetype::Run& rows) noexcept;
    void note_moved(const ArchetypeTransition& transition, const Archetype::Run& rows) noexcept;
    Archetype* changed(Archetype& from, std::span<const ComponentValue> add,
                       std::span<const ComponentId> remove) noexcept;
    bool remove_special(Entity entity, ComponentId component);
    bool set_shared(Entity entity, ComponentId component, const void* value);
    bool add_chunk_value(Entity entity, ComponentId component, const std::byte* value);
    std::uint32_t target_partition(const ArchetypeTransition& transition, const Archetype& source,
                                   std::uint32_t source_partition,
                                   std::span<const ComponentValue> given) noexcept;
    void write_given(const ChunkSlot& slot, std::uint32_t row, Archetype& archetype,
                     std::span<const ComponentValue> given, bool with_chunk = true);
    void release_cell(const ComponentInfo& info, std::byte* cell) noexcept;
    void release_all_cells() noexcept;
    bool clone_cell(const ComponentInfo& info, std::byte* cell) noexcept;
    bool clone_cells(const Archetype& archetype, const ChunkSlot& slot, std::uint32_t row) noexcept;
    template <typename NextEntity>
    std::size_t clone_runs(Entity entity, std::size_t count, NextEntity&& next_entity);
    std::uint32_t copy_into_run(Location from, const ArchetypeTransition& transition,
                                const Archetype::Run& run);
    void release_cells(const Archetype& archetype, std::span<const OwningColumn> columns,
                       const ChunkSlot& slot, std::uint32_t first, std::uint32_t count) noexcept;
    bool move(Entity entity, Location from, Archetype& source, const ArchetypeTransition& transition,
              const void* added_value);
    std::byte* cell_at(Location location, ColumnPlace place, std::uint32_t row_bytes) const noexcept;
    std::byte* cell(Entity entity, ComponentId component, std::uint32_t row_bytes,
                    Location& location) const noexcept;
    std::size_t place_runs(std::span<const Entity> entities, Archetype& archetype, const RowImage& image);
    template <bool kIsAdding>
    std::size_t change_many(ComponentId component, std::span<const ComponentChange> changes);
    std::size_t count_in_archetype(std::span<const ComponentChange> changes,
                                   std::uint32_t archetype) const noexcept;
    std::size_t move_many(std::span<const ComponentChange> changes, const ArchetypeTransition& transition,
                          Archetype& source);
    std::size_t spawn_runs(Archetype& archetype, const RowImage& image, std::size_t count,
                           const SpawnInitializer& initialize, Entity* out);
    bool spawn_parts(const Prefab& prefab, std::span<const Entity> roots);
    std::size_t complete(const Prefab& prefab, std::span<const Entity> roots);
    bool call_initializer(const SpawnInitializer& initialize, ChunkView& view, const Archetype::Run& run);
    void undo_spawns(std::span<const Entity> entities) noexcept;
    void fill_run(Archetype& archetype, const std::byte* image, const Archetype::Run& run);
    std::uint32_t complete_run(const RowImage& image, Archetype& archetype, const Archetype::Run& run);
    bool write_extras(const Prefab& prefab, Archetype& archetype, const ChunkSlot& slot, std::uint32_t row);
    void write_link(Entity entity, const PrefabPart::Link& link, Entity target);
    std::size_t destroy_rows(Archetype& archetype);
    void free_rows(Archetype& archetype);
    std::size_t change_archetype(Archetype& source, const ArchetypeTransition& transition,
                                 const ComponentValue& given);
    std::size_t move_chunk(Archetype& source, std::uint32_t chunk, const ArchetypeTransition& transition,
                           std::uint32_t partition, const ComponentValue& given);
    std::size_t set_rows(Archetype& archetype, ComponentId component, const void* value);
    std::size_t regroup(Archetype& archetype, ComponentId component, const void* value);

    TextPool texts_;
    ComponentRegistry registry_;
    BlobStore blobs_;
    std::unique_ptr<BufferPool> buffers_;  // apart: its locks have their own cache lines
    ObjectStore objects_;
    ChunkPool pool_;
    UnitTable units_;
    SharedStore shared_;
    ArchetypeGraph graph_;
    EntityIndex index_;
    ResourceStore resources_;
    EventStore events_;
    Observers observers_;
    PrefabStore prefabs_;
    std::vector<std::unique_ptr<Query>> queries_;
    std::size_t query_bytes_ = 0;
    std::recursive_mutex query_mutex_;   ///< see lock_queries
    std::vector<Query*> typed_queries_;  ///< by type_number of the parameter list
    std::vector<Archetype*> typed_archetypes_;
    std::size_t entity_count_ = 0;
    ChangeVersion change_version_;
    std::uint32_t lock_depth_ = 0;
    std::vector<Jobs*> jobs_;  ///< the host's unfinished jobs; each adds to lock_depth_
    std::uint64_t structure_version_ = 0;
    std::map<ComponentId, std::function<void(World&, Entity)>> remove_handlers_;
    std::vector<std::pair<ComponentId, Keeper>> keepers_;
    std::vector<std::shared_ptr<void>> kept_parts_;  ///< by type_number
};

}  // namespace perigee

#include "ecs/world/internal/typed_query_impl.h"
#include "ecs/world/internal/typed_world_impl.h"
#include "ecs/world/internal/world_impl.h"
