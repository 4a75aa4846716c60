// The transform system agrees with a naive recursion; chunks that it does not write.
#include "ecs/transform/transform.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Game {
    explicit Game(const WorldConfig& config = {}) : world(config), schedule(world) {
        declare_test_components(world);
        add_transform_system(world, schedule).value();
    }
    void step() { schedule.run_group(kTransforms, TickTime{}).value(); }

    World world;
    Schedule schedule;
};

WorldTransform naive(const World& world, Entity entity) {
    const LocalTransform* local = world.get<LocalTransform>(entity);
    if (local == nullptr) return {};
    const Entity parent = parent_of(world, entity);
    const WorldTransform own = world_from_local(*local);
    return parent && world.has<LocalTransform>(parent) ? combined(naive(world, parent), own) : own;
}

TEST_CASE("after every step all transforms agree with a naive recursion [T1]") {
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
        Game game(seed % 2 == 0 ? WorldConfig{} : tiny_chunks());
        World& world = game.world;
        std::mt19937 random(seed);
        std::vector<Entity> known;
        const auto any = [&] { return known[random() % known.size()]; };
        const auto place = [&] {
            const auto number = [&] { return static_cast<float>(random() % 64) / 8 - 4; };
            return LocalTransform{number(), number(), number(), number(), number()};
        };
        for (int step = 0; step < 1500; ++step) {
            for (std::uint32_t changes = random() % 4; changes > 0; --changes) {
                if (known.empty() || random() % 4 == 0) known.push_back(world.spawn(place()));
                const Entity entity = any();
                switch (random() % 8) {
                    case 0:
                        static_cast<void>(set_parent(world, entity, Entity{}));
                        break;
                    case 1:
                    case 2:
                    case 3:
                        static_cast<void>(set_parent(world, entity, any()));
                        break;
                    case 4:
                        if (random() % 4 == 0) world.destroy(entity);
                        break;
                    case 5:
                        world.has<LocalTransform>(entity) && random() % 2 == 0
                            ? world.remove<LocalTransform>(entity)
                            : world.add<LocalTransform>(entity, place());
                        break;
                    default:
                        world.set(entity, place());
                        break;
                }
            }
            game.step();
            for (const Entity entity : known) {
                if (!world.has<LocalTransform>(entity)) continue;
                if (!(*world.get<WorldTransform>(entity) == naive(world, entity))) FAIL(seed << " " << step);
            }
        }
    }
}

TEST_CASE("beyond the deepest distinct depth, parents are still computed first") {
    Game game;
    World& world = game.world;
    std::vector<Entity> chain(300);
    // From the bottom up, so that children are stored before their parents.
    for (Entity& entity : chain) entity = world.spawn(LocalTransform{1, 0, 0, 1, 1});
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) set_parent(world, chain[i], chain[i + 1]).value();
    game.step();
    CHECK(world.get<WorldTransform>(chain[0])->x == 300);
    world.edit<LocalTransform>(chain[100])->x = 2;
    game.step();
    CHECK(world.get<WorldTransform>(chain[0])->x == 301);
    CHECK(world.get<WorldTransform>(chain[100])->x == 201);
    world.remove<LocalTransform>(chain[50]);
    game.step();
    CHECK(world.get<WorldTransform>(chain[0])->x == 50);
}

TEST_CASE("only chunks in which something may have changed are written [T1]") {
    Game game(tiny_chunks(4));
    World& world = game.world;
    std::vector<Entity> parents, children;
    for (int i = 0; i < 16; ++i) parents.push_back(world.spawn(LocalTransform{}));
    for (int i = 0; i < 16; ++i) {
        children.push_back(world.spawn(LocalTransform{}));
        set_parent(world, children.back(), parents[static_cast<std::size_t>(i)]).value();
    }
    const auto written = [&](ChangeVersion since) {
        std::size_t chunks = 0;
        const TypedQuery<const WorldTransform> query = world.query<const WorldTransform>();
        query.each_chunk([&](ChunkView& view, std::span<const WorldTransform>) {
            chunks += view.changed_since(0, since) ? 1 : 0;
        });
        return chunks;
    };
    game.step();
    ChangeVersion before = world.change_version();
    game.step();
    CHECK(written(before) == 0);
    before = world.change_version();
    world.set(children[5], LocalTransform{1, 1, 0, 1, 1});
    game.step();
    CHECK(written(before) == 1);
    before = world.change_version();
    world.set(parents[5], LocalTransform{1, 1, 0, 1, 1});
    game.step();
    CHECK(written(before) == 2);
    CHECK(world.get<WorldTransform>(children[5])->x == 2);
}

TEST_CASE("LocalTransform requires WorldTransform, which only the engine writes") {
    Game game;
    const Entity entity = game.world.spawn();
    game.world.add<LocalTransform>(entity, {3, 4, 0, 2, 2});
    CHECK(*game.world.get<WorldTransform>(entity) == WorldTransform{});
    game.step();
    CHECK(*game.world.get<WorldTransform>(entity) == WorldTransform{2, 0, 0, 2, 3, 4});
    SystemDesc system;
    system.name = "theirs";
    system.is_native = false;
    system.query.terms = {{game.world.id<WorldTransform>(), Access::write}};
    system.run = [](SystemContext&) -> Result<void> { return {}; };
    CHECK(!game.schedule.add(std::move(system)).ok());
}

TEST_CASE("declaring transforms fails when one of the names is in use") {
    World world;
    Schema schema;
    schema.name = "WorldTransform";
    schema.kind = ComponentKind::tag;
    world.declare(std::move(schema)).value();
    Schedule schedule(world);
    CHECK_THAT(add_transform_system(world, schedule).error().message,
               Contains("'WorldTransform' is already"));
}

}  // namespace
}  // namespace perigee
