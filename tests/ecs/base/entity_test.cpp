// Entities convert to Lua numbers and back, and other numbers are not entities.
#include "ecs/base/entity.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace perigee {
namespace {

TEST_CASE("an entity is its index and its generation, in 53 bits") {
    const Entity last = entity_from_parts(0xFFFFFFFFu, Entity::kMaxGeneration);
    CHECK(last.index() == 0xFFFFFFFFu);
    CHECK(last.generation() == Entity::kMaxGeneration);
    CHECK(last.bits == Entity::kMaxBits);
    CHECK_FALSE(static_cast<bool>(Entity{}));
    CHECK(entity_from_parts(7, 1) != entity_from_parts(7, 2));
}

TEST_CASE("an entity converted to a Lua number and back is the same") {
    for (const std::uint32_t index : {0u, 1u, 255u, 65536u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
        for (const std::uint32_t generation : {1u, 2u, 256u, Entity::kMaxGeneration}) {
            const Entity entity = entity_from_parts(index, generation);
            CHECK(entity_from_number(number_from_entity(entity)) == entity);
        }
    }
}

TEST_CASE("a number that is not an entity becomes the null entity") {
    const double infinity = std::numeric_limits<double>::infinity();
    const double wrong = GENERATE_COPY(-1.0, -0.5, 0.5, 1.5, 1e300, -1e300, 9007199254740992.0, infinity,
                                       -infinity, std::nan(""));
    CHECK(entity_from_number(wrong) == Entity{});
}

}  // namespace
}  // namespace perigee
