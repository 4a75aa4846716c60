// The rules of the source tree, checked over the tree itself.
#include <catch2/catch.hpp>

TEST_CASE("the source tree is there") { CHECK(PERIGEE_SOURCE_DIR[0] == '/'); }
