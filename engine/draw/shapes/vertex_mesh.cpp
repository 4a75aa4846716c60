// From modes to triangles.
#include "engine/draw/shapes/vertex_mesh.h"

#include "ecs/base/contract.h"

#include <cmath>
#include <limits>
#include <memory>

namespace perigee {

namespace {

constexpr std::size_t kHeadWords = VertexMesh::kHeadBytes / sizeof(std::uint32_t);
constexpr std::size_t kPointWords = sizeof(MeshPoint) / sizeof(std::uint32_t);

}  // namespace

std::size_t VertexMesh::index_count(std::size_t ordered, MeshMode mode) noexcept {
    if (ordered < 3) return 0;
    return mode == MeshMode::triangles ? ordered / 3 * 3 : (ordered - 2) * 3;
}

VertexMesh::VertexMesh(std::size_t count, MeshMode mode, std::span<const std::uint32_t> order)
    : count_(count), memory_(new std::uint32_t[kHeadWords + count * kPointWords]()) {
    memory_[0] = 1;
    auto* const first = reinterpret_cast<MeshPoint*>(memory_.get() + kHeadWords);
    std::uninitialized_default_construct_n(first, count);
    for (const std::uint32_t number : order) ECS_EXPECTS(number < count, number);
    const std::size_t ordered = order.empty() ? count : order.size();
    const auto at = [order](std::size_t i) {
        return order.empty() ? static_cast<std::uint32_t>(i) : order[i];
    };
    indices_.reserve(index_count(ordered, mode));
    for (std::size_t i = 0; indices_.size() < index_count(ordered, mode); ++i) {
        if (mode == MeshMode::triangles) {
            indices_.push_back(at(i));
        } else if (mode == MeshMode::strip) {
            indices_.insert(indices_.end(), {at(i), at(i + 1), at(i + 2)});
        } else {
            indices_.insert(indices_.end(), {at(0), at(i + 1), at(i + 2)});
        }
    }
}

std::span<const MeshPoint> VertexMesh::vertices() const noexcept {
    return {reinterpret_cast<const MeshPoint*>(memory_.get() + kHeadWords), count_};
}

double VertexMesh::area() const noexcept {
    if (version_of_area_ == version()) return area_;
    version_of_area_ = version();
    area_ = 0.0;
    const std::span<const MeshPoint> points = vertices();
    for (std::size_t i = 0; i < indices_.size(); i += 3) {
        const MeshPoint &a = points[indices_[i]], &b = points[indices_[i + 1]], &c = points[indices_[i + 2]];
        area_ +=
            std::fabs((double{b.x} - a.x) * (double{c.y} - a.y) - (double{b.y} - a.y) * (double{c.x} - a.x)) /
            2;
    }
    if (!std::isfinite(area_)) area_ = std::numeric_limits<double>::infinity();
    return area_;
}

}  // namespace perigee
