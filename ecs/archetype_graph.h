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

/// The way from one archetype to another: what both have is copied, what is new gets its defaults.
struct ArchetypeTransition {
    Archetype* target = nullptr;
    internal::CopyPlan copies;    ///< row to row, columns that both have, the entity column excluded
    internal::CopyPlan defaults;  ///< from the target's default image into columns that only the target has
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

    /// Offset of a component's column, in 64-byte lines, by archetype and component: 0 absent, kTagLine a tag
    /// that is present. Two loads; the path of random access.
    static constexpr std::uint16_t kTagLine = 0xFFFF;
    std::uint16_t column_line(std::uint32_t archetype, ComponentId component) const noexcept {
        return component.index < line_stride_
                   ? lines_[std::size_t{archetype} * line_stride_ + component.index]
                   : 0;
    }

    /// Called once for each archetype that comes into being.
    void on_created(std::function<void(Archetype&)> handler) { on_created_ = std::move(handler); }

private:
    ArchetypeTransition* find_edge(Archetype& from, ComponentId component, bool is_adding);
    void write_lines(const Archetype& archetype);

    const ComponentRegistry& registry_;
    ChunkPool& pool_;
    UnitTable& units_;
    ChunkShape shape_;
    std::vector<std::unique_ptr<Archetype>> archetypes_;
    std::map<std::vector<ComponentId>, Archetype*> by_components_;
    std::vector<std::unique_ptr<ArchetypeTransition>> transitions_;
    std::vector<std::uint16_t> lines_;
    std::size_t line_stride_ = 0;
    std::function<void(Archetype&)> on_created_;
};

}  // namespace perigee
