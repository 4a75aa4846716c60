// Triangles of each mode, and the area of a mesh that changes.
#include "engine/draw/shapes/vertex_mesh.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <vector>

using namespace perigee;

namespace {

std::vector<std::uint32_t> indices(std::size_t count, MeshMode mode,
                                   const std::vector<std::uint32_t>& order = {}) {
    const VertexMesh mesh(count, mode, order);
    CHECK(mesh.indices().size() == VertexMesh::index_count(order.empty() ? count : order.size(), mode));
    return {mesh.indices().begin(), mesh.indices().end()};
}

// As Lua writes: the vertex, then the version.
void set(VertexMesh& mesh, std::size_t number, float x, float y) {
    auto* const memory = static_cast<char*>(mesh.memory());
    const float place[] = {x, y};
    std::memcpy(memory + 8 + number * sizeof(MeshPoint), place, sizeof place);
    const std::uint32_t version = mesh.version() + 1;
    std::memcpy(memory, &version, sizeof version);
}

}  // namespace

TEST_CASE("the mode of a mesh decides which vertices are a triangle") {
    using Numbers = std::vector<std::uint32_t>;
    CHECK(indices(5, MeshMode::fan) == Numbers{0, 1, 2, 0, 2, 3, 0, 3, 4});
    CHECK(indices(5, MeshMode::strip) == Numbers{0, 1, 2, 1, 2, 3, 2, 3, 4});
    CHECK(indices(7, MeshMode::triangles) == Numbers{0, 1, 2, 3, 4, 5});
    CHECK(indices(3, MeshMode::fan, {2, 1, 0, 2}) == Numbers{2, 1, 0, 2, 0, 2});
    for (const MeshMode mode : {MeshMode::fan, MeshMode::strip, MeshMode::triangles})
        for (std::size_t count = 0; count < 3; ++count) CHECK(indices(count, mode).empty());
}

TEST_CASE("vertices are white at 0, 0 at first, and the area follows their changes") {
    VertexMesh mesh(4, MeshMode::fan, {});
    for (const MeshPoint& point : mesh.vertices()) CHECK(point == MeshPoint{});
    CHECK(mesh.area() == 0.0);
    set(mesh, 1, 10, 0);
    set(mesh, 2, 10, 5);
    set(mesh, 3, 0, 5);
    CHECK(mesh.area() == 50.0);
    CHECK(mesh.vertices()[2].x == 10.0F);
    set(mesh, 2, NAN, 5);
    CHECK(std::isinf(mesh.area()));
    CHECK(mesh.byte_count() == 4 * 20 + 6 * 4);
}
