// Typed systems give the same result as systems written by hand.
#include "ecs/schedule/typed_system.h"

#include "ecs/schedule/schedule.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

struct Typed {
    explicit Typed(int rows = 100) : world(tiny_chunks(16)), pool(2), schedule(world) {
        declare_test_components(world);
        schedule.use_workers(&pool, 0);
        for (int i = 0; i < rows; ++i) {
            const Entity entity = world.spawn(Position{static_cast<float>(i), 0}, Velocity{1, 2});
            if (i % 4 == 0) world.add<Frozen>(entity);
            if (i % 2 == 0) world.add<Health>(entity);
            entities.push_back(entity);
        }
    }
    void run(int ticks = 1) {
        for (int i = 0; i < ticks; ++i) {
            schedule.run_group(kSimulation, time).value();
            ++time.tick;
        }
    }
    // How far the matching rows have moved; -1 if any other row has moved.
    template <typename Fits> float moved(Fits fits) const {
        float by = 0;
        for (std::size_t i = 0; i < entities.size(); ++i) {
            const float step = world.get<Position>(entities[i])->x - static_cast<float>(i);
            if (fits(i)) {
                by = step;
            } else if (step != 0) {
                return -1;
            }
        }
        return by;
    }

    World world;
    WorkerPool pool;
    Schedule schedule;
    TickTime time;
    std::vector<Entity> entities;
};

const auto kAll = [](std::size_t) { return true; };

TEST_CASE(
    "[Q1] systems over rows, chunks and whole queries give the same result on one thread and on several") {
    const auto step = [](Position& position, const Velocity& velocity) { position.x += velocity.x; };
    Typed t;
    const auto move = [&](std::string name) { return system<Position, const Velocity>(t.world, name); };
    t.schedule.add(move("each").each(step)).value();
    t.schedule
        .add(move("each with entity").each([&](Entity entity, Position& position, const Velocity& velocity) {
            position.x += t.world.is_alive(entity) ? velocity.x : 100;
        }))
        .value();
    t.schedule
        .add(move("each with context").each([](const SystemContext& context) {
            return [by = static_cast<float>(context.time.tick)](Position& position, const Velocity&) {
                position.x += by;
            };
        }))
        .value();
    t.schedule.add(move("parallel").each_parallel(step, {.min_rows = 0, .task_rows = 16})).value();
    t.schedule
        .add(move("parallel with context")
                 .each_parallel([step](const SystemContext&) { return step; },
                                {.min_rows = 0, .task_rows = 16}))
        .value();
    t.schedule
        .add(move("chunks").each_chunk(
            [](ChunkView&, std::span<Position> positions, std::span<const Velocity> velocities) {
                for (std::size_t i = 0; i < positions.size(); ++i) positions[i].x += velocities[i].x;
            }))
        .value();
    t.schedule
        .add(move("chunks with context").each_chunk([step](SystemContext&) {
            return [step](ChunkView&, std::span<Position> positions, std::span<const Velocity> velocities) {
                for (std::size_t i = 0; i < positions.size(); ++i) step(positions[i], velocities[i]);
            };
        }))
        .value();
    t.schedule
        .add(move("whole").run(
            [step](SystemContext&, const TypedQuery<Position, const Velocity>& query) { query.each(step); }))
        .value();
    t.time.tick = 5;
    t.run();
    CHECK(t.moved(kAll) == 7 + 5);
}

void advance(Position& position, const Velocity& velocity) { position.x += velocity.x; }
void advance_entity(Entity entity, Position& position, const Velocity& velocity) {
    position.x += entity ? velocity.x : 100;
}
void advance_chunk(ChunkView& view, std::span<Position> positions, std::span<const Velocity> velocities) {
    for (std::size_t row = 0; row < view.row_count(); ++row) advance(positions[row], velocities[row]);
}

TEST_CASE("systems and queries take named functions as template arguments") {
    Typed t;
    const auto move = [&](std::string name) { return system<Position, const Velocity>(t.world, name); };
    t.schedule.add(move("each").each<advance>()).value();
    t.schedule.add(move("entity").each<advance_entity>()).value();
    t.schedule.add(move("chunk").each_chunk<advance_chunk>()).value();
    t.schedule.add(move("parallel").each_parallel<advance>({.min_rows = 0, .task_rows = 16})).value();
    const auto sum = [&] {
        float all = 0;
        t.world.each<const Position>([&](const Position& position) { all += position.x; });
        return all;
    };
    const float start = sum();
    t.world.query<Position, const Velocity>().each<advance>();
    const float one = sum() - start;
    REQUIRE(one != 0);
    t.run();
    CHECK(sum() == start + 5 * one);
    t.world.query<Position, const Velocity>().include_disabled().each<advance_entity>();
    t.world.query<Position, const Velocity>().each_chunk<advance_chunk>();
    WorkerPool pool(2);
    t.world.query<Position, const Velocity>().each_parallel<advance>(pool, {.min_rows = 0, .task_rows = 16});
    t.world.query<Position, const Velocity>().each_parallel<advance>(pool);
    CHECK(sum() == start + 9 * one);
}

TEST_CASE("[Q1] filters select rows, and a system with a changed filter visits changed chunks only") {
    Typed t;
    int runs = 0;
    t.schedule
        .add(system<Position>(t.world, "thawed").without<Frozen>().any<Health, Wide>().each([](Position& p) {
            p.x += 1;
        }))
        .value();
    t.schedule
        .add(system<const Velocity>(t.world, "watch")
                 .changed<Velocity>()
                 .each_chunk([&](ChunkView&, std::span<const Velocity>) { ++runs; }))
        .value();
    t.run();
    CHECK(t.moved([](std::size_t i) { return i % 4 == 2; }) == 1);
    CHECK(runs > 0);
    runs = 0;
    t.run(3);
    CHECK(runs == 0);
    t.world.set(t.entities[1], Velocity{5, 5});
    t.run();
    CHECK(runs == 1);
}

TEST_CASE("options for order, time, access and lifecycle end up in the description") {
    Typed t;
    const auto nothing = [](SystemContext&) -> Result<void> { return {}; };
    const SystemDesc desc = system<const Position>(t.world, "name")
                                .group("presentation")
                                .before({"b"})
                                .after({"a"})
                                .every(0.5)
                                .run_if([](const SystemContext&) { return true; })
                                .serial_key("key")
                                .alone()
                                .uses<Health, const Wide>()
                                .on_create(nothing)
                                .on_start(nothing)
                                .on_stop(nothing)
                                .on_destroy(nothing)
                                .run([](SystemContext&) {});
    CHECK(desc.name == "name");
    CHECK(desc.group == "presentation");
    CHECK(desc.before == std::vector<std::string>{"b"});
    CHECK(desc.after == std::vector<std::string>{"a"});
    CHECK(desc.every == 0.5);
    CHECK(desc.serial_key == "key");
    CHECK(desc.is_alone);
    CHECK(desc.needs_rows);
    CHECK(declares(desc, t.world.id<Position>(), Access::read));
    CHECK_FALSE(declares(desc, t.world.id<Position>(), Access::write));
    CHECK(declares(desc, t.world.id<Health>(), Access::write));
    CHECK(declares(desc, t.world.id<Wide>(), Access::read));
    CHECK_FALSE(declares(desc, t.world.id<Wide>(), Access::write));
    CHECK((desc.run_if && desc.on_create && desc.on_start && desc.on_stop && desc.on_destroy && desc.run));
}

TEST_CASE(
    "[Q1] [Q2] a system visits several queries, nested and with filters, and declares what they access") {
    Typed t;
    std::size_t pairs = 0, thawed = 0, own = 0;
    const SystemDesc nested =
        system(t.world, "nested")
            .uses<const Wide>()
            .queries(t.world.query<const Position, const Health>(),
                     t.world.query<Velocity>().without<Frozen>().changed<Position>(),
                     t.world.query<const Position>())
            .run([&](SystemContext&, const auto& healthy, const auto& moving, const auto& all) {
                healthy.each(
                    [&](const Position&, const Health&) { all.each([&](const Position&) { ++pairs; }); });
                moving.each_chunk([&](ChunkView& outer, std::span<Velocity> velocities) {
                    thawed += outer.row_count();
                    moving.each([](Velocity& velocity) { velocity.x += 1; });
                    for (Velocity& velocity : velocities) velocity.x -= 0.5F;
                });
            });
    CHECK(declares(nested, t.world.id<Wide>(), Access::read));
    CHECK(declares(nested, t.world.id<Health>(), Access::read));
    CHECK_FALSE(declares(nested, t.world.id<Position>(), Access::write));
    CHECK(declares(nested, t.world.id<Velocity>(), Access::write));
    CHECK(declares(nested, t.world.id<Frozen>(), Access::read));
    const SystemDesc beside = system<Position>(t.world, "beside")
                                  .queries(t.world.query<const Health>())
                                  .run([&](SystemContext&, const TypedQuery<Position>& rows,
                                           const TypedQuery<const Health>& healthy) -> Result<void> {
                                      rows.each([&](Position& position) { position.y += 1; });
                                      healthy.each([&](const Health&) { ++own; });
                                      return own > 10'000 ? Result<void>(Error{"too many"}) : Result<void>{};
                                  });
    t.schedule.add(nested).value();
    t.schedule.add(beside).value();
    t.schedule.record_access(true);
    t.run();
    CHECK(pairs == 50 * 100);
    CHECK(thawed == 75);
    CHECK(own == 50);
    CHECK(t.world.get<Position>(t.entities[7])->y == 1);
    // Each chunk of the outer visit saw one inner visit of all chunks.
    std::size_t chunks = t.world.query<Velocity>().without<Frozen>().query().chunk_count();
    CHECK(t.world.get<Velocity>(t.entities[1])->x == 1 + static_cast<float>(chunks) - 0.5F);
    // "moving" follows changes of Position: "beside" writes it after this system in each step.
    t.run();
    CHECK(thawed == 150);
    CHECK(t.schedule.stages(kSimulation).size() == 2);
}

TEST_CASE("a system without rows does not run unless it asks to, and its failure is reported") {
    Typed t(0);
    int runs = 0;
    const auto count = [&](SystemContext&) { ++runs; };
    t.schedule.add(system<const Position>(t.world, "idle").run(count)).value();
    t.schedule.add(system<const Position>(t.world, "always").always().run(count)).value();
    t.schedule.add(system<>(t.world, "no query").run(count)).value();
    std::string error;
    t.schedule.on_error([&](const SystemStatus& status) { error = status.error; });
    t.schedule.add(system<>(t.world, "fails").run([](SystemContext&) -> Result<void> { return Error{"no"}; }))
        .value();
    t.run();
    CHECK(runs == 2);
    CHECK(error == "no");
}

}  // namespace
}  // namespace perigee
