// The exact text of a schedule's report.
#include "ecs/schedule/schedule_report.h"

#include "ecs/world/observers.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

TEST_CASE("[Q7] a report shows groups, stages and pairs that need an order") {
    World world(tiny_chunks());
    declare_test_components(world);
    Schedule schedule(world);
    const auto add = [&](std::string name, ComponentId writes, std::string group = "simulation",
                         std::vector<std::string> after = {}) {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.group = std::move(group);
        desc.after = std::move(after);
        desc.query.terms = {{writes, Access::write}};
        desc.run = [](SystemContext&) -> Result<void> { return {}; };
        schedule.add(std::move(desc)).value();
    };
    schedule.add_group({.name = "physics", .after = {"steer"}}).value();
    add("steer", world.id<Velocity>());
    add("heal", world.id<Health>());
    add("wound", world.id<Health>(), "simulation", {"heal"});
    add("poison", world.id<Health>());
    add("move", world.id<Position>(), "physics");
    CHECK(order_report(schedule).value() ==
          "systems in order; those on one line may run at the same time\n"
          "initialization\n"
          "     no systems\n"
          "simulation\n"
          "  1  heal | steer\n"
          "  2  poison\n"
          "  physics\n"
          "    1  move\n"
          "  3  wound\n"
          "transforms\n"
          "     no systems\n"
          "presentation\n"
          "     no systems\n"
          "these write the same, and only their names decide which is first; say before or after:\n"
          "  heal and poison: Health\n"
          "  poison and wound: Health\n");
}

TEST_CASE("a report lists reactions after the groups, if there are any") {
    World world(tiny_chunks());
    declare_test_components(world);
    Schedule schedule(world);
    for (const char* name : {"b", "a"}) {
        SystemDesc desc;
        desc.name = name;
        desc.reacts_to = Trigger{Trigger::Kind::added, world.id<Health>()};
        desc.access.read = {world.id<Health>()};
        desc.run = [](SystemContext&) -> Result<void> { return {}; };
        schedule.add(std::move(desc)).value();
    }
    CHECK_THAT(order_report(schedule).value(), Catch::Matchers::Contains("     no systems\n"
                                                                         "reactions\n"
                                                                         "  1  a | b\n"));
}

TEST_CASE("a report without findings says so, and an invalid order is an error") {
    World world(tiny_chunks());
    Schedule schedule(world);
    CHECK_THAT(order_report(schedule).value(),
               Catch::Matchers::EndsWith("no two systems write the same without a declared order\n"));
    SystemDesc desc;
    desc.name = "a";
    desc.after = {"a"};
    desc.run = [](SystemContext&) -> Result<void> { return {}; };
    schedule.add(desc).value();
    CHECK_FALSE(order_report(schedule).ok());
}

}  // namespace
}  // namespace perigee
