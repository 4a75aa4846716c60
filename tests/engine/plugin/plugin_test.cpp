// Plugins that use everything, and broken plugins. They are built from tests/plugins/.
#include "engine/plugin/plugin.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "engine/plugin/plugin_abi.h"
#include "tests/engine/game_folder.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

using namespace perigee;
using Catch::Contains;

namespace {

std::string plugin_file(const std::string& name) { return PERIGEE_BINARY_DIR "/plugins/" + name + ".so"; }

struct Order {
    Entity subject;
    std::uint64_t answer = 0;
    std::uint32_t number = 0;
};

struct Kitchen {
    bool flag = false;
    std::array<std::uint8_t, 3> small{};
    Entity entity;
    Vec3 direction;
    Color color;
    std::array<char, 8> label{};
    Quat turn;
    Mat4 place;
};

// The world that all_calls expects, with the plugin in it.
struct Stage {
    explicit Stage(std::uint32_t workers = 0) : pool(workers) {
        declare_test_components(world);
        declare_kind_components(world);
        Prefab mover;
        mover.name = "mover";
        mover.components = {{world.id<Position>(), {}}, {world.id<Velocity>(), {}}};
        add_prefab(world, std::move(mover)).value();
        schedule.use_workers(&pool);
        schedule.on_error(
            [this](const SystemStatus& status) { errors += status.name + ": " + status.error; });
    }

    void load(const std::string& name) {
        plugin = Plugin::load(plugin_file(name), world, schedule, sink()).value();
    }
    LogSink sink() {
        return [this](const LogEntry& entry) {
            log += std::string(entry.mod) + ": " + std::string(entry.text) + "\n";
        };
    }
    std::string refusal(const std::string& name) {
        return Plugin::load(plugin_file(name), world, schedule, sink()).error().message;
    }
    void step() {
        for (const std::string_view group : {kInitialization, kSimulation})
            schedule.run_group(group, time).value();
        ++time.tick;
    }

    // Lets all:obey do something, and says what came of it.
    std::uint64_t obey(std::uint32_t number, Entity subject = {}) {
        world
            .bind<Order>("Order", field("subject", &Order::subject), field("answer", &Order::answer),
                         field("number", &Order::number))
            .value();
        world.resource<Order>() = {subject, 0, number};
        errors.clear();
        schedule.resume(*schedule.find("all:obey"));
        step();
        return world.resource<Order>().answer;
    }

    World world{tiny_chunks(8)};
    WorkerPool pool;
    Schedule schedule{world, 3};
    TickTime time;
    std::string log, errors;
    std::unique_ptr<Plugin> plugin;
};

}  // namespace

TEST_CASE("a plugin's system is created, started, stopped and destroyed, and then the plugin is unloaded") {
    Stage stage;
    stage.load("plugin_all_calls");
    CHECK(stage.plugin->name() == "plugin_all_calls");
    CHECK(stage.plugin->version() == "2.5");
    CHECK(stage.log == "plugin_all_calls: created\n");
    CHECK(stage.world.entity_count() == 1);  // by on_create
    stage.time.dt = 0.25;
    stage.step();
    CHECK(stage.schedule.status(*stage.schedule.find("all:live")).run_count == 0);
    stage.step();
    CHECK(stage.schedule.status(*stage.schedule.find("all:live")).run_count == 1);
    const auto said = [&](const std::string& what) {
        return stage.log == "plugin_all_calls: created\n" + what;
    };
    CHECK(said("plugin_all_calls: started\n"));
    stage.schedule.set_enabled(*stage.schedule.find("all:live"), false);
    CHECK(said("plugin_all_calls: started\nplugin_all_calls: stopped\n"));
    stage.plugin.reset();
    CHECK(
        said("plugin_all_calls: started\nplugin_all_calls: stopped\nplugin_all_calls: destroyed\n"
             "plugin_all_calls: unloaded\n"));
    CHECK(stage.schedule.system_count() == 0);
    stage.step();
}

TEST_CASE("a chunk function of a plugin sees columns, enabled bits, shared values and absent components") {
    Stage stage;
    stage.load("plugin_all_calls");
    stage.schedule.set_enabled(*stage.schedule.find("all:breed"), false);
    World& world = stage.world;
    const Entity plain = world.spawn(Position{1, 1}, Shield{});
    const Entity off = world.spawn(Position{1, 1}, Shield{});
    const Entity moving = world.spawn(Position{1, 1}, Shield{}, Velocity{0, 60});
    const Entity team = world.spawn(Position{1, 1}, Shield{}, Team{5, 0});
    const Entity frozen = world.spawn(Position{1, 1}, Shield{}, Frozen{});
    const Entity bare = world.spawn(Position{1, 1});
    world.set_enabled(off, world.id<Shield>(), false);
    stage.step();
    CHECK(stage.errors.empty());
    CHECK(*world.get<Position>(plain) == Position{2, 1});
    CHECK(*world.get<Position>(off) == Position{1, 1});
    CHECK(*world.get<Position>(moving) == Position{2, 2});
    CHECK(*world.get<Position>(team) == Position{6, 1});
    CHECK(*world.get<Position>(frozen) == Position{1, 1});
    CHECK(*world.get<Position>(bare) == Position{1, 1});
}

TEST_CASE("a plugin's types have the layout of its structs") {
    Stage stage;
    stage.load("plugin_all_calls");
    CHECK(stage.world
              .bind<Kitchen>("Kitchen", field("flag", &Kitchen::flag), field("small", &Kitchen::small),
                             field("entity", &Kitchen::entity), field("direction", &Kitchen::direction),
                             field("color", &Kitchen::color), field("label", &Kitchen::label),
                             field("turn", &Kitchen::turn), field("place", &Kitchen::place))
              .ok());
    CHECK(stage.world.registry().info(*stage.world.registry().find("Order")).kind() ==
          ComponentKind::resource);
    // The same types again: for a game that starts again in the same world, or a second plugin.
    stage.plugin.reset();
    stage.load("plugin_all_calls");
}

TEST_CASE("a parallel system of a plugin spawns the same entities with any number of workers") {
    std::vector<std::uint64_t> hashes;
    for (const std::uint32_t workers : {0u, 1u, 2u, 7u}) {
        Stage stage(workers);
        stage.load("plugin_all_calls");
        for (int i = 0; i < 60'000; ++i) {
            const Position place{static_cast<float>(i), 0};
            i % 3 == 0 ? stage.world.spawn(place, Velocity{}) : stage.world.spawn(place);
        }
        stage.step();
        CHECK(stage.errors.empty());
        CHECK(stage.world.entity_count() == 2 * 60'001);
        hashes.push_back(world_hash(stage.world));
    }
    CHECK(hashes == std::vector<std::uint64_t>(4, hashes[0]));
}

TEST_CASE("a parallel system that fails in several chunks reports the first one and drops its commands") {
    for (const std::uint32_t workers : {0u, 3u}) {
        Stage stage(workers);
        stage.load("plugin_all_calls");
        for (int i = 0; i < 60'000; ++i) stage.world.spawn(Position{i % 10'000 == 9'999 ? -1.0f : 1.0f, 0});
        stage.step();
        CHECK(stage.errors == "all:breed: a negative place");
        CHECK(stage.world.entity_count() == 60'001);
    }
}

TEST_CASE("a plugin uses commands, look-ups and random numbers") {
    Stage stage;
    stage.load("plugin_all_calls");
    stage.schedule.set_enabled(*stage.schedule.find("all:breed"), false);
    stage.schedule.set_enabled(*stage.schedule.find("all:visit"), false);
    World& world = stage.world;
    const Entity spawned{stage.obey(1)};
    CHECK(world.is_alive(spawned));
    const Entity mover{stage.obey(2)};
    CHECK(world.has<Velocity>(mover));
    stage.obey(4, spawned);
    CHECK(*world.get<Position>(spawned) == Position{1, 2});
    stage.obey(5, spawned);
    CHECK_FALSE(world.has<Position>(spawned));
    stage.obey(6, mover);
    CHECK(*world.get<Position>(mover) == Position{1, 2});
    world.add<Shield>(mover);
    stage.obey(7, mover);
    CHECK_FALSE(world.is_enabled(mover, world.id<Shield>()));
    CHECK(stage.obey(8) != stage.obey(8));
    CHECK(stage.obey(9, mover) == 1);
    CHECK(stage.obey(10, spawned) == 1000);
    world.edit<Velocity>(mover)->y = 12;
    CHECK(stage.obey(10, mover) == 12);
    const std::uint64_t tick = stage.time.tick;
    CHECK(stage.obey(11) == tick);
    stage.obey(3, mover);
    CHECK_FALSE(world.is_alive(mover));
    CHECK(stage.obey(9, mover) == 0);
    CHECK(stage.errors.empty());
}

TEST_CASE("an error in a plugin's system suspends it, with the reason") {
    Stage stage;
    stage.load("plugin_all_calls");
    const Entity entity = stage.world.spawn(Position{1, 1});
    const auto error_of = [&](std::uint32_t number) {
        stage.obey(number, entity);
        return stage.errors;
    };
    CHECK(error_of(101) == "all:obey: there is no prefab 'nobody'");
    CHECK(error_of(102) == "all:obey: it uses 'Secret', which it did not declare");
    CHECK(error_of(103) == "all:obey: there is no component type 54321");
    CHECK(error_of(104) == "all:obey: there is no component type 54321");
    CHECK(error_of(105) == "all:obey: set needs a value");
    CHECK(error_of(106) == "all:obey: commands of plugins cannot do this to 'Order', of kind resource");
    CHECK(error_of(107) == "all:obey: no reason at all");
    CHECK(error_of(108) == "all:obey: it returned 3 and gave no reason");
    CHECK_THAT(error_of(109), Contains("no reason"));
    CHECK_THAT(
        stage.log,
        Contains("plugin_all_calls: declare can be called only in perigee_plugin; the call was ignored"));
}

TEST_CASE("a plugin sends and reads events, each once") {
    Stage stage;
    stage.load("plugin_all_calls");
    CHECK(stage.obey(13) == 0);
    stage.obey(12);
    stage.obey(20);
    CHECK(stage.obey(13) == 1000);  // those before were read with the runs that sent the next
    stage.obey(12);
    CHECK(stage.obey(13) == 1042);
    CHECK(stage.obey(13) == 0);
    const ComponentId ping = *stage.world.registry().find("Ping");
    CHECK(stage.world.registry().info(ping).kind() == ComponentKind::event);
    CHECK(stage.errors.empty());
}

TEST_CASE("a plugin reads, fills and changes buffers, directly and by command") {
    Stage stage;
    stage.load("plugin_all_calls");
    World& world = stage.world;
    const ComponentId marks = *world.registry().find("Marks");
    const Entity entity = world.spawn();
    CHECK(stage.obey(17, entity) == 0);  // it has none
    CHECK(stage.obey(16, entity) == 0);
    CHECK(stage.obey(14, entity) == PERIGEE_FAILED);
    CHECK(stage.obey(15, entity) == PERIGEE_FAILED);
    stage.obey(18, entity);
    REQUIRE(world.has(entity, marks));
    CHECK(stage.obey(17, entity) == 6);
    CHECK(stage.obey(14, entity) == PERIGEE_OK);
    CHECK(stage.obey(17, entity) == 48);
    CHECK(stage.obey(15, entity) == PERIGEE_OK);
    CHECK(stage.obey(16, entity) == 5);
    CHECK(stage.obey(17, entity) == 53);
    for (int i = 0; i < 20; ++i) CHECK(stage.obey(14, entity) == PERIGEE_OK);  // beyond the chunk
    CHECK(world.buffer(entity, marks).length() == 25);
    stage.obey(19, entity);
    CHECK(world.buffer(entity, marks).length() == 4);
    CHECK(stage.obey(17, entity) == 0);
    CHECK(stage.errors.empty());
}

TEST_CASE("an error with events or buffers suspends a plugin's system, with the reason") {
    Stage stage;
    stage.load("plugin_all_calls");
    const Entity entity = stage.world.spawn(Velocity{});
    const auto error_of = [&](std::uint32_t number) {
        stage.obey(number, entity);
        return stage.errors;
    };
    CHECK(error_of(110) == "all:obey: 'Order' is of kind resource; expected event");
    CHECK(error_of(111) == "all:obey: it uses 'Velocity', which it did not declare");
    CHECK(error_of(112) == "all:obey: 'Velocity' is of kind component; expected buffer");
    CHECK(error_of(113) == "all:obey: 'Position' is of kind component; expected buffer");
    CHECK(error_of(114) == "all:obey: commands of plugins cannot do this to 'Order', of kind resource");
    CHECK(error_of(115) == "all:obey: it uses 'Secret', which it did not declare");
    CHECK(error_of(116) == "all:obey: there is no memory for 4000000000 elements of 'Marks'");
    stage.world.spawn(Position{-7, 0});
    stage.obey(0);
    CHECK(stage.errors == "all:breed: a parallel chunk cannot send events; send them from run");
}

TEST_CASE("a plugin's group orders its systems, and stays for the next load") {
    Stage stage;
    stage.load("plugin_all_calls");
    const SystemId group = *stage.schedule.find("all:orders");
    CHECK(stage.schedule.status(group).is_group);
    CHECK(stage.schedule.status(*stage.schedule.find("all:obey")).group == "all:orders");
    stage.plugin.reset();
    stage.load("plugin_all_calls");
    CHECK(stage.schedule.find("all:orders") == group);
}

TEST_CASE("a plugin for the first version of the interface still works, and sees that version") {
    Stage stage;
    stage.load("plugin_version_one");
    for (int i = 0; i < 3; ++i) stage.step();
    CHECK(stage.errors.empty());
    const ComponentId counter = *stage.world.registry().find("OldCount");
    CHECK(*reinterpret_cast<const std::uint32_t*>(stage.world.resources().data(counter)) == 3);
}

TEST_CASE("a plugin in C++ works like one in C") {
    Stage stage;
    stage.load("plugin_counting");
    for (int i = 0; i < 3; ++i) stage.step();
    const ComponentId counter = *stage.world.registry().find("Counter");
    CHECK(*reinterpret_cast<const std::uint32_t*>(stage.world.resources().data(counter)) == 3);
}

TEST_CASE("a plugin for another interface is refused before any of its code runs") {
    Stage stage;
    CHECK(stage.refusal("plugin_other_abi") ==
          "plugin '" + plugin_file("plugin_other_abi") +
              "': it was built for plugin interface 4711, and this program has 4; build it again with this "
              "program's engine/plugin/plugin_abi.h");
}

TEST_CASE("a file that is not a plugin is refused by name") {
    Stage stage;
    CHECK(stage.refusal("nowhere") == "plugin '" + plugin_file("nowhere") + "': it does not exist");
    CHECK(stage.refusal("plugin_no_entry") == "plugin '" + plugin_file("plugin_no_entry") +
                                                  "': not a Perigee plugin: it exports no "
                                                  "'perigee_plugin_abi', which PERIGEE_PLUGIN defines");
    const test::TemporaryFolder folder;
    folder.write("text.so", "not a shared object");
    const std::string file = (folder.path() / "text.so").string();
    CHECK_THAT(Plugin::load(file, stage.world, stage.schedule, {}).error().message,
               Contains("plugin '" + file + "': cannot be loaded: ") && Contains("file too short"));
}

TEST_CASE("a plugin that fails to load leaves no system behind") {
    Stage stage;
    CHECK_THAT(stage.refusal("plugin_refuses"), Contains("': it returned 7 and gave no reason"));
    CHECK(stage.schedule.system_count() == 0);
}

TEST_CASE("a plugin that ignores its errors is refused with all of them") {
    Stage stage;
    SystemDesc taken;
    taken.name = "taken";
    taken.run = [](SystemContext&) -> Result<void> { return {}; };
    stage.schedule.add(std::move(taken)).value();
    const std::string message = stage.refusal("plugin_mistaken");
    INFO(message);
    for (const char* part : {"plugin_mistaken.so': a type without a name",
                             "type 'Odd': there is no kind 17",
                             "type 'Hollow': it has fields, but 'fields' is null",
                             "type 'Strange', field 0: expected a name and a field type, got type 99",
                             "Position",
                             "Missing",
                             "a system without a name",
                             "system 'idle': neither run nor run_chunk is set",
                             "'greedy': expected at most 32 terms, got 33, or 'terms' is null",
                             "'lost': a term names component type 12345, which does not exist",
                             "'odd': there is no access 77",
                             "system 'blind': run_chunk needs a term that selects rows",
                             "system 'late': a name in before or after is null",
                             "'taken'",
                             "nowhere",
                             "a group without a name",
                             "system 'hasty': a name in before or after is null",
                             "elsewhere",
                             "not in this weather",
                             "a job without a name",
                             "job 'lazy' has nothing to run",
                             "'forlorn': a term names"})
        CHECK_THAT(message, Contains(part));
    CHECK(stage.schedule.system_count() == 1);
}

// ---- as part of a game ------------------------------------------------------------------------------------

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\n"
    "ecs.component('Velocity', { { 'x', 'f32' }, { 'y', 'f32' } })\n";
constexpr char kMain[] =
    "local ecs = require 'ecs'\n"
    "ecs.world:spawn(ecs.components.Velocity)\n"
    "ecs.system('look', { query = { read = { ecs.components.Velocity } }, run = function(chunk)\n"
    "  print(chunk.Velocity.x[1] > 0 and 'blown' or 'still')\n"
    "end })\n";

}  // namespace

TEST_CASE("a plugin that the user names is loaded with the game, and again at a restart") {
    test::GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.plugins = {plugin_file("wind")};
    const auto engine = test::GameFolder::play(config);
    INFO(game.log);
    CHECK(engine->has_loaded());
    test::run(*engine, 3);
    CHECK_THAT(game.log, Contains("blown"));
    const std::uint64_t hash = engine->hash();
    engine->restart();
    test::run(*engine, 3);
    CHECK(engine->hash() == hash);
    CHECK(engine->error_count() == 0);
}

TEST_CASE("the trail plugin fills the game's buffers, and scripts read its events") {
    test::GameFolder game{
        "local ecs = require 'ecs'\n"
        "local C = ecs.components\n"
        "for i = 1, 3 do ecs.world:spawn(C.Position { y = i }, C.Trail) end\n"
        "ecs.system('move', { before = 'trail', query = { write = { C.Position } }, run = function(chunk)\n"
        "  for i = 1, chunk.count do chunk.Position.x[i] = chunk.Position.x[i] + 4 * i end\n"
        "end })\n"
        "ecs.on(C.Milestone, {}, function(events)\n"
        "  for i = 1, events.count do print('far: ' .. events.distance[i]) end\n"
        "end)\n"
        "ecs.system('look', { after = 'trail', query = { read = { C.Trail, C.Position } }, run = "
        "function(chunk)\n"
        "  for i = 1, chunk.count do\n"
        "    local trail = chunk.Trail[i]\n"
        "    assert(trail.count >= 1 and trail.count <= 32)\n"
        "    assert(trail.x[trail.count] == chunk.Position.x[i])\n"
        "  end\n"
        "end })\n",
        "local ecs = require 'ecs'\n"
        "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
        "ecs.component('Trail', { kind = 'buffer', capacity = 4, { 'x', 'f32' }, { 'y', 'f32' } })\n"};
    EngineConfig config = game.config();
    config.plugins = {plugin_file("trail")};
    const auto engine = test::GameFolder::play(config);
    INFO(game.log);
    REQUIRE(engine->has_loaded());
    test::run(*engine, 40);
    CHECK(engine->error_count() == 0);
    CHECK_THAT(game.log, Contains("far: 124") && Contains("far: 248") && Contains("far: 372"));
}

TEST_CASE("a game's own plugin loads only with the user's permission") {
    test::GameFolder game{kMain, kSchema};
    game.write("mod.json", R"({"native": ["plugins/wind.so"]})");
    std::filesystem::create_directories(game.path() / "plugins");
    std::filesystem::copy_file(plugin_file("wind"), game.path() / "plugins/wind.so");
    const auto refused = game.play();
    CHECK_FALSE(refused->has_loaded());
    CHECK_THAT(game.log, Contains("mod.json: 'native': 'plugins/wind.so' is machine code") &&
                             Contains("--allow-native"));
    game.log.clear();
    EngineConfig config = game.config();
    config.allows_native_code = true;
    const auto engine = test::GameFolder::play(config);
    CHECK(engine->has_loaded());
    test::run(*engine, 3);
    CHECK_THAT(game.log, Contains("blown"));

    game.write("mod.json", R"({"native": ["../wind.so"]})");
    CHECK_FALSE(test::GameFolder::play(config)->has_loaded());
    CHECK_THAT(game.log, Contains("mod.json: 'native': the path '../wind.so' contains '.' or '..'"));
}

TEST_CASE("a game continues without a broken plugin and reports what is wrong with it") {
    test::GameFolder game{kMain, kSchema};
    EngineConfig config = game.config();
    config.plugins = {plugin_file("plugin_other_abi")};
    const auto engine = test::GameFolder::play(config);
    CHECK_FALSE(engine->has_loaded());
    CHECK(engine->error_count() == 1);
    CHECK_THAT(game.log, Contains("it was built for plugin interface 4711, and this program has 4"));
    test::run(*engine, 3);
}
