// Makes memory requests fail where a test wants it.
//
// Invariant: while a RefusedMemory lives, the requests of its thread are numbered from 0, and those in its
// range fail: requests to operator new, for pages of reserved address space, and for units of chunk memory.
// Outside nothing is refused. It replaces operator new for the whole program.
#pragma once

#include <cstdint>
#include <limits>

namespace perigee {

class RefusedMemory {
public:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    /// Refuses `count` requests from the request `first` on; kNever: all, or none.
    explicit RefusedMemory(std::uint64_t first, std::uint64_t count = kNever) noexcept;
    ~RefusedMemory();
    RefusedMemory(const RefusedMemory&) = delete;
    RefusedMemory& operator=(const RefusedMemory&) = delete;

    /// Of the last RefusedMemory of this thread, also after its end: the number of requests, and whether one
    /// was refused.
    static std::uint64_t requests() noexcept;
    static bool was_refused() noexcept;
};

}  // namespace perigee
