// Playback stops at its limit: earlier commands are carried out, and later ones have no effect, also on ids.
#include "ecs/commands/command_buffer.h"
#include "ecs/query/query.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

struct Limited {
    World world{tiny_chunks(64)};
    CommandBuffer commands{world};
    PlaybackLimit limit;
    Limited() {
        limit.work = 1000;
        declare_test_components(world);
        declare_kind_components(world);
        commands.limit(&limit);
    }
};

TEST_CASE("commands within the limit are carried out and reduce it") {
    Limited test;
    for (int i = 0; i < 100; ++i) static_cast<void>(test.commands.spawn());
    const PlaybackReport report = test.commands.play_back();
    CHECK(report.applied == 100);
    CHECK(report.stopped == 0);
    CHECK(test.limit.work < 1000);
    CHECK(test.limit.work > 800);
}

TEST_CASE(
    "the command that exceeds the limit and those after it are not carried out, and their ids are "
    "released") {
    Limited test;
    for (int i = 0; i < 10'000; ++i) static_cast<void>(test.world.spawn(Position{}));
    QueryDesc desc;
    desc.terms = {{test.world.id<Position>()}};
    const Query& all = *test.world.query(desc).value();
    const Entity born = test.commands.spawn();
    test.commands.add_all(all, test.world.id<Velocity>());
    const Entity lost = test.commands.spawn();
    const PlaybackReport report = test.commands.play_back();
    CHECK(report.applied == 1);
    CHECK(report.stopped == 2);
    CHECK(test.world.is_alive(born));
    CHECK(!test.world.is_alive(lost));
    CHECK(test.world.entity_count() == 10'001);
    CHECK(test.commands.is_empty());
    test.limit.work = 1000;
    CHECK(test.commands.spawn() != Entity{});
    CHECK(test.commands.play_back().applied == 1);
}

TEST_CASE("walking up a long chain of parents is charged to the limit") {
    Limited test;
    std::vector<Entity> chain{test.world.spawn()};
    for (std::size_t i = 1; i < 5000; ++i) {
        chain.push_back(test.world.spawn());
        set_parent(test.world, chain[i], chain[i - 1]).value();
    }
    const Entity other = test.world.spawn();
    const Entity below = test.world.spawn();
    set_parent(test.world, below, other).value();
    for (int i = 0; i < 10; ++i) test.commands.set_parent(other, chain.back());
    const PlaybackReport report = test.commands.play_back();
    CHECK(report.applied == 1);
    CHECK(report.stopped == 9);
}

TEST_CASE("clones of an entity with a large buffer are charged by their bytes") {
    Limited test;
    const Entity original = test.world.spawn(Position{});
    test.world.add(original, test.world.id<Waypoint>());
    REQUIRE(test.world.buffer(original, test.world.id<Waypoint>()).resize(50'000));
    test.limit.work = 4e3;
    for (int i = 0; i < 100; ++i) static_cast<void>(test.commands.clone(original));
    const PlaybackReport report = test.commands.play_back();
    CHECK(report.applied == 2);
    CHECK(report.stopped == 98);
    CHECK(test.world.entity_count() == 3);
}

TEST_CASE("commands on many entities are charged by rows and bytes") {
    World world;
    declare_test_components(world);
    for (int i = 0; i < 1000; ++i) world.spawn(Position{}, Wide{});
    const Query& all = world.query<const Position>().query();
    const auto work_of = [&](const auto& record) {
        PlaybackLimit limit;
        limit.work = 1e9;
        CommandBuffer commands(world);
        commands.limit(&limit);
        record(commands);
        CHECK(commands.play_back().applied == 1);
        return 1e9 - limit.work;
    };
    const Wide wide{1, 2, 3};
    const double set =
        work_of([&](CommandBuffer& commands) { commands.set_all(all, world.id<Wide>(), &wide); });
    CHECK(set >= 2000 + 1000 * sizeof(Wide) / 64.0);
    const double add = work_of([&](CommandBuffer& commands) { commands.add_all(all, world.id<Frozen>()); });
    CHECK(add > set);  // whole rows move
    const double destroy = work_of([&](CommandBuffer& commands) { commands.destroy_all(all); });
    CHECK(destroy > set);
}

TEST_CASE("a system whose commands exceed the limit fails with the number of commands left") {
    World world;
    declare_test_components(world);
    Schedule schedule(world);
    PlaybackLimit limit;
    limit.work = 10;
    std::vector<Entity> doomed;
    for (int i = 0; i < 30; ++i) doomed.push_back(world.spawn());
    SystemDesc desc;
    desc.name = "flood";
    desc.group = kSimulation;
    desc.run = [&](SystemContext& context) -> Result<void> {
        context.commands.limit(&limit);
        for (const Entity entity : doomed) context.commands.destroy(entity);
        return {};
    };
    const SystemId id = schedule.add(std::move(desc)).value();
    schedule.run_group(kSimulation, {}).value();
    CHECK(schedule.status(id).is_suspended);
    CHECK(schedule.status(id).error ==
          "system 'flood': its commands take more work than it may cause in one step; 20 of them were not "
          "carried out");
    CHECK(world.entity_count() == 20);
}

}  // namespace
}  // namespace perigee
