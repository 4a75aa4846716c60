// Commands on every kind of component give the same result as direct calls, and commands that are not
// allowed are refused with the name of the component.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

namespace perigee {
namespace {

using Catch::Contains;

struct Stage {
    explicit Stage(const WorldConfig& config = {}) : world(config), commands(world) {
        declare_test_components(world);
        declare_kind_components(world);
    }
    World world;
    CommandBuffer commands;
};

TEST_CASE("[C1][K4][K5][K7] recorded commands over all kinds give the same result as direct calls") {
    std::mt19937 random(11);
    Stage direct(tiny_chunks(4)), recorded(tiny_chunks(4));
    std::vector<Entity> entities;
    for (int i = 0; i < 60; ++i) {
        for (Stage* stage : {&direct, &recorded}) {
            const Team team{static_cast<std::uint8_t>(i % 3), 0};
            const Entity entity = i % 2 == 0 ? stage->world.spawn(team, Shield{1}, Position{})
                                             : stage->world.spawn(Voice{i}, Visible{}, Health{});
            if (stage == &direct) entities.push_back(entity);
        }
    }
    std::vector<ComponentId> ids;
    for (std::uint16_t i = 0; i < direct.world.registry().size(); ++i) {
        const ComponentId id{i};
        if (id != direct.world.archetypes().destroyed_tag() && id != direct.world.id<Bounds>())
            ids.push_back(id);
    }
    for (int round = 0; round < 400; ++round) {
        const auto any_entity = [&] { return entities[random() % entities.size()]; };
        const auto any_id = [&] { return ids[random() % ids.size()]; };
        std::array<std::byte, 64> value{};
        const auto fill = [&](ComponentId id) {
            value.fill(std::byte{0});
            for (const Leaf& leaf : direct.world.registry().info(id).leaves) {
                value[leaf.offset] = static_cast<std::byte>(random() % 3);
            }
        };
        const auto query_of = [&](Stage& stage, ComponentId with) -> const Query& {
            QueryDesc desc;
            desc.terms = {{with, Access::read, false}};
            return *stage.world.query(desc).value();
        };
        for (std::size_t count = 1 + random() % 3; count > 0; --count) {
            const Entity original = any_entity();
            if (!direct.world.is_alive(original)) continue;
            const Entity made = direct.world.clone(original);
            const Entity promised = recorded.commands.clone(original);
            CHECK(made == promised);
            entities.push_back(made);
        }
        recorded.commands.play_back();
        for (std::size_t count = 1 + random() % 12; count > 0; --count) {
            const Entity entity = any_entity();
            const ComponentId id = any_id(), other = any_id();
            fill(id);
            const bool flag = random() % 2 != 0;
            switch (random() % 13) {
                case 0:
                    direct.world.add(entity, id);
                    recorded.commands.add(entity, id);
                    break;
                case 1:
                case 2:
                    direct.world.add(entity, id, value.data());
                    recorded.commands.add(entity, id, value.data());
                    break;
                case 3:
                case 4:
                    direct.world.remove(entity, id);
                    recorded.commands.remove(entity, id);
                    break;
                case 5:
                    direct.world.set(entity, id, value.data());
                    recorded.commands.set(entity, id, value.data());
                    break;
                case 6:
                    direct.world.set_enabled(entity, id, flag);
                    recorded.commands.set_enabled(entity, id, flag);
                    break;
                case 7: {
                    const std::array<ComponentValue, 2> added{ComponentValue{id, value.data()},
                                                              ComponentValue{other, nullptr}};
                    const std::array<ComponentId, 1> removed{any_id()};
                    direct.world.change(entity, added, removed);
                    recorded.commands.change(entity, added, removed);
                    break;
                }
                case 8:
                    add_all(direct.world, query_of(direct, other), id, flag ? value.data() : nullptr);
                    recorded.commands.add_all(query_of(recorded, other), id, flag ? value.data() : nullptr);
                    break;
                case 9:
                    remove_all(direct.world, query_of(direct, other), id);
                    recorded.commands.remove_all(query_of(recorded, other), id);
                    break;
                case 10:
                    set_all(direct.world, query_of(direct, other), id, value.data());
                    recorded.commands.set_all(query_of(recorded, other), id, value.data());
                    break;
                case 11:
                    set_enabled_all(direct.world, query_of(direct, other), id, flag);
                    recorded.commands.set_enabled_all(query_of(recorded, other), id, flag);
                    break;
                default:
                    direct.world.destroy(entity);
                    recorded.commands.destroy(entity);
                    break;
            }
        }
        recorded.commands.play_back();
        REQUIRE(world_hash(direct.world) == world_hash(recorded.world));
        while (direct.world.entity_count() < 40) {
            entities.push_back(direct.world.spawn(Layer{1}, Squad{2}, Shield{}));
            recorded.world.spawn(Layer{1}, Squad{2}, Shield{});
        }
        if (direct.world.entity_count() > 150) {
            destroy_all(direct.world, query_of(direct, direct.world.id<Shield>()));
            recorded.commands.destroy_all(query_of(recorded, recorded.world.id<Shield>()));
            recorded.commands.play_back();
        }
    }
}

TEST_CASE("[C1] a command on an entity that died before playback is dropped and counted, also a clone") {
    Stage stage;
    World& world = stage.world;
    const Entity entity = world.spawn(Shield{1});
    const Entity copy = stage.commands.clone(entity);
    stage.commands.set_enabled(entity, world.id<Shield>(), false);
    stage.commands.change(entity, {}, {});
    stage.commands.add(copy, world.id<Team>());
    CHECK(copy);
    world.destroy(entity);
    const PlaybackReport report = stage.commands.play_back();
    CHECK(report.dropped == 4);
    CHECK(report.applied == 0);
    CHECK_FALSE(world.is_alive(copy));
}

TEST_CASE("[C1] a call runs once, in its place among the commands, and not when they are dropped") {
    Stage stage;
    const Entity entity = stage.world.spawn(Health{1, 1});
    std::vector<float> seen;
    const auto look = [&](World& world) {
        seen.push_back(world.get<Health>(entity)->current);
        return world.spawn(Position{seen.back(), 0}) != Entity{};
    };
    const auto set_health = [&](const Health& health) {
        stage.commands.set(entity, stage.world.id<Health>(), &health);
    };
    set_health(Health{2, 2});
    stage.commands.call(look);
    set_health(Health{3, 3});
    stage.commands.call(look);
    stage.commands.call([](World&) { return false; });
    CHECK(seen.empty());
    CHECK(stage.commands.play_back() == PlaybackReport{4, 0, 1, 0});
    CHECK(seen == std::vector<float>{2, 3});
    CHECK(stage.world.entity_count() == 3);
    stage.commands.call(look);
    stage.commands.drop();
    stage.commands.spawn();
    CHECK(stage.commands.play_back() == PlaybackReport{1, 0, 0, 0});
    stage.commands.close();
    stage.commands.call(look);
    CHECK(stage.commands.refused_count() == 1);
    CHECK(seen.size() == 2);
    const ContractWatch watch;
    CHECK_THROWS(Stage{}.commands.call({}));
}

TEST_CASE(
    "commands that spawn are dropped if the world was restored since, and its entities stay as they are") {
    Stage stage;
    const WorldSnapshot before = take_snapshot(stage.world).value();
    stage.commands.spawn(Position{9, 9});
    stage.commands.spawn();
    const std::size_t count = stage.commands.command_count();
    REQUIRE(restore_snapshot(stage.world, before).ok());
    const Entity entity = stage.world.spawn(Position{1, 1});
    CHECK(stage.commands.play_back() == PlaybackReport{.dropped = count});
    CHECK(stage.world.get<Position>(entity)->x == 1);
    CHECK(stage.world.entity_count() == before.entity_count() + 1);
    CHECK(stage.commands.is_empty());
}

TEST_CASE("the commands after a call that throws are carried out, and the report has its text") {
    Stage stage;
    stage.commands.spawn();
    stage.commands.call([](World&) -> bool { throw std::runtime_error("no fuel"); });
    stage.commands.call([](World&) -> bool { throw std::runtime_error("no crew"); });
    stage.commands.spawn();
    const PlaybackReport report = stage.commands.play_back();
    CHECK(report.applied == 2);
    CHECK(report.failed == 2);
    CHECK(report.thrown == "no fuel");
    CHECK(stage.world.entity_count() == 2);
}

TEST_CASE(
    "[K7] commands add, set and remove a chunk component for all chunks of a query, not for one entity") {
    Stage stage;
    const Entity entity = stage.world.spawn(Position{});
    const ComponentId bounds = stage.world.id<Bounds>();
    CHECK_THAT(*stage.commands.refusal(bounds), Contains("chunk component 'Bounds' cannot be changed"));
    const ContractWatch watch;
    CHECK_THROWS_WITH(stage.commands.add(entity, bounds), Contains("chunk component 'Bounds'"));
    CHECK_THROWS_WITH(stage.commands.remove(entity, bounds), Contains("chunk component 'Bounds'"));
    CHECK(stage.commands.is_empty());
    CHECK_THAT(*stage.commands.refusal(stage.world.archetypes().destroyed_tag()),
               Contains("expected destroy"));
    CHECK_FALSE(stage.commands.refusal(bounds, true));

    World& world = stage.world;
    std::vector<Entity> rows;
    for (int i = 0; i < 10; ++i) rows.push_back(world.spawn(Position{static_cast<float>(i), 0}));
    const Entity known = world.spawn(Position{}, Bounds{1, 2});
    const auto all = world.query<const Position>();
    stage.commands.add_all(all.query(), Bounds{7, 8});
    stage.commands.play_back();
    CHECK(*world.get<Bounds>(known) == Bounds{1, 2});
    for (const Entity row : rows) CHECK(*world.get<Bounds>(row) == Bounds{7, 8});
    stage.commands.add_all(all.query(), Bounds{9, 9});
    stage.commands.play_back();
    CHECK(*world.get<Bounds>(rows[0]) == Bounds{7, 8});
    stage.commands.set_all(all.query(), Bounds{3, 4});
    stage.commands.play_back();
    CHECK(*world.get<Bounds>(known) == Bounds{3, 4});
    CHECK(*world.get<Bounds>(rows[9]) == Bounds{3, 4});
    stage.commands.remove_all<Bounds>(all.query());
    stage.commands.play_back();
    for (const Entity row : rows) CHECK_FALSE(world.has<Bounds>(row));
}

TEST_CASE("[K7] a chunk component that is added for a query touches no value that is there") {
    for (const std::uint32_t rows : {1u, 2u, 3u, 7u}) {
        World world(tiny_chunks(rows));
        declare_test_components(world);
        declare_kind_components(world);
        std::vector<Entity> bare, with;
        for (int i = 0; i < 40; ++i) {
            const Entity made = world.spawn(Position{static_cast<float>(i), 0});
            if (i % 2 == 0) world.add(made, Team{static_cast<std::uint8_t>(i % 4), 0});
            if (i % 3 == 0) world.add<Shield>(made);
            if (i % 9 == 0) world.set_enabled<Shield>(made, false);
            bare.push_back(made);
        }
        for (int i = 0; i < 12; ++i)
            with.push_back(world.spawn(Position{}, Bounds{1, static_cast<float>(i)}));
        std::map<Entity, Bounds> before;
        for (const Entity entity : with) before[entity] = *world.get<Bounds>(entity);
        const auto check = [&](const Query& query) {
            std::vector<Entity> matching = query.entities();
            std::erase_if(matching, [&](Entity entity) { return world.has<Bounds>(entity); });
            CHECK(add_all(world, query, Bounds{5, 6}) == query.entity_count());
            for (const Entity entity : matching) CHECK(*world.get<Bounds>(entity) == Bounds{5, 6});
            for (const Entity entity : with) CHECK(*world.get<Bounds>(entity) == before[entity]);
        };
        check(world.query<const Position>().shared(Team{2, 0}).query());  // a filter by value
        check(world.query<const Position, const Shield>().query());       // a filter by enabled bits
        check(world.query<const Position>().query());                     // whole archetypes
        for (const Entity entity : bare) CHECK(world.has<Bounds>(entity));
    }
}

TEST_CASE("[K5] a cleanup component belongs to the first system that declares write access") {
    Stage stage;
    Schedule schedule(stage.world);
    const auto system = [&](const char* name, bool writes) {
        SystemDesc desc;
        desc.name = name;
        desc.query.terms = {{stage.world.id<Voice>(), writes ? Access::write : Access::read, false}};
        desc.run = [id = stage.world.id<Voice>()](SystemContext& context) -> Result<void> {
            if (const auto reason = context.commands.refusal(id)) return Error{*reason};
            return {};
        };
        return schedule.add(std::move(desc));
    };
    REQUIRE(system("audio", true).ok());
    CHECK(system("stranger", true).error().message ==
          "system 'stranger': cleanup 'Voice' is written by system 'audio' only; expected read access");
    REQUIRE(system("reader", false).ok());
    std::vector<std::string> failures;
    schedule.on_error([&](const SystemStatus& status) { failures.push_back(status.error); });
    REQUIRE(schedule.run_group(kSimulation, {}).ok());
    CHECK(failures ==
          std::vector<std::string>{"system 'reader' may not change cleanup 'Voice'; expected it among the "
                                   "components that the system declares as written"});
}

TEST_CASE("only native systems may write a component owned by the engine") {
    Stage stage;
    Schema schema;
    schema.name = "Links";
    schema.owner = "engine";
    schema.fields.resize(1);
    schema.fields[0].name = "parent";
    schema.fields[0].type = FieldType::entity;
    const ComponentId links = stage.world.declare(schema).value();
    Schedule schedule(stage.world);
    SystemDesc desc;
    desc.name = "script";
    desc.access.write = {links};
    desc.run = [](SystemContext&) -> Result<void> { return {}; };
    desc.is_native = false;
    CHECK(schedule.add(desc).error().message ==
          "system 'script': component 'Links' is written by native systems only; expected read access");
    desc.is_native = true;
    CHECK(schedule.add(desc).ok());
}

}  // namespace
}  // namespace perigee
