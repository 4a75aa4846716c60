// A range of reserved address space, committed piece by piece.
//
// Invariant: the address never changes for the life of the range; touching memory that was not committed is a
// fault. Linux only here: mmap with PROT_NONE, mprotect to commit, madvise for huge pages.
#pragma once

#include <cstddef>

namespace perigee::internal {

/// Memory that is aligned to this size, and a multiple of it, gets huge pages where the system has them.
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

class ReservedRange {
public:
    /// Reserves `bytes` of address space, rounded up to whole pages and aligned to kHugePageBytes. Costs no
    /// memory. Expects: the system grants the reservation (ECS_EXPECTS otherwise).
    explicit ReservedRange(std::size_t bytes);
    ~ReservedRange();
    ReservedRange(ReservedRange&& other) noexcept;
    ReservedRange& operator=(ReservedRange&&) = delete;

    /// Makes the first `bytes` usable (zero-filled where new). False when the system is out of memory.
    bool commit(std::size_t bytes) noexcept;

    std::byte* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t committed() const noexcept { return committed_; }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t committed_ = 0;
    void* mapping_ = nullptr;
    std::size_t mapping_size_ = 0;
};

}  // namespace perigee::internal
