// The address space left under a limit, and the part of it that may be reserved.
#include "ecs/base/address_space.h"

#include "ecs/base/internal/virtual_memory.h"
#include "tests/support/limited_process.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace perigee;
using test::holds_under_limit;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

}  // namespace

TEST_CASE("without a limit every request for address space is granted") {
    CHECK(address_space_left() == std::numeric_limits<std::size_t>::max());
    CHECK(reservable_bytes(std::size_t{64} << 30U, 4) == std::size_t{64} << 30U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE(
    "under a limit a large request gets a fraction of the space left, and a small one gets all it wants") {
    CHECK(holds_under_limit(400 * kMiB, [] {
        const std::size_t left = address_space_left();
        return left > 100 * kMiB && left <= 400 * kMiB &&
               reservable_bytes(std::size_t{1} << 40U, 4) <= left / 4 && reservable_bytes(kMiB, 4) == kMiB;
    }));
}

TEST_CASE("under a limit a reserved range is smaller and reports its size") {
    CHECK(holds_under_limit(400 * kMiB, [] {
        internal::ReservedRange range(std::size_t{16} << 30U);
        const std::size_t size = range.size();
        return size >= 16 * kMiB && size <= 128 * kMiB && range.commit(size) && !range.commit(size + 1);
    }));
}
#endif
