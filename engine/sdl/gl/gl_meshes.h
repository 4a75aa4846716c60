// GlMeshes: meshes of games in buffers of the card, which draw calls use as they are.
//
// Invariant: a buffer has the vertices of its mesh, copied when they have changed since it was last drawn.
// The buffer of a mesh that no longer exists is deleted some frames later. Not here: where and with what
// image a mesh is drawn (gl_renderer.h).
#pragma once

#include "engine/draw/shapes/vertex_mesh.h"
#include "engine/sdl/gl/gl_object.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace perigee::gl {

class GlMeshes {
public:
    void begin_frame();

    /// Binds the mesh, and draws it with the current program. Attributes: 0 place, 1 part of the image, 2
    /// colour.
    void draw(const std::shared_ptr<const VertexMesh>& mesh);

    /// Bytes that were copied since begin_frame.
    std::size_t written_bytes() const noexcept { return written_; }
    void clear() noexcept { entries_.clear(); }

private:
    struct Entry {
        std::weak_ptr<const VertexMesh> mesh;
        std::uint32_t version = 0;
        VertexArray array;
        Buffer vertices;
        Buffer indices;
    };
    void make(const VertexMesh& mesh, Entry& entry);

    std::unordered_map<const VertexMesh*, Entry> entries_;
    std::size_t written_ = 0;
    unsigned frame_ = 0;
};

}  // namespace perigee::gl
