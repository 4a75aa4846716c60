// mmap-backed ReservedRange; see the header.
#include "ecs/base/internal/virtual_memory.h"

#include "ecs/base/address_space.h"
#include "ecs/base/contract.h"
#include "ecs/base/internal/memory_gate.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace perigee::internal {

namespace {

constexpr std::size_t kAddressSpaceDivisor = 4;

constexpr std::size_t round_up(std::size_t bytes, std::size_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

}  // namespace

ReservedRange::ReservedRange(std::size_t bytes)
    : size_(
          round_up(std::max(reservable_bytes(bytes, kAddressSpaceDivisor), kHugePageBytes), kHugePageBytes)) {
    mapping_size_ = size_ + kHugePageBytes;  // room to align the start
    mapping_ = mmap(nullptr, mapping_size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ECS_EXPECTS(mapping_ != MAP_FAILED, mapping_size_);
    const auto start = reinterpret_cast<std::uintptr_t>(mapping_);
    data_ = static_cast<std::byte*>(mapping_) + (round_up(start, kHugePageBytes) - start);
}

ReservedRange::~ReservedRange() {
    if (mapping_ != nullptr) munmap(mapping_, mapping_size_);
}

ReservedRange::ReservedRange(ReservedRange&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      committed_(std::exchange(other.committed_, 0)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_size_(std::exchange(other.mapping_size_, 0)) {}

bool ReservedRange::commit(std::size_t bytes) noexcept {
    if (bytes <= committed_) return true;
    if (bytes > size_ || !is_memory_granted()) return false;
    const std::size_t wanted = std::min(round_up(bytes, kHugePageBytes), size_);
    if (mprotect(data_ + committed_, wanted - committed_, PROT_READ | PROT_WRITE) != 0) return false;
    // Huge pages are optional: without them everything works, but page faults are more frequent.
    static_cast<void>(madvise(data_ + committed_, wanted - committed_, MADV_HUGEPAGE));
    committed_ = wanted;
    return true;
}

}  // namespace perigee::internal
