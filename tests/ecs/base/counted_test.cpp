// Numbers with nouns.
#include "ecs/base/counted.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("the noun is singular for exactly one and plural otherwise") {
    CHECK(counted(0, "row") == "0 rows");
    CHECK(counted(1, "row") == "1 row");
    CHECK(counted(2, "row") == "2 rows");
    CHECK(counted(1, "entity", "entities") == "1 entity");
    CHECK(counted(11, "entity", "entities") == "11 entities");
}
