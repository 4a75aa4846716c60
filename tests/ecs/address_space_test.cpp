// Limits are set in a child process, which would keep them.
#include "ecs/address_space.h"

#include "ecs/internal/virtual_memory.h"

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>

using namespace perigee;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// Does `check` hold in a process that may have so much more than it has now?
template <typename Check> bool holds_under_limit(std::size_t room, const Check& check) {
    const pid_t child = fork();
    if (child == 0) {
        // From above: the largest limit that leaves no more than `room`.
        for (std::size_t limit = std::size_t{1} << 46U; limit > 16 * kMiB; limit -= limit / 64) {
            const rlimit wanted{limit, limit};
            if (setrlimit(RLIMIT_AS, &wanted) != 0) _exit(3);
            if (address_space_left() <= room) break;
        }
        _exit(check() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("without a limit every wish for address space is granted") {
    CHECK(address_space_left() == std::numeric_limits<std::size_t>::max());
    CHECK(reservable_bytes(std::size_t{64} << 30U, 4) == std::size_t{64} << 30U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("under a limit a wish gets a share of what is left, and small wishes get all") {
    CHECK(holds_under_limit(400 * kMiB, [] {
        const std::size_t left = address_space_left();
        return left > 100 * kMiB && left <= 400 * kMiB &&
               reservable_bytes(std::size_t{1} << 40U, 4) <= left / 4 && reservable_bytes(kMiB, 4) == kMiB;
    }));
}

TEST_CASE("a reserved range is smaller under a limit, and says so") {
    CHECK(holds_under_limit(400 * kMiB, [] {
        internal::ReservedRange range(std::size_t{16} << 30U);
        const std::size_t size = range.size();
        return size >= 16 * kMiB && size <= 128 * kMiB && range.commit(size) && !range.commit(size + 1);
    }));
}
#endif
