// Determines the space left by trying, since /proc may be inaccessible.
#include "ecs/base/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace perigee {

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMinBytes = std::size_t{1} << 20;

bool can_reserve(std::size_t bytes) noexcept {
    void* const range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return false;
    munmap(range, bytes);
    return true;
}

}  // namespace

std::size_t address_space_left() noexcept {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
    // Tries sizes from the limit down, in steps of an eighth.
    for (std::size_t bytes = limit.rlim_cur; bytes >= kMinBytes; bytes -= bytes / 8)
        if (can_reserve(bytes)) return bytes;
    return 0;
}

std::size_t reservable_bytes(std::size_t wanted, std::size_t divisor) noexcept {
    const std::size_t left = address_space_left();
    return left == kNoLimit ? wanted : std::min(wanted, left / divisor);
}

}  // namespace perigee
