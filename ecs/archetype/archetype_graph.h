// All archetypes of a world and the edges between them.
//
// Invariant: one archetype per component set. An edge is found once and then followed by two loads; it
// carries the copy plan, so moving a row needs no look-up. Archetypes are never destroyed; those that are
// newer than a restored snapshot are dormant until they are needed. Source of the edge cache: the table graph
// of flecs (https://github.com/SanderMertens/flecs); the precomputed plan is ours.
#pragma once

#include "ecs/archetype/archetype.h"
#include "ecs/archetype/chunk_layout.h"
#include "ecs/archetype/chunk_pool.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace perigee {

class ComponentRegistry;

/// The edge from one archetype to another.
struct ArchetypeEdge {
    Archetype* target = nullptr;
    const Archetype* source = nullptr;
    internal::CopyPlan copies;       ///< row to row, columns that both have, the entity column excluded
    internal::CopyPlan::Op added{};  ///< from the target's default image into the new column; size 0: none
    bool is_plain = true;            ///< both ends are plain, and only `copies` and `added` apply
    bool is_reported = false;        ///< adds or removes a component that reactions observe

    internal::CopyPlan also_added;  ///< further new columns, from the default image
    /// Enabled bits that both have: offsets of the words in the chunk.
    struct Mask {
        std::uint32_t source_offset;
        std::uint32_t target_offset;
    };
    std::vector<Mask> masks;
    std::vector<OwningColumn> released;  ///< columns of the source that are dropped and whose cells own
                                         ///< memory
    std::vector<int> shared_sources;     ///< per shared component of the target: index in the source, or -1
    std::vector<ComponentId> hooked;     ///< dropped components with an on_remove handler
};

/// Data that random access needs about a component in an archetype.
struct ColumnPlace {
    /// Present, without a value: a tag, or an enableable component without fields.
    static constexpr std::uint16_t kTag = 0xFFFF;
    static constexpr std::uint16_t kShared = 0xFFFE;
    static constexpr std::uint16_t kChunk = 0xFFFD;

    std::uint16_t line = 0;  ///< offset of the column in 64-byte lines; 0: absent; or one of the above
    /// Index into layout().columns, shared_components() or chunk_values(); for kTag with bits into masks.
    std::uint16_t column = 0;
    std::uint16_t size = 0;  ///< bytes of one row
    std::uint16_t mask = 0;  ///< offset of the enabled bits in 64-bit words; 0: none

    bool is_present() const noexcept { return line != 0; }
    bool has_column() const noexcept { return static_cast<std::uint16_t>(line - 1) < kChunk - 1; }
    bool is_shared() const noexcept { return line == kShared; }
    bool is_chunk_value() const noexcept { return line == kChunk; }
};

/// The version slot that a write to the enabled bits at `place` marks. Expects: place.mask is not 0.
inline std::uint32_t enabled_slot(const Archetype& archetype, ColumnPlace place) noexcept {
    return place.has_column() ? place.column : archetype.mask_slot(place.column);
}

/// Each archetype may hold a chunk and makes every query larger. Beyond this number, memory counts as
/// exhausted.
inline constexpr std::size_t kMaxArchetypes = 32'768;

class ArchetypeGraph {
public:
    ArchetypeGraph(const ComponentRegistry& registry, ChunkPool& pool, UnitTable& units, SharedStore& shared,
                   ChunkShape shape);
    ~ArchetypeGraph();

    /// The archetype with exactly these components (sorted here, duplicates dropped).
    /// Errors: a resource, event or blob type; a row too wide for the largest chunk. Throws std::bad_alloc,
    /// and then nothing changed.
    Result<Archetype*> require(std::span<const ComponentId> components);

    ChunkShape shape() const noexcept { return shape_; }

    Archetype& empty() noexcept { return *archetypes_.front(); }
    /// False for an archetype of another world.
    bool has(const Archetype& archetype) const noexcept {
        return archetype.index() < archetypes_.size() && archetypes_[archetype.index()].get() == &archetype;
    }
    Archetype& at(std::uint32_t index) noexcept { return *archetypes_[index]; }
    const Archetype& at(std::uint32_t index) const noexcept { return *archetypes_[index]; }
    /// Number of archetypes without the dormant ones.
    std::size_t size() const noexcept { return awake_count_; }
    /// The number of archetypes, including the dormant ones, whose indices come last.
    std::size_t known_count() const noexcept { return archetypes_.size(); }
    /// Approximate memory use of all archetypes and edges, without chunks.
    std::size_t bytes() const noexcept { return bytes_ + edge_bytes_; }

    /// The edge that adds one component, with all that it requires, or removes it. Null when the target's row
    /// would be too wide or memory is exhausted. An edge to the same archetype when nothing changes.
    ArchetypeEdge* adding(Archetype& from, ComponentId component) noexcept {
        if (component.index < from.add_edges.size() && from.add_edges[component.index] != nullptr) {
            return from.add_edges[component.index];
        }
        return find_edge(from, component, true);
    }
    ArchetypeEdge* removing(Archetype& from, ComponentId component) noexcept {
        if (component.index < from.remove_edges.size() && from.remove_edges[component.index] != nullptr) {
            return from.remove_edges[component.index];
        }
        return find_edge(from, component, false);
    }

    /// The edge between any two archetypes; new components get their defaults. Null when memory is exhausted.
    const ArchetypeEdge* between(Archetype& from, Archetype& to) noexcept;

    /// The edge that entities with cleanup components take when they are destroyed: only those components and
    /// the tag are left. Null when memory is exhausted.
    const ArchetypeEdge* destroying(Archetype& from) noexcept;
    /// The edge that a clone takes: cleanup components and hooked components are dropped. Null when memory is
    /// exhausted.
    const ArchetypeEdge* cloning(Archetype& from) noexcept;
    /// The tag of destroyed entities that await cleanup; not valid before the first cleanup component is
    /// declared.
    ComponentId destroyed_tag() const noexcept { return destroyed_tag_; }
    void set_destroyed_tag(ComponentId tag) noexcept { destroyed_tag_ = tag; }

    /// Marks a component as having an on_remove handler. Expects: no archetype has it yet.
    void set_hooked(ComponentId component);
    bool is_hooked(ComponentId component) const noexcept;

    /// A copy of an archetype without rows, with its components as the registry describes them now. `changed`
    /// are those whose shared values have other numbers than in `old`. Errors: the row is too wide. Throws
    /// std::bad_alloc, and then nothing changed.
    Result<std::unique_ptr<Archetype>> remake(const Archetype& old, std::span<const ComponentId> changed);
    /// Drops all cached edges, after columns of some archetypes have moved.
    void forget_edges() noexcept;
    /// Updates the column places of one archetype, after its columns have moved.
    void update_places(std::uint32_t archetype) noexcept { write_places(*archetypes_[archetype]); }

    /// Goes back to an earlier time: these archetypes get the indices 0, 1, … and all others become dormant.
    /// Drops all cached edges. A dormant archetype has no rows and is in no query. It gets the next index and
    /// becomes known to the queries as if it were new when it is required or gets a row, so the order of
    /// archetypes is that of a world in which it never existed. Expects: the caller replaces all rows and
    /// updates the queries; the archetypes are of this graph, each named once, the empty one first.
    void arrange(std::span<Archetype* const> awake) noexcept;
    /// Ends an archetype's dormancy. Throws std::bad_alloc, and then nothing changed.
    void wake(Archetype& archetype);

    /// Re-evaluates the edges, after the set of observed components has changed.
    void update_edges() noexcept;

    /// A component's column in an archetype, for random access. Cost: two loads.
    ColumnPlace column_place(std::uint32_t archetype, ComponentId component) const noexcept {
        return component.index < place_stride_
                   ? places_[std::size_t{archetype} * place_stride_ + component.index]
                   : ColumnPlace{};
    }

    /// Called once for each new archetype. An exception is passed on, and the archetype is not created.
    void on_created(std::function<void(Archetype&)> handler) { on_created_ = std::move(handler); }

private:
    ArchetypeEdge* find_edge(Archetype& from, ComponentId component, bool is_adding) noexcept;
    ArchetypeEdge* make_edge(Archetype& from, ComponentId component, bool is_adding);
    void reserve_edge(const Archetype& to, std::size_t more_bytes);
    void reserve_places(std::size_t archetypes);
    void write_places(const Archetype& archetype) noexcept;
    Result<ArchetypeParts> parts_of(const std::vector<ComponentId>& key) const;
    Archetype& make_archetype(std::vector<ComponentId> key, ArchetypeParts parts);
    void move_to(Archetype& archetype, std::uint32_t index) noexcept;
    template <typename Stays>
    const ArchetypeEdge* between_part(Archetype& from, ComponentId more, const Stays& stays) noexcept;

    const ComponentRegistry& registry_;
    ChunkPool& pool_;
    UnitTable& units_;
    SharedStore& shared_;
    ChunkShape shape_;
    std::vector<std::unique_ptr<Archetype>> archetypes_;  ///< the dormant ones last
    std::size_t awake_count_ = 0;
    std::map<std::vector<ComponentId>, Archetype*> by_components_;
    std::vector<std::unique_ptr<ArchetypeEdge>> edges_;
    std::vector<ColumnPlace> places_;  ///< archetypes x components
    std::size_t place_stride_ = 0;
    std::size_t bytes_ = 0;
    std::size_t edge_bytes_ = 0;
    std::map<std::pair<const Archetype*, const Archetype*>, std::unique_ptr<ArchetypeEdge>> between_;
    struct {
        const Archetype* from = nullptr;
        const Archetype* to = nullptr;
        const ArchetypeEdge* edge = nullptr;
    } last_between_;  ///< the last result: consecutive calls in a loop ask for the same
    std::function<void(Archetype&)> on_created_;
    ComponentId destroyed_tag_;
    std::vector<ComponentId> hooked_;  ///< sorted
};

}  // namespace perigee
