// A view is armed when it is asked for, and disarmed by the store.
#include "scripting/views/blob_views.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/world/world.h"

#include <bit>

namespace perigee {

BlobViews& BlobViews::of(World& world) {
    auto& views = world.part<BlobViews>();
    if (!views.is_connected_) {
        world.blobs().set_on_free([&views](BlobHandle handle) { views.disarm(handle); });
        views.is_connected_ = true;
    }
    return views;
}

const perigee_view* BlobViews::view(const World& world, BlobHandle handle) {
    const BlobStore& blobs = world.blobs();
    if (!blobs.has(handle)) return nullptr;
    // While schemas change, the type may have its new layout before the rows have it.
    const std::size_t row_bytes = world.registry().info(blobs.type(handle)).schema.size;
    if (blobs.bytes(handle).size() != blobs.row_count(handle) * row_bytes) return nullptr;
    const std::lock_guard lock(mutex_);
    while (views_.size() < handle.index) views_.add() = {};
    perigee_view& view = views_[handle.index - 1];
    if (view.epoch == 0) {
        view.address = std::bit_cast<std::uint64_t>(blobs.bytes(handle).data());
        view.count = static_cast<std::int32_t>(blobs.row_count(handle));
        view.self = std::bit_cast<std::uint64_t>(&view);
        view.epoch = ++epoch_;
    }
    return &view;
}

void BlobViews::disarm(BlobHandle handle) noexcept {
    if (handle.index - 1 >= views_.size()) return;
    perigee_view& view = views_[handle.index - 1];
    view.epoch = view.address = 0;
    view.count = 0;
}

}  // namespace perigee
