// Kinds have the names that schemas use, and an id knows whether it is valid.
#include "ecs/schema/component.h"

#include <catch2/catch.hpp>

#include <set>

namespace perigee {
namespace {

TEST_CASE("every kind has its own name") {
    std::set<std::string_view> names;
    for (int kind = 0; kind <= static_cast<int>(ComponentKind::blob); ++kind) {
        names.insert(kind_name(static_cast<ComponentKind>(kind)));
    }
    CHECK(names.size() == 11);
    CHECK(kind_name(ComponentKind::tag) == "tag");
    CHECK(kind_name(ComponentKind::blob) == "blob");
}

TEST_CASE("a default component id is not valid") {
    CHECK_FALSE(ComponentId{}.is_valid());
    CHECK(ComponentId{0}.is_valid());
    CHECK(ComponentId{1} > ComponentId{0});
}

}  // namespace
}  // namespace perigee
