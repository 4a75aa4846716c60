// Changed filters agree with a naive model for any version number, also beyond 32 bits.
#include "ecs/base/change_version.h"

#include "ecs/schedule/schedule.h"
#include "ecs/schedule/typed_system.h"
#include "ecs/world/observers.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <vector>

namespace perigee {
namespace {

constexpr ChangeVersion kEdge = ChangeVersion{1} << 32;

// A world with two entities per chunk. Writers change some entities, readers with a `changed` filter run from
// time to time, and the model knows which entities are in chunks written since then.
struct Game {
    struct Reader {
        std::string name;
        std::set<Entity> unseen;  // by the model
        std::set<Entity> shown;   // by the filter
        bool is_due = false;
        int shows = 0;
    };

    World world;
    Schedule schedule{world};
    std::vector<Entity> entities;
    std::set<Entity> to_write;
    std::vector<Reader> readers = std::vector<Reader>(3);

    explicit Game(ChangeVersion first) : world(config(first)) {
        declare_test_components(world);
        for (int i = 0; i < 40; ++i) entities.push_back(world.spawn(Position{}, Velocity{}));
        schedule
            .add(system<>(world, "a writer").uses<Position>().run([this](SystemContext& context) {
                for (const Entity entity : to_write) context.world.edit<Position>(entity)->x += 1;
            }))
            .value();
        for (std::size_t i = 0; i < readers.size(); ++i) {
            Reader& reader = readers[i];
            reader.name = "reader " + std::to_string(i);
            reader.unseen = {entities.begin(), entities.end()};  // all rows are new
            schedule
                .add(system<const Position>(world, reader.name)
                         .changed<Position>()
                         .run_if([&reader](const SystemContext&) { return reader.is_due; })
                         .always()
                         .run([&reader](SystemContext&, const TypedQuery<const Position>& query) {
                             query.each(
                                 [&reader](Entity entity, const Position&) { reader.shown.insert(entity); });
                             ++reader.shows;
                         }))
                .value();
        }
    }
    static WorldConfig config(ChangeVersion first) {
        WorldConfig config = tiny_chunks(2);
        config.first_change_version = first;
        return config;
    }

    void step(std::mt19937& random) {
        to_write.clear();
        for (std::size_t i = 0; i < random() % 4; ++i) to_write.insert(entities[random() % entities.size()]);
        for (const Entity entity : to_write) {
            const std::size_t first =
                static_cast<std::size_t>(std::find(entities.begin(), entities.end(), entity) -
                                         entities.begin()) /
                2 * 2;
            for (Reader& reader : readers) reader.unseen.insert({entities[first], entities[first + 1]});
        }
        for (Reader& reader : readers) reader.is_due = random() % 3 != 0;
        schedule.run_group("simulation", {}).value();
        for (Reader& reader : readers) {
            if (!reader.is_due) continue;
            REQUIRE(reader.shown == reader.unseen);
            reader.shown.clear();
            reader.unseen.clear();
        }
    }
};

TEST_CASE("changed filters agree with a model when versions pass 32 bits and far beyond") {
    for (const ChangeVersion first : {ChangeVersion{1}, kEdge - 16, kEdge / 2 - 16, kEdge * 1'000'000 - 16}) {
        INFO("first version " << first);
        Game game(first);
        std::mt19937 random(7);
        for (int i = 0; i < 300; ++i) game.step(random);
        CHECK(game.world.change_version() > first + 300);
        for (const Game::Reader& reader : game.readers) CHECK(reader.shows > 150);
    }
}

TEST_CASE("a reader that has not run for months sees each later write once") {
    World world(Game::config(kEdge - 2));
    declare_test_components(world);
    const Entity entity = world.spawn(Position{}), other = world.spawn(Position{});
    world.spawn(Position{});
    const Query& query = world.query<const Position>().changed<Position>().build().query();
    const ChangeVersion before = world.change_version();
    CHECK(query.entity_count(before) == 0);
    for (int i = 0; i < 5; ++i) world.advance_change_version();
    REQUIRE(world.change_version() > kEdge);
    CHECK(query.entity_count(before) == 0);
    world.edit<Position>(entity)->x = 1;
    CHECK(query.entity_count(before) == 2);  // its chunk holds the other one, too
    world.each_chunk_since(query, before, [&](const ChunkView& view) {
        CHECK(view.changed_since(0, before));
        CHECK_FALSE(view.changed_since(0, world.change_version()));
    });
    const ChangeVersion after = world.change_version();
    CHECK(query.entity_count(after) == 0);
    world.advance_change_version();
    REQUIRE(world.destroy(other));
    CHECK(query.entity_count(after) == 1);  // its chunk has a row less
}

TEST_CASE("reactions to changed values work when versions pass 32 bits") {
    World world(Game::config(kEdge - 8));
    Schedule schedule(world);
    declare_test_components(world);
    const Entity entity = world.spawn(Position{});
    std::vector<float> seen;
    SystemDesc desc;
    desc.name = "watch";
    desc.reacts_to = Trigger{Trigger::Kind::changed, world.id<Position>()};
    desc.access.read = {world.id<Position>()};
    desc.run = [&](SystemContext& context) -> Result<void> {
        for (const Entity one : context.batch->observed.entities) seen.push_back(world.get<Position>(one)->x);
        return {};
    };
    schedule.add(desc).value();
    for (int i = 0; i < 40; ++i) {
        schedule.run_group("simulation", {}).value();
        if (i % 2 == 0) world.edit<Position>(entity)->x = static_cast<float>(i + 1);
    }
    CHECK(world.change_version() > kEdge);
    CHECK(seen.size() >= 19);
}

}  // namespace
}  // namespace perigee
