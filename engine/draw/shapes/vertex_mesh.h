// VertexMesh: triangles that a game makes once and draws many times.
//
// Invariant: three indices are a triangle, and each is one of a vertex. The memory of the vertices stays
// where it is, so compiled Lua writes it directly (perigee_mesh_head of engine/draw/item_block.h); code that
// does so adds 1 to the version. Not here: who may write (scripts/runtime/modules/gfx_meshes.lua checks every
// index), and where a mesh is drawn.
//
//   memory:  version, 4 bytes | unused, 4 bytes | vertices, a MeshPoint each
#pragma once

#include "engine/draw/shapes/mesh_point.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace perigee {

/// Which vertices are a triangle: the first and each two neighbours; each three neighbours; each three.
enum class MeshMode : std::uint8_t { fan, strip, triangles };
inline constexpr std::array<std::string_view, 3> kMeshModeNames{"fan", "strip", "triangles"};

class VertexMesh {
public:
    static constexpr std::size_t kHeadBytes = 8;  ///< in front of the vertices

    /// All vertices are at 0, 0. `order`: numbers of vertices from 0, in the order in which the mode takes
    /// them; empty: that of the vertices. Expects: each is below `count`.
    VertexMesh(std::size_t count, MeshMode mode, std::span<const std::uint32_t> order);

    std::span<const MeshPoint> vertices() const noexcept;
    /// Three for each triangle.
    std::span<const std::uint32_t> indices() const noexcept { return indices_; }
    /// Another one after each change of a vertex.
    std::uint32_t version() const noexcept { return memory_[0]; }
    /// The area of all triangles at scale 1. Infinite if a vertex is not finite.
    double area() const noexcept;

    /// Where the memory begins. Lifetime: of the mesh.
    void* memory() noexcept { return memory_.get(); }
    std::size_t byte_count() const noexcept { return bytes_of(count_, indices_.size()); }
    static std::size_t bytes_of(std::size_t vertices, std::size_t indices) noexcept {
        return vertices * sizeof(MeshPoint) + indices * sizeof(std::uint32_t);
    }
    /// How many indices the triangles have of so many vertices in order.
    static std::size_t index_count(std::size_t ordered, MeshMode mode) noexcept;

    std::uint32_t image = 0;  ///< id of an image; 0: none

private:
    std::size_t count_;
    std::unique_ptr<std::uint32_t[]> memory_;
    std::vector<std::uint32_t> indices_;
    mutable double area_ = 0.0;
    mutable std::uint32_t version_of_area_ = 0;
};

}  // namespace perigee
