// What systems ask to be done at the end of the step: when and in what order it happens, what it may do, and
// what remains of it when a world goes back in time.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/save/save_file.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_state.h"
#include "ecs/schema/blob_store.h"
#include "ecs/storage/resource_store.h"
#include "tests/support/blob_trees.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

struct Late {
    float x = 0;
};

struct Steps {
    explicit Steps(WorkerPool* workers = nullptr) : schedule(world, 5) {
        declare_test_components(world);
        schedule.use_workers(workers, 0);
        schedule.on_error([this](const SystemStatus& status) { errors.push_back(status.error); });
    }
    SystemDesc desc(std::string name, SystemFunction run, std::string_view group = kSimulation) const {
        SystemDesc made;
        made.name = std::move(name);
        made.group = group;
        made.run = std::move(run);
        return made;
    }
    SystemId add(SystemDesc made) { return schedule.add(std::move(made)).value(); }
    void step() {
        said.clear();
        schedule.run_step(time).value();
        ++time.tick;
    }
    SystemFunction says(std::string text) {
        return [this, text = std::move(text)](SystemContext&) -> Result<void> {
            said.push_back(text);
            return {};
        };
    }

    World world;
    Schedule schedule;
    Names said, errors;
    TickTime time;
};

TEST_CASE("[C2] what a system asks for happens at the end of the step, and counts from the next step on") {
    Steps game;
    game.add(game.desc("a", [&](SystemContext& context) -> Result<void> {
        if (context.time.tick != 0) return {};
        game.said.emplace_back("a");
        game.schedule.at_step_end([&]() -> Result<void> {
            game.said.emplace_back("end");
            CHECK(!game.world.is_locked());
            CHECK(!game.schedule.is_running());
            game.world.declare<Late>("Late", {}, field("x", &Late::x)).value();
            game.add(game.desc("late", game.says("late")));
            return {};
        });
        return {};
    }));
    game.add(game.desc("z", game.says("z"), kTransforms));
    game.step();
    CHECK(game.said == Names{"a", "z", "end"});
    game.step();
    CHECK(game.said == Names{"late", "z"});
    CHECK(game.errors.empty());
}

TEST_CASE("[C2] outside a step the end of the group that runs is the end of the step") {
    Steps game;
    game.schedule.at_step_end([&]() -> Result<void> {
        game.said.emplace_back("asked before");
        return {};
    });
    CHECK(game.said.empty());
    game.schedule.run_group(kPresentation, game.time).value();
    CHECK(game.said.empty());
    game.schedule.run_group(kSimulation, game.time).value();
    CHECK(game.said == Names{"asked before"});
}

TEST_CASE(
    "[C2] changes happen in system order, with and without threads, and those they ask for a step later") {
    WorkerPool pool(3);
    for (WorkerPool* workers : {static_cast<WorkerPool*>(nullptr), &pool}) {
        Steps game(workers);
        for (const char* name : {"d", "b", "a", "c"}) {
            SystemDesc asks = game.desc(name, [&game, name](SystemContext& context) -> Result<void> {
                if (context.time.tick != 0) return {};
                for (int i = 0; i < 3; ++i) {
                    game.schedule.at_step_end([&game, name, i]() -> Result<void> {
                        game.said.push_back(name + std::to_string(i));
                        if (i == 0 && *name == 'a')
                            game.schedule.at_step_end([&game]() -> Result<void> {
                                game.said.emplace_back("next");
                                return {};
                            });
                        return {};
                    });
                }
                return {};
            });
            asks.access.read = {game.world.id<Position>()};
            game.add(std::move(asks));
        }
        game.step();
        CHECK(game.said == Names{"a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1", "c2", "d0", "d1", "d2"});
        game.step();
        CHECK(game.said == Names{"next"});
    }
}

TEST_CASE("[C2] a system that fails has asked for nothing, and an error of a change is the system's") {
    Steps game;
    game.add(game.desc("fails", [&](SystemContext&) -> Result<void> {
        game.schedule.at_step_end([&]() -> Result<void> {
            game.said.emplace_back("never");
            return {};
        });
        return Error{"no"};
    }));
    game.add(game.desc("asks", [&](SystemContext&) -> Result<void> {
        game.schedule.at_step_end([]() -> Result<void> { return Error{"too late"}; });
        game.schedule.at_step_end([&]() -> Result<void> {
            game.said.emplace_back("never");
            return {};
        });
        return {};
    }));
    game.add(game.desc("throws", [&](SystemContext&) -> Result<void> {
        game.schedule.at_step_end([]() -> Result<void> { throw std::runtime_error("thrown"); });
        return {};
    }));
    game.step();
    CHECK(game.said.empty());
    CHECK(game.errors == Names{"no", "too late", "system 'throws' threw an exception: thrown"});
    CHECK(game.schedule.status(*game.schedule.find("asks")).is_suspended);
}

TEST_CASE("[C2] a presentation system asks for nothing") {
    Steps game;
    game.add(game.desc(
        "p",
        [&](SystemContext&) -> Result<void> {
            game.schedule.at_step_end([&]() -> Result<void> {
                game.said.emplace_back("never");
                return {};
            });
            return {};
        },
        kPresentation));
    game.schedule.run_group(kPresentation, game.time).value();
    game.step();
    CHECK(game.said.empty());
    CHECK(game.errors ==
          Names{"system 'p': presentation systems declare nothing, since how often they run depends "
                "on the frame rate; do it in simulation"});
}

TEST_CASE("[C2] a system that does not fit into the order is refused, and the others run on") {
    Steps game;
    game.add(game.desc("a", [&](SystemContext& context) -> Result<void> {
        game.said.emplace_back("a");
        if (context.time.tick != 0) return {};
        game.schedule.at_step_end([&]() -> Result<void> {
            SystemDesc lost = game.desc("lost", game.says("lost"));
            lost.after = {"nobody"};
            const Result<SystemId> added = game.schedule.add(std::move(lost));
            CHECK_THAT(added.error().message, Contains("nobody"));
            SystemDesc loop = game.desc("loop", game.says("loop"));
            loop.after = loop.before = {"a"};
            CHECK_THAT(game.schedule.add(std::move(loop)).error().message, Contains("wait for each other"));
            return {};
        });
        return {};
    }));
    for (int i = 0; i < 2; ++i) {
        game.step();
        CHECK(game.said == Names{"a"});
    }
    CHECK(game.errors.empty());
    CHECK(!game.schedule.find("lost"));
}

// Declares a type and a system in step 5, as its code says; the system adds rows and moves them.
struct Story : Steps {
    Story() {
        add(desc("teller", [this](SystemContext& context) -> Result<void> {
            context.commands.spawn(Position{static_cast<float>(context.random.unit()), 0});
            if (context.time.tick == 5) schedule.at_step_end([this] { return declare(); });
            return {};
        }));
    }
    Result<void> declare() {
        world.declare<Late>("Late", {}, field("x", &Late::x)).value();
        SystemDesc late = desc("late", [this](SystemContext& context) -> Result<void> {
            context.commands.spawn(Late{static_cast<float>(context.random.unit())});
            ++runs;
            return {};
        });
        late.on_create = [this](SystemContext& context) -> Result<void> {
            context.commands.spawn(Position{100, 0});
            ++made;
            return {};
        };
        const Result<SystemId> added = schedule.add(std::move(late));
        if (!added) return added.error();
        return {};
    }
    std::uint64_t hash() {
        step();
        return world_hash(world);
    }
    int runs = 0, made = 0;
};

TEST_CASE("[C2] a world that goes back before a declaration goes on as it did the first time") {
    Story game;
    std::map<std::uint64_t, std::uint64_t> hashes;
    std::vector<WorldSnapshot> snapshots;
    std::vector<ScheduleState> states;
    for (int i = 0; i < 12; ++i) {
        hashes[game.time.tick] = world_hash(game.world);
        snapshots.push_back(take_snapshot(game.world).value());
        states.push_back(game.schedule.state());
        game.step();
    }
    REQUIRE(game.errors.empty());
    CHECK(game.made == 1);
    for (const std::size_t to : {3u, 8u, 0u, 6u, 5u, 11u, 2u}) {
        restore_snapshot(game.world, snapshots[to]).value();
        game.schedule.restore(states[to]);
        game.time.tick = to;
        CAPTURE(to);
        CHECK(game.schedule.find("late").has_value() == (to >= 6));
        for (std::uint64_t tick = to; tick < 12; ++tick) {
            CAPTURE(tick);
            REQUIRE(world_hash(game.world) == hashes[tick]);
            game.step();
        }
        REQUIRE(game.errors.empty());
    }
    CHECK(game.made == 5);
}

TEST_CASE("[C2] a system that waits for its declaration is not part of a state") {
    Story game;
    const WorldSnapshot start = take_snapshot(game.world).value();
    const ScheduleState at_start = game.schedule.state();
    for (int i = 0; i < 8; ++i) game.step();
    restore_snapshot(game.world, start).value();
    game.schedule.restore(at_start);
    game.time.tick = 0;
    const ScheduleState again = game.schedule.state();
    game.runs = 0;
    game.step();
    game.schedule.restore(again);
    CHECK(!game.schedule.find("late"));
    CHECK(game.runs == 0);
}

TEST_CASE(
    "[C2] a saved world with a type declared during play loads where it is not declared yet, and is the "
    "same") {
    Story game;
    for (int i = 0; i < 9; ++i) game.step();
    const std::string bytes = world_to_bytes(game.world, {.schedule = &game.schedule}).value();
    Story other;
    other.step();
    world_from_bytes(other.world, bytes, {.schedule = &other.schedule}).value();
    CHECK(world_hash(other.world) == world_hash(game.world));
    other.time.tick = game.time.tick;
    CHECK(!other.schedule.find("late"));
    other.schedule.at_step_end([&] { return other.declare(); });
    other.step();
    CHECK(other.errors.empty());
    CHECK(other.schedule.find("late"));
}

TEST_CASE("[C2] a type declared at the end of a step counts in the hash once it is used") {
    Steps game;
    const std::uint64_t before = world_hash(game.world);
    game.schedule.at_step_end([&]() -> Result<void> {
        game.world.declare<Late>("Late", {}, field("x", &Late::x)).value();
        Schema wave = game.world.registry().info(game.world.id<Position>()).schema;
        wave.name = "Wave";
        wave.kind = ComponentKind::resource;
        game.world.declare(wave).value();
        return {};
    });
    game.step();
    CHECK(world_hash(game.world) == before);
    const Entity entity = game.world.spawn(Late{});
    const std::uint64_t used = world_hash(game.world);
    CHECK(used != before);
    game.world.destroy(entity);
    CHECK(world_hash(game.world) == before);
    // One that is declared before counts.
    Steps other;
    other.world.declare<Late>("Late", {}, field("x", &Late::x)).value();
    CHECK(world_hash(other.world) != before);
}

TEST_CASE("[C2][Q7] what frames write to presentation data that is declared late counts in no hash") {
    Steps game;
    const std::uint64_t before = world_hash(game.world);
    game.schedule.at_step_end([&]() -> Result<void> {
        game.world
            .declare<Late>("Camera", {.kind = ComponentKind::resource, .presentation = true},
                           field("x", &Late::x))
            .value();
        return {};
    });
    game.step();
    CHECK(world_hash(game.world) == before);
    reinterpret_cast<Late*>(game.world.resources().data(game.world.id<Late>()))->x = 5;
    CHECK(world_hash(game.world) == before);
}

TEST_CASE("[C2] types count in the hash from their declaration on, also after a step whose end has thrown") {
    Steps game;
    game.schedule.on_error([](const SystemStatus&) { throw std::runtime_error("handler"); });
    game.add(game.desc("asks", [&](SystemContext&) -> Result<void> {
        game.schedule.at_step_end([]() -> Result<void> { return Error{"no"}; });
        return {};
    }));
    CHECK_THROWS_AS(game.step(), std::runtime_error);
    const std::uint64_t before = world_hash(game.world);
    game.world.declare<Late>("Late", {}, field("x", &Late::x)).value();
    CHECK(world_hash(game.world) != before);
}

TEST_CASE("[C2] a saved world with trees declared late loads where they are not declared yet") {
    World world;
    ComponentId plant;
    {
        const LateDeclarations late(world.store().registry());
        declare_tree(world);
        Schema schema;
        schema.name = "Plant";
        schema.fields = {blob_field("tree", FieldType::blob)};
        schema.fields[0].labels = {"Tree"};
        plant = world.declare(schema).value();
    }
    world.add(world.spawn(), plant);
    SECTION("no tree is built") {}
    SECTION("a tree has empty lists, as Lua builds them") {
        TreeRow row;
        row.value = 3;
        const BlobHandle tree = world.blobs().build_root(world.registry().find("Tree").value(), row).value();
        world.add(world.spawn(), plant, &tree);
    }
    World loaded;
    REQUIRE(world_from_bytes(loaded, world_to_bytes(world).value()).ok());
    CHECK(world_hash(loaded) == world_hash(world));
    for (const char* const name : {"Tree", "Tree.spans"}) {
        CAPTURE(name);
        const std::vector<Field>& saved = world.registry().info(*world.registry().find(name)).schema.fields;
        const std::vector<Field>& fields =
            loaded.registry().info(*loaded.registry().find(name)).schema.fields;
        REQUIRE(fields.size() == saved.size());
        for (std::size_t i = 0; i < saved.size(); ++i) CHECK(fields[i].is_list == saved[i].is_list);
    }
}

}  // namespace
}  // namespace perigee
