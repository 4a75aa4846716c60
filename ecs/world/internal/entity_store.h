// Entities and their rows: ids, records, archetypes and chunks, and the changes to one row.
//
// Invariant: an entity's record, its row and its archetype always agree. Steps that may run out of memory
// come first, so a change happens completely or not at all. World is the public side of this class; its
// functions of the same names say what each change does. It also gives other files of the core access to its
// parts. Not here: runs of rows (row_runs.h), changes by query (bulk.h).
#pragma once

#include "ecs/archetype/archetype_graph.h"
#include "ecs/archetype/chunk_pool.h"
#include "ecs/archetype/entity_index.h"
#include "ecs/world/component_value.h"
#include "ecs/world/internal/structure_guard.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace perigee {
class ComponentRegistry;
class RelationIndex;
struct Prefab;
struct WorldConfig;
}  // namespace perigee

namespace perigee::internal {

class QueryList;
class RemovalHooks;
class RowCells;
class RowRecorder;
struct ComponentHooks;

/// The source of a new row: the values of its columns, and the numbers of its shared values.
struct RowImage {
    const std::byte* columns;
    std::span<const SharedIndex> shared;
    const Prefab* extras;  ///< its extras are added to each row; null: none
};
inline RowImage image_of(const Archetype& archetype) noexcept {
    return {archetype.default_image(), archetype.default_shared_values(), nullptr};
}
RowImage image_of(const Prefab& prefab) noexcept;

class EntityStore {
public:
    EntityStore(World& world, ComponentRegistry& registry, const WorldConfig& config);
    ~EntityStore();
    EntityStore(const EntityStore&) = delete;
    EntityStore& operator=(const EntityStore&) = delete;

    // ---- the parts

    World& world() noexcept { return world_; }
    ComponentRegistry& registry() noexcept { return registry_; }
    const ComponentRegistry& registry() const noexcept { return registry_; }
    ArchetypeGraph& graph() noexcept { return graph_; }
    const ArchetypeGraph& graph() const noexcept { return graph_; }
    EntityIndex& index() noexcept { return index_; }
    const EntityIndex& index() const noexcept { return index_; }
    ChunkPool& pool() noexcept { return pool_; }
    const ChunkPool& pool() const noexcept { return pool_; }
    const UnitTable& units() const noexcept { return units_; }
    UnitTable& units() noexcept { return units_; }
    StructureGuard& guard() noexcept { return guard_; }
    const StructureGuard& guard() const noexcept { return guard_; }
    QueryList& queries() noexcept { return *queries_; }
    const QueryList& queries() const noexcept { return *queries_; }
    RowRecorder& recorder() noexcept { return *recorder_; }
    RowCells& cells() noexcept { return *cells_; }
    RelationIndex& relations() noexcept { return *relations_; }
    const SharedStore& shared() const noexcept { return shared_; }

    /// Marks what is written outside systems.
    ChangeVersion version() const noexcept { return version_; }
    ChangeVersion advance_version() noexcept { return ++version_; }
    /// Marks what the calling thread writes.
    ChangeVersion writing_version() const noexcept {
        const RunScope* const scope = run_scope(world_);
        return scope != nullptr ? scope->version : version_;
    }

    /// Number of living entities. Code that creates or removes rows updates it.
    std::size_t entity_count() const noexcept { return entity_count_; }
    void count_created(std::size_t count) noexcept { entity_count_ += count; }
    void count_destroyed(std::size_t count) noexcept { entity_count_ -= count; }
    /// Goes back to an earlier time, when all rows are replaced.
    void rewind(ChangeVersion version, std::size_t entity_count) noexcept {
        version_ = version;
        entity_count_ = entity_count;
    }

    /// The archetypes of C++ component lists, by type_number of the list; null before they are created.
    std::vector<Archetype*>& typed_archetypes() noexcept { return typed_archetypes_; }

    // ---- the location of an entity

    /// Finds a living entity, or a destroyed one that awaits cleanup.
    bool locate(Entity entity, Location& location) const noexcept {
        return index_.find(entity, location) || index_.find_destroyed(entity, location);
    }
    Archetype& archetype_at(Location location) noexcept {
        return graph_.at(units_.archetype[location.unit()]);
    }
    const Archetype& archetype_at(Location location) const noexcept {
        return graph_.at(units_.archetype[location.unit()]);
    }
    std::uint32_t chunk_at(Location location) const noexcept { return units_.chunk_index[location.unit()]; }
    ChunkSlot slot_at(Location location) const noexcept {
        return archetype_at(location).chunks()[chunk_at(location)];
    }
    /// The bytes of a component's value; null when the entity is dead or has no such value. `row_bytes` is
    /// the size in a column, for callers that know it as a constant. Inline, because random access is two
    /// cache misses and little else.
    std::byte* cell(Entity entity, ComponentId component, std::uint32_t row_bytes = 0) const noexcept {
        Location location;
        if (!index_.find(entity, location)) [[unlikely]]
            return special_cell(entity, component);
        const ColumnPlace place = graph_.column_place(units_.archetype[location.unit()], component);
        if (!place.has_column()) return special_cell(entity, component);
        return cell_at(location, place, row_bytes != 0 ? row_bytes : place.size);
    }

    // ---- one entity; see World

    Entity spawn(Archetype& archetype);
    Entity spawn_image(Archetype& archetype, const RowImage& image);
    /// Creates an entity with values, in an archetype of any kind. Expects: begin_change was called.
    Entity spawn_values(Archetype& archetype, std::span<const ComponentValue> values);
    /// A new entity in the last row of the chunk that is returned, values not written yet; null when memory
    /// or ids are exhausted. Expects: a plain archetype.
    ChunkSlot* append_entity(Archetype& archetype) noexcept;
    /// Brings a reserved entity to life. False when memory is exhausted; the id is released then.
    bool place_image(Entity entity, Archetype& archetype, const RowImage& image);
    bool destroy(Entity entity);
    bool add(Entity entity, ComponentId component, const void* value);
    bool remove(Entity entity, ComponentId component);
    bool change(Entity entity, std::span<const ComponentValue> add, std::span<const ComponentId> remove);
    bool has(Entity entity, ComponentId component) const noexcept;
    std::byte* edit(Entity entity, ComponentId component);
    bool set(Entity entity, ComponentId component, const void* value);
    bool set_enabled(Entity entity, ComponentId component, bool is_enabled);
    bool is_enabled(Entity entity, ComponentId component) const noexcept;

    // ---- what follows a removal; see removal_hooks.h

    RemovalHooks& hooks() noexcept { return *hooks_; }
    /// See World::on_remove.
    void on_remove(ComponentId component, std::function<void(World&, Entity)> handler);
    void set_component_hooks(ComponentId component, const ComponentHooks& hooks);

    // ---- relations whose target dies; see relation_index.h

    /// While it exists, dead targets are not followed up.
    class HoldTargets {
    public:
        explicit HoldTargets(EntityStore& store) noexcept : store_(store) { ++store_.targets_held_; }
        ~HoldTargets() { --store_.targets_held_; }
        HoldTargets(const HoldTargets&) = delete;
        HoldTargets& operator=(const HoldTargets&) = delete;

    private:
        EntityStore& store_;
    };
    /// Clears or destroys, as declared, every entity whose relation points at a dead entity, until none does.
    /// If memory runs out, the rest follows at the next call. Every public change that may destroy an entity
    /// ends with it, a playback once at its end. Expects: the world is not locked.
    /// Inline: see follow_up_work.h.
    void settle_relations();

    // ---- steps of larger changes

    /// The partition of the target for a row: shared values that were given, else those it has, else
    /// defaults. kNoPartition when memory is exhausted.
    std::uint32_t target_partition(const ArchetypeEdge& edge, const Archetype& source,
                                   std::uint32_t source_partition,
                                   std::span<const ComponentValue> given) noexcept;
    /// The target archetype of a change; null when the row gets too wide or memory is exhausted.
    Archetype* changed(Archetype& from, std::span<const ComponentValue> add,
                       std::span<const ComponentId> remove) noexcept;
    /// Writes the caller's values into a new row: columns and, if it is the first of its chunk, the chunk's
    /// value.
    void write_given(const ChunkSlot& slot, std::uint32_t row, Archetype& archetype,
                     std::span<const ComponentValue> given);
    /// Writes the record and values of an existing row; the caller removes the row that it comes from.
    void fill_moved(Entity entity, Location from, Location to, const ArchetypeEdge& edge,
                    std::span<const ComponentValue> given, bool is_destroyed) noexcept;
    /// Removes a row whose entity moves or dies. Updates the record of the entity that fills the gap.
    [[gnu::always_inline]] void remove_row(Location location, Archetype& archetype) noexcept {
        const Entity moved = archetype.remove(units_.chunk_index[location.unit()], location.row(), version_);
        if (moved) index_.place(moved, location, archetype.is_destroyed());
    }
    /// The same for a plain archetype, whose entities are alive.
    [[gnu::always_inline]] void remove_plain_row(Location location, Archetype& archetype) noexcept {
        const Entity moved = archetype.remove(units_.chunk_index[location.unit()], location.row(), version_);
        if (moved) index_.place(moved, location);
    }
    /// Frees the row and the id of an entity, without updating the count. Returns true.
    bool free_row(Entity entity, Location location, Archetype& archetype) noexcept;

private:
    std::byte* special_cell(Entity entity, ComponentId component) const noexcept;
    std::byte* cell_at(Location location, ColumnPlace place, std::uint32_t row_bytes) const noexcept {
        return pool_.address(location.unit()) + std::size_t{place.line} * kCacheLine +
               std::size_t{location.row()} * row_bytes;
    }
    bool move(Entity entity, Location from, Archetype& source, const ArchetypeEdge& edge,
              const void* added_value);
    bool move_special(Entity entity, Location from, Archetype& source, const ArchetypeEdge* edge,
                      std::span<const ComponentValue> given, bool is_destroyed = false);
    bool destroy_special(Entity entity);
    bool destroy_target(Entity entity);
    void follow_dead_targets();
    bool follow(ComponentId relation, Entity source);
    bool remove_special(Entity entity, ComponentId component);
    bool set_shared(Entity entity, ComponentId component, const void* value);

    World& world_;
    ComponentRegistry& registry_;
    SharedStore& shared_;
    ChunkPool pool_;
    UnitTable units_;
    ArchetypeGraph graph_;
    EntityIndex index_;
    std::size_t entity_count_ = 0;
    ChangeVersion version_;
    StructureGuard guard_;
    std::unique_ptr<RelationIndex> relations_;
    std::uint32_t targets_held_ = 0;
    std::unique_ptr<QueryList> queries_;
    std::unique_ptr<RemovalHooks> hooks_;
    std::unique_ptr<RowRecorder> recorder_;
    std::unique_ptr<RowCells> cells_;
    std::vector<Archetype*> typed_archetypes_;
};

}  // namespace perigee::internal
