// Ids, room, and the end of meshes.
#include "engine/surfaces/mesh_table.h"

#include <catch2/catch.hpp>

#include <memory>
#include <vector>

using namespace perigee;

TEST_CASE("a mesh has an id until it is released, and a list that draws it keeps it longer") {
    MeshTable meshes;
    CHECK(meshes.find(0) == nullptr);
    CHECK(meshes.find(1) == nullptr);
    const std::uint32_t first = meshes.make(3, MeshMode::fan, {}, 7, 0);
    const std::uint32_t second = meshes.make(4, MeshMode::strip, {}, 0, 0);
    REQUIRE(first != 0);
    REQUIRE(second != first);
    CHECK(meshes.find(first)->image == 7);
    CHECK(meshes.find(second)->vertices().size() == 4);
    const std::shared_ptr<const VertexMesh> kept = meshes.find(first);
    meshes.release(first);
    meshes.release(first);
    meshes.release(0);
    meshes.release(99);
    const std::uint32_t third = meshes.make(5, MeshMode::fan, {}, 0, 0);
    CHECK(third == first);
    CHECK(meshes.find(third)->vertices().size() == 5);
    CHECK(kept->vertices().size() == 3);
    CHECK(meshes.count() == 2);
}

TEST_CASE("a mod that takes all the room it can leaves the game its share, and released meshes make room") {
    MeshTable meshes;
    meshes.set_owners(3);
    std::vector<std::uint32_t> all;
    for (std::uint32_t id = 0; (id = meshes.make(100'000, MeshMode::fan, {}, 0, 1)) != 0;) all.push_back(id);
    CHECK(all.size() == 7);  // of 3.2 MB each: an eighth of 67 MB, and the common quarter
    CHECK(meshes.make(1'000'000, MeshMode::fan, {}, 0, 0) != 0);
    CHECK(meshes.make(100'000, MeshMode::fan, {}, 0, 2) != 0);
    meshes.release(all.front());
    CHECK(meshes.make(100'000, MeshMode::fan, {}, 0, 1) != 0);
    CHECK(meshes.make(100'000, MeshMode::fan, {}, 0, 1) == 0);
}

TEST_CASE("there is a limit of small meshes, too") {
    MeshTable meshes;
    std::size_t count = 0;
    while (meshes.make(3, MeshMode::fan, {}, 0, 0) != 0) ++count;
    CHECK(count == MeshTable::kMaxMeshes);
}
