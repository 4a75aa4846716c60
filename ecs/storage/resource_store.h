// The values of resources: one per resource type and world.
//
// Invariant: a resource exists from its declaration on, with the schema's defaults; its address
// changes only with the schema.
#pragma once

#include "ecs/schema/component.h"
#include "ecs/schema/schema.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

class ResourceStore {
public:
    /// Expects: `schema` is laid out and of kind resource; the id was not created before.
    void create(ComponentId id, const Schema& schema);
    bool has(ComponentId id) const noexcept;
    /// The value's bytes; null if the id is not a resource.
    std::byte* data(ComponentId id) noexcept;
    const std::byte* data(ComponentId id) const noexcept;
    /// Swaps the value's bytes with `other`.
    void exchange(ComponentId id, std::unique_ptr<std::byte[]>& other) noexcept;
    /// All resources, in order of declaration.
    std::span<const ComponentId> ids() const noexcept { return ids_; }

private:
    struct Entry {
        std::unique_ptr<std::byte[]> bytes;  ///< operator new aligns to 16
    };
    std::vector<Entry> entries_;  ///< by component index
    std::vector<ComponentId> ids_;
};

}  // namespace perigee
