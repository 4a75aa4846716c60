// Inheritance, variants, children and references between parts, one by one and in bulk, and every mistake.
#include "ecs/prefab/prefab_desc.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/world/bulk.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Aim {
    Entity target;
    Entity owner;
};

struct Game {
    explicit Game(const WorldConfig& config = {}) : world(config) {
        declare_test_components(world);
        world.declare<Aim>("Aim", field("target", &Aim::target), field("owner", &Aim::owner)).value();
    }
    template <typename T> PrefabComponent part(const T& value) const {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        return {world.id<T>(), {bytes, bytes + sizeof value}};
    }
    PrefabField number(ComponentId component, std::string name, double value) const {
        return {component, std::move(name), FieldValue{value}};
    }
    std::vector<PrefabId> add(std::vector<PrefabDesc> descs) { return add_prefabs(world, descs).value(); }
    std::string error(std::vector<PrefabDesc> descs) {
        const std::size_t before = world.prefabs().size();
        const Result<std::vector<PrefabId>> ids = add_prefabs(world, descs);
        CHECK(world.prefabs().size() == before);
        return ids ? "" : ids.error().message;
    }

    World world;
};

// A ship with a turret with a barrel, and a flag without a name.
std::vector<PrefabDesc> ships(const Game& game) {
    const World& world = game.world;
    PrefabDesc ship{"Ship", "", {{game.part(Position{1, 2}), game.part(Health{10, 10})}, {}, {}, {}}, {}};
    ship.values.components.push_back({world.id<Aim>(), {}});
    ship.values.references = {{world.id<Aim>(), "target", "turret/barrel"}};
    ship.children = {{"Turret", "turret", {{}, {game.number(world.id<Position>(), "x", 7)}, {}, {}}},
                     {"Barrel", "", {}}};
    PrefabDesc turret{"Turret", "", {{game.part(Position{3, 4}), {world.id<Aim>(), {}}}, {}, {}, {}}, {}};
    turret.values.references = {{world.id<Aim>(), "owner", ".."}, {world.id<Aim>(), "target", ""}};
    turret.children = {{"Barrel", "barrel", {}}};
    PrefabDesc barrel{"Barrel", "", {{game.part(Position{5, 6})}, {}, {}, {}}, {}};
    PrefabDesc big{"Big", "Ship", {{}, {game.number(world.id<Health>(), "max", 99)}, {}, {}}, {}};
    big.values.removed = {world.id<Position>()};
    big.values.components = {{world.id<Frozen>(), {}}};
    big.children = {{"", "turret", {{game.part(Velocity{1, 1})}, {}, {}, {}}}, {"Turret", "second", {}}};
    return {big, ship, turret, barrel};  // in the wrong order
}

void check_ship(const World& world, Entity ship) {
    REQUIRE(child_count(world, ship) == 2);
    const Entity turret = *children(world, ship).begin();
    const Entity flag = *++children(world, ship).begin();
    const Entity barrel = *children(world, turret).begin();
    CHECK(name_of(world, turret) == "turret");
    CHECK(name_of(world, flag).empty());
    CHECK(*world.get<Position>(turret) == Position{7, 4});
    CHECK(*world.get<Position>(flag) == Position{5, 6});
    CHECK(parent_of(world, barrel) == turret);
    CHECK(world.get<Parent>(flag)->previous_sibling == turret);
    CHECK(depth_of(world, barrel) == 2);
    CHECK(depth_of(world, flag) == 1);
    CHECK(world.get<Aim>(ship)->target == barrel);
    CHECK(!world.get<Aim>(ship)->owner);
    CHECK(world.get<Aim>(turret)->owner == ship);
    CHECK(world.get<Aim>(turret)->target == turret);
}

TEST_CASE("spawning a prefab with children spawns the subtree, and destroying its root destroys it") {
    Game game;
    const std::vector<PrefabId> ids = game.add(ships(game));
    const Entity ship = game.world.spawn(ids[1]);
    collect_texts(game.world);
    check_ship(game.world, ship);
    CHECK(find_named(game.world, "turret/barrel") ==
          *children(game.world, find_named(game.world, "turret")).begin());
    CHECK(game.world.entity_count() == 4);
    game.world.destroy(ship);
    CHECK(game.world.entity_count() == 0);
    CHECK(find_named(game.world, "turret") == Entity{});
}

TEST_CASE("a variant overrides fields, components and children, and leaves its base unchanged") {
    Game game;
    const std::vector<PrefabId> ids = game.add(ships(game));
    World& world = game.world;
    const Entity big = world.spawn(ids[0]);
    CHECK(*world.get<Health>(big) == Health{10, 99});
    CHECK(!world.has<Position>(big));
    CHECK(world.has<Frozen>(big));
    std::vector<std::string_view> names;
    for (const Entity child : children(world, big)) names.push_back(name_of(world, child));
    CHECK(names == std::vector<std::string_view>{"turret", "", "second"});
    const Entity turret = *children(world, big).begin();
    CHECK(*world.get<Velocity>(turret) == Velocity{1, 1});
    CHECK(*world.get<Position>(turret) == Position{7, 4});
    CHECK(world.get<Aim>(big)->target == *children(world, turret).begin());
    check_ship(world, world.spawn(ids[1]));
    // Inherits from a prefab that is already in the world.
    PrefabDesc huge{"Huge", "Big", {{}, {game.number(world.id<Health>(), "max", 500)}, {}, {}}, {}};
    huge.children = {{"", "second", {{}, {game.number(world.id<Position>(), "y", 8)}, {}, {}}}};
    const Entity made = world.spawn(game.add({huge})[0]);
    CHECK(world.get<Health>(made)->max == 500);
    CHECK(world.get<Aim>(made)->target == *children(world, *children(world, made).begin()).begin());
    Entity last;
    for (const Entity child : children(world, made)) last = child;
    CHECK(*world.get<Position>(last) == Position{3, 8});
}

TEST_CASE("spawning subtrees in bulk or by commands equals spawning them one by one") {
    Game game(tiny_chunks());
    const PrefabId id = game.add(ships(game))[1];
    World& world = game.world;
    std::vector<Entity> roots(50);
    CHECK(spawn_many(world, id, 50, {}, roots.data()) == 50);
    CommandBuffer commands(world);
    roots.push_back(commands.spawn(id));
    roots.push_back(commands.spawn(id));
    commands.spawn_many(id, 3);
    CHECK(commands.play_back().applied == 3);
    for (const Entity root : roots) check_ship(world, root);
    CHECK(world.entity_count() == 55 * 4);
    const auto fail = [](ChunkView&, std::uint32_t, std::uint32_t) { return false; };
    CHECK(spawn_many(world, id, 5, fail) == 0);
    CHECK(world.entity_count() == 55 * 4);
    world.clear();
    CHECK(world.entity_count() == 0);
}

TEST_CASE("spawning a prefab subtree without enough memory changes nothing") {
    WorldConfig config = tiny_chunks();
    config.reserved_chunk_bytes = 64 * 1024;
    Game game(config);
    const PrefabId id = game.add(ships(game))[1];
    std::size_t made = 0;
    while (game.world.spawn(id)) ++made;
    CHECK(made > 3);
    CHECK(game.world.entity_count() == made * 4);
    CHECK(spawn_many(game.world, id, 3) == 0);
    CHECK(game.world.entity_count() == made * 4);
}

TEST_CASE("add_prefabs reports all mistakes of all descriptions at once and adds nothing") {
    Game game;
    declare_kind_components(game.world);
    World& world = game.world;
    declare_hierarchy(world).value();
    const ComponentId position = world.id<Position>(), health = world.id<Health>();
    ComponentId cleanup;
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        if (world.registry().info(ComponentId{i}).kind() == ComponentKind::cleanup) cleanup = ComponentId{i};
    }
    game.add({{"Base", "", {{{position, {}}}, {}, {}, {}}, {}}});
    PrefabDesc bad{"Bad", "Bose", {}, {}};
    bad.values.components = {{position, {}},
                             {position, {}},
                             {cleanup, {}},
                             {world.id<Parent>(), {}},
                             {health, std::vector<std::byte>(3)}};
    bad.values.fields = {game.number(world.id<Velocity>(), "x", 1),
                         game.number(position, "z", 1),
                         {position, "x", FieldValue{std::string("far")}}};
    bad.values.removed = {world.id<Wide>()};
    bad.values.references = {{world.id<Aim>(), "target", ""}, {position, "x", ""}};
    bad.children = {{"", "nobody", {}}, {"Base", "a/b", {}}, {"Base", "twin", {}}, {"Base", "twin", {}}};
    PrefabDesc lost{"Lost", "", {{{world.id<Aim>(), {}}}, {}, {}, {}}, {}};
    lost.values.references = {{world.id<Aim>(), "target", "nowhere"}};
    const std::string message =
        game.error({bad, lost, {"Base", "", {}, {}}, {"A", "B", {}, {}}, {"B", "", {}, {{"A", "a", {}}}}});
    for (const char* part :
         {"prefab 'Base' exists already",
          "prefab 'Bad' builds on 'Bose', which is no prefab; did you mean 'Base'?",
          "prefab 'Bad' names 'Position' twice", "is a cleanup", "'Parent' is written by the engine",
          "a value of 'Health' has 8 bytes, got 3", "overridden component 'Velocity' is not there",
          "'Position' has no field 'z'", "component 'Position', field 'x': expected f32, got string",
          "removed component 'Wide' is not there", "referring component 'Aim' is not there",
          "'Position' has no field 'x' of type entity", "which has none named 'nobody'", "'a/b'",
          "has a child named 'twin' already", "field 'target': there is no part 'nowhere'",
          "build on themselves: A -> B -> A"}) {
        CHECK_THAT(message, Contains(part));
    }
}

TEST_CASE("a prefab with more parts than the limit is refused") {
    Game game;
    std::vector<PrefabDesc> descs{{"P0", "", {}, {}}};
    for (int i = 1; i < 14; ++i) {
        const std::string before = "P" + std::to_string(i - 1);
        descs.push_back({"P" + std::to_string(i), "", {}, {{before, "", {}}, {before, "", {}}}});
    }
    CHECK_THAT(game.error(descs), Contains("prefab 'P12' has more than 4096 parts"));
}

}  // namespace
}  // namespace perigee
