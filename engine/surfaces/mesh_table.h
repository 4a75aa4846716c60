// MeshTable: the meshes that a game and its mods make (engine/draw/shapes/vertex_mesh.h).
//
// Invariant: a mesh has an id above 0 until it is released; what a mod has is charged to the mod. A list that
// draws a mesh keeps it, so it may be released at any time. Nothing here reaches the world or its hash. Not
// here: what scripts call (engine/modules/internal/gfx_meshes.h).
#pragma once

#include "ecs/base/divided_pool.h"
#include "engine/draw/shapes/vertex_mesh.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

class MeshTable {
public:
    static constexpr std::size_t kMaxMeshes = 16384;
    /// Limit for the vertices of one mesh, and for one list of indices.
    static constexpr std::size_t kMaxVertices = std::size_t{1} << 20U;
    /// Limit for all meshes together, divided between the game and its mods, as the number is.
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;

    void set_owners(std::size_t count);

    /// Returns the id, or 0 if the owner has no room for it. Expects: as VertexMesh, and at most
    /// kMaxVertices.
    std::uint32_t make(std::size_t count, MeshMode mode, std::span<const std::uint32_t> order,
                       std::uint32_t image, std::size_t owner);
    /// Null if there is none of this id.
    const std::shared_ptr<VertexMesh>& find(std::uint32_t id) const noexcept;

    /// Called for a mesh that is no longer used, also from other threads than the one that makes meshes.
    void release(std::uint32_t id) noexcept;

    std::size_t count() const noexcept { return count_; }

private:
    struct Place {
        std::shared_ptr<VertexMesh> mesh;
        std::size_t owner = 0;
        std::atomic<bool> is_released = false;
    };
    void forget_released() noexcept;

    // By id, which counts from 1; made when the first mesh is. It does not grow, so release needs no lock.
    std::unique_ptr<Place[]> places_;
    std::size_t end_ = 0;   ///< of the places that were ever used
    std::size_t free_ = 0;  ///< no place before it is free
    DividedPool bytes_{kMaxBytes};
    DividedPool numbers_{kMaxMeshes};
    std::atomic<std::size_t> released_ = 0;
    std::size_t count_ = 0;
};

}  // namespace perigee
