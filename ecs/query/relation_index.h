// Finds the entities whose relation points at a target. A relation is a component with `index` in its schema.
//
// Invariant: a look-up returns exactly the rows whose field is the target at that moment. Before it, the
// index reads the chunks in which the relation was written, or which gained or lost rows, since it last read
// them; change versions tell which. So no write has to be reported. A write through an address from before a
// look-up is found only after the address was lent again, which marks the column. Entries of removed rows are
// dropped when a look-up meets them. Dead targets are found from the entities that died, which EntityIndex
// notes, and from the links that are new. Memory for each relation: about 50 bytes for each entity slot of
// the world. Look-ups may run on several threads at once. Not here: what happens when a target dies
// (ecs/world/internal/entity_store_relations.cpp), the public functions (ecs/relations/sources.h).
#pragma once

#include "ecs/archetype/archetype_graph.h"
#include "ecs/archetype/chunk_pool.h"
#include "ecs/archetype/entity_index.h"
#include "ecs/archetype/location.h"
#include "ecs/base/change_version.h"
#include "ecs/base/entity.h"
#include "ecs/schema/component.h"
#include "ecs/schema/registry.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace perigee {

class RelationIndex {
public:
    /// Returns a version that everything written later has or exceeds.
    using Stamp = std::function<ChangeVersion()>;

    RelationIndex(const ComponentRegistry& registry, const ArchetypeGraph& graph, EntityIndex& entities,
                  const UnitTable& units, const ChunkPool& pool, Stamp stamp);
    RelationIndex(const RelationIndex&) = delete;
    RelationIndex& operator=(const RelationIndex&) = delete;

    /// True if no relation was declared.
    bool is_empty() const noexcept { return relations_.empty(); }
    /// Adds a declared relation.
    void add(ComponentId component);
    /// Makes room for the relations of all declared types, so that reset() cannot fail. Throws
    /// std::bad_alloc.
    void prepare_reset() { relations_.reserve(registry_.size()); }
    /// Takes the relations and their fields from the registry again, and reads everything at the next
    /// look-up. For code that replaces rows, schemas or versions without marking them. Allocates nothing
    /// after prepare_reset().
    void reset();

    /// Adds the living entities whose relation is `target` to `found`, in order of their index. None for null
    /// and for components that are not relations. Throws std::bad_alloc.
    void find(ComponentId relation, Entity target, std::vector<Entity>& found);
    /// Their number.
    std::size_t count(ComponentId relation, Entity target);
    /// The same as rows, in no order.
    void find_rows(ComponentId relation, Entity target, std::vector<Location>& found);

    /// An entity whose target is dead.
    struct Orphan {
        ComponentId relation;
        Entity source;
    };
    /// Finds those that became one since the last call, sorted. Without `reads_chunks`, only those whose link
    /// is known already. A target with a reserved id is not dead. Throws std::bad_alloc; the next call then
    /// finds all orphans.
    /// Cost: that of the entities that died, of their sources and, if requested, of reading.
    void find_orphans(bool reads_chunks, std::vector<Orphan>& found);
    /// Lets the next find_orphans find all orphans, also those that an earlier call returned.
    void look_for_all() noexcept { looks_for_all_ = true; }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// For each source slot: its target, and its neighbours in the list of the target's slot.
    struct Link {
        Entity source;
        Entity target;  ///< null: in no list
        std::uint32_t next = kNone;
        std::uint32_t previous = kNone;
    };
    /// For each target slot, the sources that point there; the last entry is for ids beyond all slots.
    struct List {
        std::uint32_t first = kNone;
        std::uint32_t used_place = kNone;  ///< in Relation::used
        Entity target;                     ///< of all members, unless is_mixed
        bool is_mixed = false;
    };
    struct Relation {
        ComponentId component;
        std::uint32_t offset = 0;  ///< of the target in the value
        ChangeVersion read_at = 0;
        std::vector<Link> links;
        std::vector<List> lists;
        List beyond;
        std::vector<std::uint32_t> used;  ///< slots of lists with members
        std::vector<std::uint32_t> late;  ///< slots of sources whose target was dead when they were linked
    };

    Relation* relation_of(ComponentId component) noexcept;
    void refresh(Relation& relation);
    void read_chunk(Relation& relation, const ChunkSlot& slot, const std::byte* targets,
                    std::uint32_t stride);
    List& list_of(Relation& relation, Entity target) noexcept;
    void link(Relation& relation, Entity source, Entity target) noexcept;
    void unlink(Relation& relation, std::uint32_t slot) noexcept;
    bool is_current(const Relation& relation, const Link& link, Location& location) const noexcept;
    bool is_dead(Entity target) const noexcept;
    template <typename Function>
    void each_source(Relation& relation, List& list, Entity target, Function&& fn);
    template <typename Function> void each_source(ComponentId component, Entity target, Function&& fn);
    void add_orphans(Relation& relation, List& list, std::vector<Orphan>& found);
    void add_all_orphans(Relation& relation, std::vector<Orphan>& found);
    void add_new_orphans(Relation& relation, std::vector<Orphan>& found);

    const ComponentRegistry& registry_;
    const ArchetypeGraph& graph_;
    EntityIndex& entities_;
    const UnitTable& units_;
    const ChunkPool& pool_;
    Stamp stamp_;
    std::vector<Relation> relations_;  ///< sorted by component
    bool looks_for_all_ = true;
    std::vector<Entity> dead_;  ///< since the last find_orphans
    std::mutex mutex_;
};

}  // namespace perigee
