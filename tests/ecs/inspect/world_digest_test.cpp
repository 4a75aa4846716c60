// A changed value of each kind is identified by type, entity and field.
#include "ecs/inspect/world_digest.h"

#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace perigee {
namespace {

struct TwoWorlds {
    World left{tiny_chunks(2)}, right{tiny_chunks(5)};
    std::vector<Entity> entities;

    TwoWorlds() {
        for (World* world : {&left, &right}) {
            declare_test_components(*world);
            declare_kind_components(*world);
            Schema wave;
            wave.name = "Wave";
            wave.kind = ComponentKind::resource;
            wave.fields.resize(2);
            wave.fields[0].name = "number";
            wave.fields[1].name = "left";
            world->declare(wave).value();
            entities.clear();
            for (int i = 0; i < 40; ++i) {
                const Entity entity = world->spawn(Position{1.0f * static_cast<float>(i), 2}, Health{i, 100});
                if (i % 2 == 0) world->add(entity, Team{static_cast<std::uint8_t>(i % 4), 1});
                if (i % 3 == 0) world->add(entity, Shield{2});
                if (i % 5 == 0) world->add(entity, world->id<Frozen>());
                entities.push_back(entity);
            }
        }
    }

    /// "Type.field of entity" for each value that the digests identify.
    std::vector<std::string> differences() const {
        std::vector<std::string> named;
        for (const ComponentId id : left.registry().ids_by_name()) {
            const ComponentInfo& info = left.registry().info(id);
            const TypeDigest a = digest_component(left, id, 7);
            const TypeDigest b = digest_component(right, id, 7);
            CHECK((a.sum == b.sum) == (a.digest == b.digest));
            DifferenceDigest difference = a.digest;
            difference -= b.digest;
            const std::vector<std::string> fields = digest_field_names(info);
            for (const DigestedValue& value : lone_values(difference)) {
                CHECK(value.key.component == 7);
                REQUIRE(value.key.field < fields.size());
                named.push_back(info.schema.name + "." + fields[value.key.field] + " of " +
                                std::to_string(value.key.entity.index()));
            }
        }
        return named;
    }
};

TEST_CASE("equal worlds have equal digests for any chunk sizes") {
    const TwoWorlds worlds;
    CHECK(worlds.differences().empty());
    CHECK(digest_entities(worlds.left, 0).digest == digest_entities(worlds.right, 0).digest);
}

TEST_CASE("a changed value is identified by type, field and entity") {
    struct Change {
        std::string name;
        std::function<void(World&, Entity)> apply;
    };
    const std::vector<Change> changes{
        {"Position.y of ", [](World& world, Entity entity) { world.edit<Position>(entity)->y = 3; }},
        {"Health.current of ", [](World& world, Entity entity) { --world.edit<Health>(entity)->current; }},
        {"Shield.enabled of ",
         [](World& world, Entity entity) { world.set_enabled(entity, world.id<Shield>(), false); }},
        {"Frozen. of ", [](World& world, Entity entity) { world.remove<Frozen>(entity); }},
        {"Team.id of ",
         [](World& world, Entity entity) {
             world.set(entity, Team{9, 1});
         }},
    };
    for (const Change& change : changes) {
        TwoWorlds worlds;
        const Entity entity = worlds.entities[30];
        change.apply(worlds.right, entity);
        CHECK(worlds.differences() == std::vector<std::string>{change.name + std::to_string(entity.index())});
    }
}

TEST_CASE("a changed resource is identified by field, with the null entity") {
    TwoWorlds worlds;
    const ComponentId wave = worlds.right.registry().find("Wave").value();
    const float number = 4;
    std::memcpy(worlds.right.resources().data(wave), &number, sizeof number);
    CHECK(worlds.differences() == std::vector<std::string>{"Wave.number of 0"});
}

TEST_CASE("a longer buffer differs in its length and in the fields of its elements") {
    TwoWorlds worlds;
    for (World* world : {&worlds.left, &worlds.right})
        world->add(worlds.entities[3], world->registry().find("Waypoint").value());
    CHECK(worlds.differences().empty());
    worlds.right.buffer<Waypoint>(worlds.entities[3]).push({1, 0});
    const std::vector<std::string> named = worlds.differences();
    CHECK(std::ranges::find(named, "Waypoint.length of " + std::to_string(worlds.entities[3].index())) !=
          named.end());
}

TEST_CASE("all NaNs are equal, and an entity of only one world differs in its presence") {
    TwoWorlds worlds;
    worlds.left.edit<Position>(worlds.entities[1])->x = std::numeric_limits<float>::quiet_NaN();
    worlds.right.edit<Position>(worlds.entities[1])->x = -std::numeric_limits<float>::quiet_NaN();
    CHECK(worlds.differences().empty());
    const Entity extra = worlds.right.spawn(Velocity{});
    DifferenceDigest difference = digest_entities(worlds.left, 3).digest;
    difference -= digest_entities(worlds.right, 3).digest;
    const std::vector<DigestedValue> found = lone_values(difference);
    REQUIRE(found.size() == 1);
    CHECK(found.front() == DigestedValue{{3, extra, kPresenceField}, 0 - presence_hash(extra)});
}

}  // namespace
}  // namespace perigee
