// Counting down, free memory first.
#include "ecs/base/memory_quota.h"

#include <cstdint>

namespace perigee {

std::string_view name_of(MemoryKind kind) noexcept {
    static constexpr std::array<std::string_view, kMemoryKinds> kNames{
        "chunks", "archetypes", "types", "buffers", "texts", "blobs", "events", "prefabs", "queries"};
    return kNames[static_cast<std::size_t>(kind)];
}

void MemoryQuota::restart(std::size_t own, const PerMemoryKind<std::size_t>& free,
                          const PerMemoryKind<std::size_t>& units) noexcept {
    own_ = own;
    free_ = free;
    units_ = units;
    refused_.reset();
    is_pool_full_ = false;
}

// The first refusal is the one reported.
bool MemoryQuota::refuse(MemoryKind kind, std::size_t units) noexcept {
    if (!refused_) is_pool_full_ = units > units_[kind];
    if (!refused_) refused_ = kind;
    return false;
}

bool MemoryQuota::take_own(std::size_t bytes) noexcept {
    if (bytes > own_) return false;
    own_ -= bytes;
    return true;
}

void MemoryQuota::give_back(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept {
    free_[kind] += bytes;
    if (units_[kind] != SIZE_MAX) units_[kind] += units;
}

void MemoryQuota::close() noexcept {
    own_ = 0;
    free_ = {};
    units_ = {};
}

}  // namespace perigee
