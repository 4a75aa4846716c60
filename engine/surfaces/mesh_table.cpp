// Released meshes lose their places when another mesh is made.
#include "engine/surfaces/mesh_table.h"

#include "ecs/base/contract.h"

#include <algorithm>

namespace perigee {

void MeshTable::set_owners(std::size_t count) {
    bytes_.set_members(count);
    numbers_.set_members(count);
}

std::uint32_t MeshTable::make(std::size_t count, MeshMode mode, std::span<const std::uint32_t> order,
                              std::uint32_t image, std::size_t owner) {
    ECS_EXPECTS(count <= kMaxVertices && order.size() <= kMaxVertices, count, order.size());
    forget_released();
    const std::size_t bytes =
        VertexMesh::bytes_of(count, VertexMesh::index_count(order.empty() ? count : order.size(), mode));
    if (numbers_.room(owner) == 0 || bytes_.room(owner) < bytes) return 0;
    if (!places_) places_ = std::make_unique<Place[]>(kMaxMeshes);
    std::size_t number = free_;
    while (number < end_ && places_[number].mesh) ++number;
    free_ = number;
    if (number == kMaxMeshes) return 0;
    Place& place = places_[number];
    place.mesh = std::make_shared<VertexMesh>(count, mode, order);
    place.mesh->image = image;
    place.owner = owner;
    static_cast<void>(bytes_.take(owner, bytes) && numbers_.take(owner, 1));
    if (number == end_) ++end_;
    ++count_;
    return static_cast<std::uint32_t>(number + 1);
}

const std::shared_ptr<VertexMesh>& MeshTable::find(std::uint32_t id) const noexcept {
    static const std::shared_ptr<VertexMesh> kNone;
    return id > 0 && id <= end_ ? places_[id - 1].mesh : kNone;
}

void MeshTable::release(std::uint32_t id) noexcept {
    // Nothing that make() changes on another thread is read here.
    if (id > 0 && id <= kMaxMeshes && places_ && !places_[id - 1].is_released.exchange(true)) ++released_;
}

void MeshTable::forget_released() noexcept {
    if (released_.exchange(0) == 0) return;
    for (std::size_t i = 0; i < end_; ++i) {
        Place& place = places_[i];
        if (!place.mesh || !place.is_released.exchange(false)) continue;
        bytes_.give_back(place.owner, place.mesh->byte_count());
        numbers_.give_back(place.owner, 1);
        place.mesh.reset();
        free_ = std::min(free_, i);
        --count_;
    }
}

}  // namespace perigee
