// All archetypes of a world and the ways between them.
//
// Invariant: one archetype per component set. An edge is found once and then followed by two loads; it
// carries the plan of what to copy, so that moving a row looks nothing up. Archetypes are never destroyed.
// Source of the edge cache: the table graph of flecs (https://github.com/SanderMertens/flecs); the
// precomputed plan is ours.
#pragma once

#include "ecs/archetype.h"
#include "ecs/chunk_layout.h"
#include "ecs/chunk_pool.h"
#include "ecs/registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

/// The way from one archetype to another that has one component more, one less, or the same ones.
struct ArchetypeTransition {
    Archetype* target = nullptr;
    internal::CopyPlan copies;       ///< row to row, columns that both have, the entity column excluded
    internal::CopyPlan::Op added{};  ///< from the target's default image into the new column; size 0: none
};

/// What random access must know of a component in an archetype.
struct ColumnPlace {
    static constexpr std::uint16_t kTag = 0xFFFF;

    std::uint16_t line = 0;  ///< offset of the column in 64-byte lines; 0: absent, kTag: a tag that is there
    std::uint16_t column = 0;  ///< index into layout().columns
    std::uint32_t size = 0;    ///< bytes of one row

    bool is_present() const noexcept { return line != 0; }
    bool has_column() const noexcept { return line != 0 && line != kTag; }
};

class ArchetypeGraph {
public:
    ArchetypeGraph(const ComponentRegistry& registry, ChunkPool& pool, UnitTable& units, ChunkShape shape);
    ~ArchetypeGraph();

    /// The archetype with exactly these components (sorted here, duplicates dropped).
    /// Errors: a row too wide for the largest chunk.
    Result<Archetype*> require(std::span<const ComponentId> components);

    Archetype& empty() noexcept { return *archetypes_.front(); }
    Archetype& at(std::uint32_t index) noexcept { return *archetypes_[index]; }
    const Archetype& at(std::uint32_t index) const noexcept { return *archetypes_[index]; }
    std::size_t size() const noexcept { return archetypes_.size(); }

    /// Null when the target's row would be too wide. A transition to the same archetype when nothing changes.
    ArchetypeTransition* adding(Archetype& from, ComponentId component) {
        if (component.index < from.add_edges.size() && from.add_edges[component.index] != nullptr) {
            return from.add_edges[component.index];
        }
        return find_edge(from, component, true);
    }
    ArchetypeTransition* removing(Archetype& from, ComponentId component) {
        if (component.index < from.remove_edges.size() && from.remove_edges[component.index] != nullptr) {
            return from.remove_edges[component.index];
        }
        return find_edge(from, component, false);
    }

    /// A component's column in an archetype. Two loads; the path of random access.
    ColumnPlace column_place(std::uint32_t archetype, ComponentId component) const noexcept {
        return component.index < place_stride_
                   ? places_[std::size_t{archetype} * place_stride_ + component.index]
                   : ColumnPlace{};
    }

    /// Called once for each archetype that comes into being.
    void on_created(std::function<void(Archetype&)> handler) { on_created_ = std::move(handler); }

private:
    ArchetypeTransition* find_edge(Archetype& from, ComponentId component, bool is_adding);
    void write_places(const Archetype& archetype);

    const ComponentRegistry& registry_;
    ChunkPool& pool_;
    UnitTable& units_;
    ChunkShape shape_;
    std::vector<std::unique_ptr<Archetype>> archetypes_;
    std::map<std::vector<ComponentId>, Archetype*> by_components_;
    std::vector<std::unique_ptr<ArchetypeTransition>> transitions_;
    std::vector<ColumnPlace> places_;  ///< archetypes x components
    std::size_t place_stride_ = 0;
    std::function<void(Archetype&)> on_created_;
};

}  // namespace perigee
