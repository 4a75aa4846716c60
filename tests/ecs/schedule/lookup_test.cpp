// Random access by entity from inside a system.
#include "ecs/schedule/lookup.h"

#include "ecs/schedule/schedule.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

struct Game {
    World world{tiny_chunks(2)};
    Schedule schedule{world};
    Game() { declare_test_components(world); }

    void run(SystemDesc desc) {
        desc.name = "system " + std::to_string(schedule.system_count());
        schedule.add(std::move(desc)).value();
        schedule.run_group(kSimulation, {}).value();
    }
};

TEST_CASE("[Q6] a system reads and writes components of any entity while it visits others") {
    Game game;
    World& world = game.world;
    const Entity rock = world.spawn(Position{7, 8});
    std::vector<Entity> living;
    for (int i = 0; i < 5; ++i) living.push_back(world.spawn(Velocity{1, 0}, Health{i, 10}));
    const Entity dead = world.spawn(Position{});
    world.destroy(dead);
    const ChangeVersion before = world.change_version();

    SystemDesc desc;
    desc.query.terms = {{world.id<Velocity>(), Access::write}};
    desc.access.read = {world.id<Position>()};
    desc.access.write = {world.id<Health>()};
    desc.run = [&](SystemContext& context) -> Result<void> {
        const Lookup<const Position> positions(context);
        const Lookup<Health> healths(context);
        CHECK_FALSE(positions.has(dead));
        CHECK(positions.get(dead) == nullptr);
        CHECK(positions.get(living[0]) == nullptr);
        context.world.each_chunk(*context.query, [&](const ChunkView& view) {
            for (std::size_t row = 0; row < view.row_count(); ++row) {
                view.column<Velocity>(0)[row].y = positions[rock].x;
                healths[view.entities()[row]].current += 10;
            }
        });
        return {};
    };
    game.run(desc);
    for (int i = 0; i < 5; ++i) {
        CHECK(*world.get<Velocity>(living[static_cast<std::size_t>(i)]) == Velocity{1, 7});
        CHECK(*world.get<Health>(living[static_cast<std::size_t>(i)]) == Health{i + 10, 10});
    }
    Query& changed = world.query<const Health>().changed<Health>().build().query();
    CHECK(changed.entity_count(before) == 5);
}

TEST_CASE("[Q6] a look-up of an undeclared component breaks a contract") {
    const ContractWatch watch;
    Game game;
    const Entity rock = game.world.spawn(Position{7, 8}, Velocity{});
    SystemDesc desc;
    desc.access.read = {game.world.id<Position>()};
    int checked = 0;
    desc.run = [&](SystemContext& context) -> Result<void> {
        CHECK(Lookup<const Position>(context).has(rock));
        CHECK_THROWS_AS(Lookup<Position>(context), BrokenContract);
        CHECK_THROWS_AS(Lookup<const Velocity>(context), BrokenContract);
        CHECK_THROWS_AS(Lookup<const Position>(context)[Entity{}], BrokenContract);
        ++checked;
        return {};
    };
    game.run(desc);
    CHECK(checked == 1);
    CHECK(Lookup<Velocity>(game.world).get(rock) != nullptr);
}

}  // namespace
}  // namespace perigee
