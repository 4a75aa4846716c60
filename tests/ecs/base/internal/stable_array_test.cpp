// Elements keep their addresses, also while other threads read.
#include "ecs/base/internal/stable_array.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace perigee::internal {
namespace {

TEST_CASE("elements keep their indices, values and addresses") {
    StableArray<std::size_t> array;
    CHECK(array.empty());
    std::vector<std::size_t*> places;
    for (std::size_t i = 0; i < 5000; ++i) {
        std::size_t& element = array.add();
        element = i * 3;
        places.push_back(&element);
        REQUIRE(array.size() == i + 1);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        REQUIRE(&array[i] == places[i]);
        REQUIRE(array[i] == i * 3);
    }
}

TEST_CASE("published elements can be read while others are added") {
    StableArray<std::size_t> array;
    std::atomic<std::size_t> published = 0;
    std::atomic<bool> is_right = true;
    std::thread reader([&] {
        for (std::size_t known = 0; known < 20000; known = published) {
            for (std::size_t i = known > 50 ? known - 50 : 0; i < known; ++i) {
                if (array[i] != i + 7) is_right = false;
            }
        }
    });
    for (std::size_t i = 0; i < 20000; ++i) {
        array.add() = i + 7;
        published = i + 1;
    }
    reader.join();
    CHECK(is_right);
}

}  // namespace
}  // namespace perigee::internal
