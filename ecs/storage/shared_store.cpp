// Finds equal values by hash, and counts references.
#include "ecs/storage/shared_store.h"

#include "ecs/base/contract.h"
#include "ecs/schema/registry.h"

#include <algorithm>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace perigee {

namespace {

// The value with zeroed pad bytes, which C++ leaves unspecified.
std::unique_ptr<std::byte[]> clean_copy(const ComponentInfo& component, const std::byte* value) {
    auto clean = std::make_unique<std::byte[]>(std::max(component.schema.size, 1u));
    for (const Leaf& leaf : component.leaves) {
        std::memcpy(clean.get() + leaf.offset, value + leaf.offset, leaf.size);
    }
    return clean;
}

}  // namespace

SharedIndex SharedStore::intern(const ComponentInfo& component, const std::byte* value) {
    ECS_EXPECTS(is_shared_kind(component.kind()), component.id.index);
    if (pools_.size() <= component.id.index) pools_.resize(std::size_t{component.id.index} + 1);
    Pool& pool = pools_[component.id.index];
    pool.value_bytes = component.schema.size;
    if (const std::optional<SharedIndex> known = find(component, value)) {
        ++pool.entries[*known].references;
        return *known;
    }
    std::unique_ptr<std::byte[]> bytes = clean_copy(component, value);
    const std::uint64_t hash = XXH3_64bits(bytes.get(), pool.value_bytes);
    // Everything that may run out of memory comes before the first change.
    if (pool.free.empty()) {
        if (pool.free.capacity() <= pool.entries.size()) pool.free.reserve(2 * pool.entries.size() + 8);
        pool.entries.emplace_back();
        pool.free.push_back(static_cast<SharedIndex>(pool.entries.size() - 1));
    }
    const SharedIndex index = pool.free.back();
    pool.by_hash.emplace(hash, index);
    pool.free.pop_back();
    pool.entries[index] = Entry{std::move(bytes), hash, 1};
    return index;
}

std::optional<SharedIndex> SharedStore::find(const ComponentInfo& component, const std::byte* value) const {
    if (component.id.index >= pools_.size()) return std::nullopt;
    const Pool& pool = pools_[component.id.index];
    const std::unique_ptr<std::byte[]> clean = clean_copy(component, value);
    const std::uint64_t hash = XXH3_64bits(clean.get(), component.schema.size);
    const auto [first, last] = pool.by_hash.equal_range(hash);
    for (auto candidate = first; candidate != last; ++candidate) {
        const Entry& entry = pool.entries[candidate->second];
        if (std::memcmp(entry.bytes.get(), clean.get(), component.schema.size) == 0) return candidate->second;
    }
    return std::nullopt;
}

void SharedStore::prepare_exchange(ComponentId component) {
    if (pools_.size() <= component.index) pools_.resize(std::size_t{component.index} + 1);
}

void SharedStore::exchange(ComponentId component, Pool& other) noexcept {
    std::swap(pools_[component.index], other);
}

void SharedStore::retain(ComponentId component, SharedIndex index) noexcept {
    ++pools_[component.index].entries[index].references;
}

void SharedStore::release(ComponentId component, SharedIndex index) noexcept {
    Pool& pool = pools_[component.index];
    Entry& entry = pool.entries[index];
    if (--entry.references != 0) return;
    const auto [first, last] = pool.by_hash.equal_range(entry.hash);
    for (auto candidate = first; candidate != last; ++candidate) {
        if (candidate->second != index) continue;
        pool.by_hash.erase(candidate);
        break;
    }
    entry.bytes.reset();
    pool.free.push_back(index);  // intern reserved the capacity
}

std::vector<SharedIndex> SharedStore::indices(ComponentId component) const {
    std::vector<SharedIndex> used;
    if (component.index >= pools_.size()) return used;
    const std::vector<Entry>& entries = pools_[component.index].entries;
    for (SharedIndex index = 0; index < entries.size(); ++index) {
        if (entries[index].references != 0) used.push_back(index);
    }
    return used;
}

}  // namespace perigee
