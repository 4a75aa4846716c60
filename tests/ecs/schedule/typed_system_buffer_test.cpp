// Buffer<T> where C++ code can name a component: rows, chunks and threads of a system, look-ups, reactions.
#include "ecs/events/system_events.h"
#include "ecs/schedule/lookup.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/typed_system.h"
#include "ecs/storage/buffer.h"
#include "tests/support/broken_contract.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Contains;

struct Visited {
    Entity who;
    float x = 0;
};

struct Game {
    Game() : world(tiny_chunks(16)), pool(2), schedule(world) {
        declare_test_components(world);
        declare_kind_components(world);
        world.declare_event<Visited>("Visited", field("who", &Visited::who), field("x", &Visited::x)).value();
        schedule.use_workers(&pool, 0);
        for (int i = 0; i < 100; ++i) {
            const Entity entity = world.spawn<Position, Waypoint>();
            world.edit<Position>(entity)->x = static_cast<float>(i);
            for (int k = 0; k < i % 5; ++k) world.buffer<Waypoint>(entity).push({static_cast<float>(k), 0});
            entities.push_back(entity);
        }
    }
    void run() { schedule.run_group(kSimulation, {.tick = tick++}).value(); }
    std::vector<float> xs_of(std::size_t i) const {
        std::vector<float> xs;
        for (const Waypoint& point : world.elements<Waypoint>(entities[i])) xs.push_back(point.x);
        return xs;
    }

    World world;
    WorkerPool pool;
    Schedule schedule;
    std::uint64_t tick = 0;
    std::vector<Entity> entities;
};

void push_position(BufferView<Waypoint> path, const Position& position) { path.push({position.x, 1}); }

TEST_CASE("[K6] [Q1] a system gets the buffers of its rows, in a loop, in chunks and on several threads") {
    Game game;
    World& world = game.world;
    const auto expect_pushed = [&] {
        for (std::size_t i = 0; i < game.entities.size(); ++i) {
            std::vector<float> expected;
            for (std::size_t k = 0; k < i % 5; ++k) expected.push_back(static_cast<float>(k));
            expected.push_back(static_cast<float>(i));
            CHECK(game.xs_of(i) == expected);
        }
    };
    SECTION("each with a named function") {
        game.schedule.add(system<Buffer<Waypoint>, const Position>(world, "push").each<push_position>())
            .value();
        game.run();
        expect_pushed();
    }
    SECTION("each with a function per run") {
        game.schedule
            .add(system<const Position, Buffer<Waypoint>>(world, "push").each([](const SystemContext&) {
                return [](Entity, const Position& position, BufferView<Waypoint> path) {
                    path.push({position.x, 1});
                };
            }))
            .value();
        game.run();
        expect_pushed();
    }
    SECTION("each_chunk") {
        game.schedule
            .add(system<Buffer<Waypoint>, const Position>(world, "push")
                     .each_chunk([](ChunkView& view, BufferColumn<Waypoint> paths,
                                    std::span<const Position> positions) {
                         for (std::uint32_t row = 0; row < view.row_count(); ++row)
                             paths[row].push({positions[row].x, 1});
                     }))
            .value();
        game.run();
        expect_pushed();
    }
    SECTION("each_parallel") {
        game.schedule
            .add(system<Buffer<Waypoint>, const Position>(world, "push")
                     .each_parallel<push_position>({.min_rows = 0}))
            .value();
        game.run();
        expect_pushed();
    }
    SECTION("reading, and where a chunk lacks the buffer") {
        const Entity bare = world.spawn(Position{1000, 0});
        std::size_t points = 0, rows = 0, empty = 0;
        game.schedule
            .add(system<const Position, Optional<Buffer<const Waypoint>>>(world, "count")
                     .each([&](Entity entity, const Position&, std::span<const Waypoint> path) {
                         ++rows;
                         points += path.size();
                         if (entity == bare) empty += path.empty() ? 1 : 0;
                     }))
            .value();
        game.run();
        CHECK(rows == 101);
        CHECK(points == 200);
        CHECK(empty == 1);
    }
}

TEST_CASE("[K6] [Q3] a changed filter sees chunks in which a buffer was opened for writing") {
    Game game;
    World& world = game.world;
    std::size_t rows = 0;
    game.schedule
        .add(system<Buffer<const Waypoint>>(world, "watch")
                 .changed<Waypoint>()
                 .each([&](std::span<const Waypoint>) { ++rows; }))
        .value();
    game.run();
    CHECK(rows == 100);
    rows = 0;
    game.run();
    CHECK(rows == 0);
    static_cast<void>(world.buffer<Waypoint>(game.entities[3]));
    game.run();
    CHECK(rows == 16);
}

TEST_CASE("[K6] [Q6] a system looks up buffers that it declared with uses, to read and to write") {
    Game game;
    World& world = game.world;
    const Entity target = world.spawn<Waypoint>();
    std::string broken;
    game.schedule
        .add(system<const Position>(world, "collect")
                 .uses<Buffer<Waypoint>>()
                 .each([&](const SystemContext& context) {
                     const Lookup<Buffer<Waypoint>> paths(context);
                     return [paths, target](Entity entity, const Position& position) {
                         if (!paths.get(entity).span().empty()) paths[target].push({position.x, 0});
                     };
                 }))
        .value();
    game.schedule
        .add(system<const Position>(world, "undeclared")
                 .uses<Buffer<const Waypoint>>()
                 .each([&](const SystemContext& context) {
                     const Lookup<Buffer<const Waypoint>> paths(context);
                     CHECK(paths[target].size() == 80);
                     const ContractWatch watch;
                     try {
                         const Lookup<Buffer<Waypoint>> writing(context);
                     } catch (const BrokenContract& contract) {
                         broken = contract.what();
                     }
                     return [](const Position&) {};
                 }))
        .value();
    game.run();
    CHECK(world.elements<Waypoint>(target).size() == 80);
    CHECK_THAT(broken, Contains("access that the system did not declare"));
}

TEST_CASE("[K6] reactions to events and to changes of components reach buffers") {
    Game game;
    World& world = game.world;
    game.schedule
        .add(system<Buffer<const Waypoint>, const Position>(world, "send")
                 .uses<Visited>()
                 .run([](SystemContext& context, const auto& query) {
                     query.each([&](Entity entity, std::span<const Waypoint> path, const Position& position) {
                         if (path.size() == 4) context.events.send(Visited{entity, position.x});
                     });
                 }))
        .value();
    SystemDesc reaction =
        system<>(world, "receive").uses<const Visited, Buffer<Waypoint>>().run([](SystemContext& context) {
            const Lookup<Buffer<Waypoint>> paths(context);
            for (const Visited& visited : context.events.read<Visited>()) {
                paths[visited.who].clear();
                paths[visited.who].push({visited.x, 0});
            }
        });
    reaction.reacts_to = Trigger{Trigger::Kind::event, world.id<Visited>()};
    game.schedule.add(std::move(reaction)).value();

    std::vector<Entity> added;
    SystemDesc observer = system<>(world, "added").uses<Buffer<Waypoint>>().run([&](SystemContext& context) {
        const Lookup<Buffer<Waypoint>> paths(context);
        for (const Entity entity : context.batch->observed.entities) {
            added.push_back(entity);
            paths[entity].push({7, 7});
        }
    });
    observer.reacts_to = Trigger{Trigger::Kind::added, world.id<Waypoint>()};
    game.schedule.add(std::move(observer)).value();
    const Entity late = world.spawn<Waypoint>();
    game.run();
    for (std::size_t i = 4; i < 100; i += 5) CHECK(game.xs_of(i) == std::vector{static_cast<float>(i)});
    CHECK(game.xs_of(3) == std::vector{0.0f, 1.0f, 2.0f});
    CHECK(added == std::vector{late});
    CHECK(world.elements<Waypoint>(late).size() == 1);
}

TEST_CASE("[K6] an ordered system visits buffers in the order of another component") {
    Game game;
    std::vector<float> order;
    game.schedule
        .add(system<const Position, Buffer<const Waypoint>>(game.world, "ordered")
                 .order_by<Position>("x", true)
                 .each([&](const Position& position, std::span<const Waypoint> path) {
                     if (path.size() == 4) order.push_back(position.x);
                 }))
        .value();
    game.run();
    REQUIRE(order.size() == 20);
    CHECK(order.front() == 99);
    CHECK(order.back() == 4);
}

}  // namespace
}  // namespace perigee
