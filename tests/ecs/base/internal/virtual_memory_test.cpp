// A reserved range keeps its address, is zero until it is written, and can be moved.
#include "ecs/base/internal/virtual_memory.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <utility>

namespace perigee::internal {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST_CASE("committed memory is zeroed and keeps its address and content when more is committed") {
    ReservedRange range(64 * kMiB);
    std::byte* const start = range.data();
    CHECK(reinterpret_cast<std::uintptr_t>(start) % (2 * kMiB) == 0);
    REQUIRE(range.commit(100));
    start[0] = std::byte{42};
    REQUIRE(range.commit(10 * kMiB));
    CHECK(range.data() == start);
    CHECK(start[0] == std::byte{42});
    CHECK(start[10 * kMiB - 1] == std::byte{0});
    CHECK(range.committed() >= 10 * kMiB);
}

TEST_CASE("committing more than was reserved fails and changes nothing") {
    ReservedRange range(4 * kMiB);
    REQUIRE(range.commit(kMiB));
    const std::size_t before = range.committed();
    CHECK_FALSE(range.commit(5 * kMiB));
    CHECK(range.committed() == before);
}

TEST_CASE("moving a range leaves the source empty") {
    ReservedRange first(4 * kMiB);
    REQUIRE(first.commit(1));
    std::byte* const start = first.data();
    const ReservedRange second(std::move(first));
    CHECK(second.data() == start);
    CHECK(first.data() == nullptr);
}

}  // namespace
}  // namespace perigee::internal
