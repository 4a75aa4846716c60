// Debug builds refuse access that a running system did not declare.
#include "ecs/parallel/parallel_query.h"
#include "ecs/schedule/lookup.h"
#include "ecs/schedule/schedule.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <functional>
#include <string>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

#if PERIGEE_DEBUG_CHECKS

struct Watched {
    Watched() : world(tiny_chunks()), schedule(world) {
        declare_test_components(world);
        entity = world.spawn(Position{}, Velocity{});
    }
    // Runs `body` in a system that reads Position, by its query or by its access list.
    std::string outcome(const std::function<void(SystemContext&)>& body, bool by_query = true) {
        ContractWatch watch;
        SystemDesc desc;
        desc.name = "mover";
        if (by_query) {
            desc.query.terms = {{world.id<Position>(), Access::read}};
        } else {
            desc.access.read = {world.id<Position>()};
        }
        desc.run = [&](SystemContext& context) -> Result<void> {
            body(context);
            return {};
        };
        std::string error = "nothing";
        schedule.on_error([&](const SystemStatus& status) { error = status.error; });
        const SystemId id = schedule.add(desc).value();
        schedule.run_group(kSimulation, {}).value();
        schedule.remove(id);
        return error;
    }

    World world;
    Schedule schedule;
    Entity entity;
};

TEST_CASE("[Q2] access to an undeclared component is refused, for every kind of access") {
    Watched a;
    WorkerPool pool(1);
    const std::vector<std::function<void(SystemContext&)>> ways = {
        [&](SystemContext& c) { c.world.get<Velocity>(a.entity); },
        [&](SystemContext& c) { c.world.edit<Velocity>(a.entity); },
        [&](SystemContext& c) { c.world.set(a.entity, Velocity{}); },
        [&](SystemContext& c) { c.world.query<const Velocity>().each([](const Velocity&) {}); },
        [&](SystemContext& c) {
            c.world.query<const Velocity>().each_parallel(pool, [](const Velocity&) {}, {.min_rows = 0});
        },
    };
    for (const bool by_query : {true, false}) {
        for (std::size_t way = 0; way < ways.size(); ++way) {
            INFO("way " << way << " by query " << by_query);
            CHECK_THAT(a.outcome(ways[way], by_query),
                       Contains("system 'mover'") && Contains("'Velocity' but did not declare it"));
        }
    }
}

TEST_CASE("[Q2] read access does not allow writing") {
    Watched a;
    CHECK(a.outcome([&](SystemContext& c) { c.world.get<Position>(a.entity); }) == "nothing");
    CHECK_THAT(a.outcome([&](SystemContext& c) { c.world.set(a.entity, Position{}); }),
               Contains("writes 'Position' but did not declare it") && Contains("access.write"));
}

TEST_CASE("[Q2] a system that declares nothing runs alone and may access everything") {
    Watched a;
    SystemDesc desc;
    desc.name = "tool";
    desc.run = [&](SystemContext& c) -> Result<void> {
        c.world.set(a.entity, Velocity{3, 4});
        return {};
    };
    a.schedule.add(desc).value();
    a.schedule.run_group(kSimulation, {}).value();
    CHECK(*a.world.get<Velocity>(a.entity) == Velocity{3, 4});
}

TEST_CASE("[Q2] outside systems access is not checked") {
    Watched a;
    a.world.set(a.entity, Velocity{1, 1});
    CHECK(a.world.get<Velocity>(a.entity)->x == 1);
}

#endif

}  // namespace
}  // namespace perigee
