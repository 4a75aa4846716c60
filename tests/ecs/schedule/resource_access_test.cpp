// Access to resources by id is checked against the system's declaration and logged, as access by type is.
#include "ecs/schedule/resource_access.h"

#include "ecs/query/internal/access_log.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

TEST_CASE("a resource is accessed by its id, and other types are refused") {
    World world;
    declare_test_components(world);
    struct Wave {
        double number = 0;
    };
    const ComponentId wave = world.declare_resource<Wave>("Wave", field("number", &Wave::number)).value();
    CHECK(resource_of(world, wave, Access::write) == world.resources().data(wave));
    CHECK(resource_of(world, world.id<Position>(), Access::read) == nullptr);
}

#if PERIGEE_DEBUG_CHECKS
TEST_CASE("[Q2] access to resources is recorded with all their bytes, by type and by id") {
    struct Wave {
        double number = 0;
    };
    World world;
    const ComponentId wave = world.declare_resource<Wave>("Wave", field("number", &Wave::number)).value();
    internal::AccessLog log;
    RunScope scope;
    scope.world = &world;
    scope.log = &log;
    const EnterScope enter(&scope);
    world.resource<const Wave>();
    world.resource<Wave>();
    CHECK(resource_of(world, wave, Access::read) == world.resources().data(wave));
    REQUIRE(log.ranges().size() == 3);
    for (const internal::AccessLog::Range& range : log.ranges()) {
        CHECK(range.first == world.resources().data(wave));
        CHECK(range.last - range.first == sizeof(Wave));
        CHECK(range.component == wave);
    }
    CHECK(!log.ranges()[0].is_written);
    CHECK(log.ranges()[1].is_written);
    CHECK(!log.ranges()[2].is_written);
}

TEST_CASE("[Q2] a system cannot access an undeclared resource") {
    World world;
    struct Wave {
        double number = 0;
    };
    const ComponentId wave = world.declare_resource<Wave>("Wave", field("number", &Wave::number)).value();
    SystemDesc system;
    system.name = "reader";
    system.access.read = {wave};
    RunScope scope;
    scope.world = &world;
    scope.system = &system;
    const EnterScope enter(&scope);
    const ContractWatch watch;
    CHECK(resource_of(world, wave, Access::read) != nullptr);
    CHECK_THROWS(resource_of(world, wave, Access::write));
}
#endif

}  // namespace
}  // namespace perigee
