// Reports row changes to observers: called when rows are added, removed or moved and their archetype has
// observed components. The observed components are determined when observing begins, not per row.
#pragma once

#include "ecs/archetype/archetype.h"
#include "ecs/world/observers.h"

#include <cstddef>

namespace perigee {
class ComponentRegistry;
struct ArchetypeEdge;
class SharedStore;
}  // namespace perigee

namespace perigee::internal {

class RowRecorder {
public:
    RowRecorder(Observers& observers, const ComponentRegistry& registry, const SharedStore& shared) noexcept
        : observers_(observers), registry_(registry), shared_(shared) {}

    void added(const Archetype& archetype, const Entity* entities, std::size_t count) noexcept;
    /// Rows that are removed. For destroyed entities these are their last components.
    void removed(const Archetype& archetype, const Archetype::Run& rows) noexcept;
    /// Rows before they leave for the target.
    void moved(const ArchetypeEdge& edge, const Archetype::Run& rows) noexcept;

private:
    void record_values(Trigger::Kind kind, const Archetype& archetype, ComponentId component,
                       const Archetype::Run& rows) noexcept;

    Observers& observers_;
    const ComponentRegistry& registry_;
    const SharedStore& shared_;
};

}  // namespace perigee::internal
