// One array, two buffers a mesh.
#include "engine/sdl/gl/gl_meshes.h"

#include <cstddef>

namespace perigee::gl {

namespace {

constexpr unsigned kFramesPerSweep = 60;
constexpr GLsizei kStride = sizeof(MeshPoint);

void set_attribute(GLuint index, GLint size, GLenum type, std::size_t offset) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, size, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE, kStride,
                          reinterpret_cast<const void*>(offset));
}

}  // namespace

void GlMeshes::begin_frame() {
    written_ = 0;
    if (++frame_ % kFramesPerSweep == 0)
        std::erase_if(entries_, [](const auto& entry) { return entry.second.mesh.expired(); });
}

void GlMeshes::make(const VertexMesh& mesh, Entry& entry) {
    entry.array = VertexArray::make();
    entry.vertices = Buffer::make();
    entry.indices = Buffer::make();
    glBindVertexArray(entry.array.name());
    glBindBuffer(GL_ARRAY_BUFFER, entry.vertices.name());
    set_attribute(0, 2, GL_FLOAT, offsetof(MeshPoint, x));
    set_attribute(1, 2, GL_FLOAT, offsetof(MeshPoint, u));
    set_attribute(2, 4, GL_UNSIGNED_BYTE, offsetof(MeshPoint, color));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, entry.indices.name());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.indices().size_bytes()),
                 mesh.indices().data(), GL_STATIC_DRAW);
    written_ += mesh.indices().size_bytes();
}

void GlMeshes::draw(const std::shared_ptr<const VertexMesh>& mesh) {
    Entry& entry = entries_[mesh.get()];
    // Another mesh may have been at this address before.
    if (!entry.array || entry.mesh.owner_before(mesh) || mesh.owner_before(entry.mesh)) {
        entry = {};
        entry.mesh = mesh;
        make(*mesh, entry);
    }
    glBindVertexArray(entry.array.name());
    if (entry.version != mesh->version()) {
        entry.version = mesh->version();
        glBindBuffer(GL_ARRAY_BUFFER, entry.vertices.name());
        const auto vertices = mesh->vertices();
        // New memory: the card may still draw the old one.
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size_bytes()), vertices.data(),
                     GL_STATIC_DRAW);
        written_ += vertices.size_bytes();
    }
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh->indices().size()), GL_UNSIGNED_INT, nullptr);
}

}  // namespace perigee::gl
