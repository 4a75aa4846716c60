// Values of every size are copied completely, and adjacent bytes are not touched.
#include "ecs/base/internal/copy_value.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee::internal {
namespace {

TEST_CASE("a value of any size is copied exactly") {
    for (std::uint32_t size = 1; size <= 40; ++size) {
        std::vector<std::byte> source(size), target(size + 2, std::byte{0xEE});
        for (std::uint32_t i = 0; i < size; ++i) source[i] = static_cast<std::byte>(i + 1);
        copy_value(target.data() + 1, source.data(), size);
        CHECK(target.front() == std::byte{0xEE});
        CHECK(target.back() == std::byte{0xEE});
        CHECK(std::vector<std::byte>(target.begin() + 1, target.end() - 1) == source);
    }
}

TEST_CASE("filling repeats a value exactly count times") {
    for (std::uint32_t size = 1; size <= 12; ++size) {
        for (std::uint32_t count = 0; count <= 17; ++count) {
            std::vector<std::byte> value(size), target(std::size_t{size} * count + 1, std::byte{0xEE});
            for (std::uint32_t i = 0; i < size; ++i) value[i] = static_cast<std::byte>(i + 1);
            fill_values(target.data(), value.data(), size, count);
            for (std::size_t i = 0; i + 1 < target.size(); ++i) REQUIRE(target[i] == value[i % size]);
            REQUIRE(target.back() == std::byte{0xEE});
        }
    }
}

}  // namespace
}  // namespace perigee::internal
