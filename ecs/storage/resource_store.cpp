// One block of bytes per resource.
#include "ecs/storage/resource_store.h"

#include "ecs/base/contract.h"

#include <algorithm>

namespace perigee {

void ResourceStore::create(ComponentId id, const Schema& schema) {
    ECS_EXPECTS(schema.kind == ComponentKind::resource && !has(id), id.index);
    if (entries_.size() <= id.index) entries_.resize(std::size_t{id.index} + 1);
    auto bytes = std::make_unique<std::byte[]>(schema.size);
    std::copy(schema.defaults.begin(), schema.defaults.end(), bytes.get());
    ids_.push_back(id);
    entries_[id.index].bytes = std::move(bytes);
}

bool ResourceStore::has(ComponentId id) const noexcept {
    return id.index < entries_.size() && entries_[id.index].bytes != nullptr;
}

void ResourceStore::exchange(ComponentId id, std::unique_ptr<std::byte[]>& other) noexcept {
    ECS_EXPECTS(has(id) && other != nullptr, id.index);
    entries_[id.index].bytes.swap(other);
}

std::byte* ResourceStore::data(ComponentId id) noexcept {
    return id.index < entries_.size() ? entries_[id.index].bytes.get() : nullptr;
}

const std::byte* ResourceStore::data(ComponentId id) const noexcept {
    return id.index < entries_.size() ? entries_[id.index].bytes.get() : nullptr;
}

}  // namespace perigee
