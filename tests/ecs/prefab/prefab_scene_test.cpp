// Scenes create all described entities in order, with references among them, or nothing.
#include "ecs/prefab/prefab_scene.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <functional>
#include <random>
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
        declare_kind_components(world);
        world.declare<Aim>("Aim", field("target", &Aim::target), field("owner", &Aim::owner)).value();
    }
    template <typename T> PrefabComponent part(const T& value) const {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        return {world.id<T>(), {bytes, bytes + sizeof value}};
    }
    PrefabChild entity(std::string name, std::vector<PrefabComponent> components) const {
        PrefabChild child;
        child.name = std::move(name);
        child.may_be_new = true;
        child.values.components = std::move(components);
        return child;
    }
    PrefabReference aim(std::string field, std::string part) const {
        return {world.id<Aim>(), std::move(field), std::move(part)};
    }
    // The mistakes of the scene; checks that nothing changed.
    // Ids that were issued and released have other generations, which are part of the hash.
    std::vector<std::string> mistakes(const SceneDesc& scene, bool only_check = false, bool has_room = true) {
        const std::uint64_t hash = world_hash(world);
        const std::size_t entities = world.entity_count(), prefabs = world.prefabs().size();
        const SceneResult made = add_scene(world, scene, only_check);
        std::vector<std::string> reported;
        for (const PrefabMistake& mistake : made.mistakes)
            reported.push_back(std::to_string(mistake.place) + " " + mistake.message);
        if (!reported.empty() || only_check) {
            CHECK(made.entities.empty());
            CHECK(made.prefabs.empty());
            CHECK(made.targets.empty());
            CHECK((world_hash(world) == hash) == has_room);
            CHECK(world.entity_count() == entities);
            CHECK(world.prefabs().size() == prefabs);
        }
        return reported;
    }
    World world;
};

// A ship of a prefab of the scene with a turret, and an eye that looks at the turret.
SceneDesc harbour(const Game& game) {
    SceneDesc scene;
    PrefabDesc ship{"Ship", "", {{game.part(Position{1, 2}), {game.world.id<Aim>(), {}}}, {}, {}, {}}, {}};
    ship.children = {game.entity("turret", {game.part(Position{3, 4})})};
    ship.values.references = {game.aim("target", "turret")};
    scene.prefabs = {ship};
    PrefabChild boss = game.entity("boss", {game.part(Health{5, 9})});
    boss.prefab = "Ship";
    boss.children = {game.entity("flag", {{game.world.id<Aim>(), {}}})};
    boss.children[0].values.references = {game.aim("owner", ".."), game.aim("target", "/eye")};
    PrefabChild eye = game.entity("eye", {game.part(Aim{})});
    eye.values.references = {game.aim("target", "/boss/turret"), game.aim("owner", "")};
    scene.entities = {boss, eye, game.entity("", {{game.world.id<Frozen>(), {}}})};
    scene.paths = {{"boss/flag"}, {"eye"}};
    return scene;
}

TEST_CASE("a scene creates its entities in order, with names, children and references") {
    Game game(tiny_chunks());
    World& world = game.world;
    const SceneResult made = add_scene(world, harbour(game));
    REQUIRE(made.mistakes.empty());
    REQUIRE(made.entities.size() == 3);
    CHECK(made.entity_count == 5);
    CHECK(world.entity_count() == 5);
    const auto [boss, eye, plain] = std::tuple(made.entities[0], made.entities[1], made.entities[2]);
    CHECK(name_of(world, boss) == "boss");
    CHECK(name_of(world, plain).empty());
    CHECK(world.has<Frozen>(plain));
    const Entity turret = find_named(world, "boss/turret"), flag = find_named(world, "boss/flag");
    REQUIRE((turret && flag));
    CHECK(*world.get<Position>(boss) == Position{1, 2});
    CHECK(*world.get<Health>(boss) == Health{5, 9});
    CHECK(world.get<Aim>(boss)->target == turret);
    CHECK(world.get<Aim>(eye)->target == turret);
    CHECK(world.get<Aim>(eye)->owner == eye);
    CHECK(world.get<Aim>(flag)->owner == boss);
    CHECK(world.get<Aim>(flag)->target == eye);
    CHECK(made.targets == std::vector<Entity>{flag, eye});
    REQUIRE(made.prefabs.size() == 1);
    CHECK(world.prefabs().find("Ship") == made.prefabs[0]);
    const Entity second = world.spawn(made.prefabs[0]);
    CHECK(world.get<Aim>(second)->target != turret);
    CHECK(parent_of(world, world.get<Aim>(second)->target) == second);
}

TEST_CASE(
    "the value of a chunk component is in chunks that begin with the scene, also of named parents [K7]") {
    Game game;
    World& world = game.world;
    const Entity before = world.spawn(Bounds{1, 2});
    SceneDesc scene;
    scene.entities = {game.entity("cell", {game.part(Bounds{5, 6})}),
                      game.entity("", {game.part(Bounds{7, 8})})};
    scene.entities[0].children = {game.entity("part", {game.part(Bounds{3, 4})})};
    const SceneResult made = add_scene(world, scene);
    REQUIRE(made.entities.size() == 2);
    CHECK(*world.get<Bounds>(find_named(world, "cell")) == Bounds{5, 6});
    CHECK(*world.get<Bounds>(find_named(world, "cell/part")) == Bounds{3, 4});
    CHECK(*world.get<Bounds>(made.entities[1]) == Bounds{1, 2});  // it came into an existing chunk
    CHECK(*world.get<Bounds>(before) == Bounds{1, 2});
}

TEST_CASE("adding a scene twice creates new entities, but its prefabs can be added only once") {
    Game game;
    SceneDesc scene = harbour(game);
    const SceneResult first = add_scene(game.world, scene);
    REQUIRE(first.mistakes.empty());
    CHECK(game.mistakes(scene) == std::vector<std::string>{"0 prefab 'Ship' exists already"});
    scene.prefabs.clear();  // the prefabs of the world are used instead
    const SceneResult second = add_scene(game.world, scene);
    REQUIRE(second.mistakes.empty());
    CHECK(game.world.entity_count() == 10);
    CHECK(game.world.get<Aim>(second.entities[1])->target != game.world.get<Aim>(first.entities[1])->target);
    CHECK(parent_of(game.world, game.world.get<Aim>(second.entities[1])->target) == second.entities[0]);
}

TEST_CASE("an empty scene is valid and creates nothing") {
    Game game;
    const SceneResult made = add_scene(game.world, {});
    CHECK(made.mistakes.empty());
    CHECK(made.entities.empty());
    CHECK(made.entity_count == 0);
    CHECK(game.world.entity_count() == 0);
}

TEST_CASE("all mistakes of a scene are reported with their places, and nothing is created") {
    Game game;
    SceneDesc scene = harbour(game);
    scene.entities[0].prefab = "Shop";
    scene.entities[0].place = 7;
    scene.entities[1].values.references[0].part = "/boss/gun";
    scene.entities[1].place = 8;  // the place of its references too
    scene.entities[1].values.references[1].part = "../..";
    scene.paths = {{"boss/flagg", 10}, {"", 11}};
    for (const bool only_check : {true, false}) {
        std::string all;
        for (const std::string& mistake : game.mistakes(scene, only_check)) all += mistake + "\n";
        INFO(all);
        CHECK_THAT(all, Contains("7 ") && Contains("'Shop', which is no prefab; did you mean 'Ship'?"));
        CHECK_THAT(all, Contains("8 ") && Contains("field 'target': there is no part '/boss/gun'"));
        CHECK_THAT(all, Contains("8 ") && Contains("there is no part '../..'"));
        CHECK_THAT(all, Contains("10 ") && Contains("there is no part 'boss/flagg'"));
        CHECK_THAT(all, Contains("11 ") && Contains("there is no part ''"));
    }
    CHECK(game.mistakes(harbour(game), true).empty());
    CHECK(game.world.entity_count() == 0);
}

TEST_CASE("a scene without enough room in the world creates nothing") {
    for (std::uint32_t room = 1; room < 6; ++room) {
        WorldConfig config = tiny_chunks();
        config.max_entities = room;
        Game game(config);
        const std::vector<std::string> reported = game.mistakes(harbour(game), false, false);
        if (reported.empty()) {
            CHECK(room >= 5);
            CHECK(game.world.entity_count() == 5);
            continue;
        }
        CHECK(reported == std::vector<std::string>{
                              "0 the world has no room for all entities of the scene, so none was made"});
        CHECK(find_named(game.world, "boss") == Entity{});
        CHECK(game.world.prefabs().size() == 0);
        for (std::uint32_t i = 0; i < room; ++i) CHECK(game.world.spawn());  // all ids came back
    }
}

TEST_CASE("references by path between random trees point to the right entities") {
    std::mt19937 random{11};
    for (int round = 0; round < 50; ++round) {
        Game game(tiny_chunks(3));
        SceneDesc scene;
        std::vector<std::string> paths;  // from the scene on
        const auto name_at = [](std::size_t i) { return "e" + std::to_string(i); };
        const std::function<PrefabChild(const std::string&, int)> grow = [&](const std::string& above,
                                                                             int depth) {
            const std::string name = name_at(paths.size());
            const std::string path = above.empty() ? name : above + "/" + name;
            paths.push_back(path);
            PrefabChild child = game.entity(name, {{game.world.id<Aim>(), {}}});
            const std::size_t count = depth == 0 ? 0 : random() % 4;
            for (std::size_t i = 0; i < count; ++i) child.children.push_back(grow(path, depth - 1));
            return child;
        };
        for (std::size_t i = 0, count = 1 + random() % 4; i < count; ++i)
            scene.entities.push_back(grow("", 3));
        std::vector<std::size_t> aims;  // by entity, in the order of the paths
        const std::function<void(PrefabChild&)> aim = [&](PrefabChild& child) {
            const std::size_t target = random() % paths.size();
            aims.push_back(target);
            child.values.references = {game.aim("target", "/" + paths[target]), game.aim("owner", "")};
            for (PrefabChild& below : child.children) aim(below);
        };
        for (PrefabChild& child : scene.entities) aim(child);
        for (const std::string& path : paths) scene.paths.push_back({path});
        const SceneResult made = add_scene(game.world, scene);
        REQUIRE(made.mistakes.empty());
        REQUIRE(made.entity_count == paths.size());
        REQUIRE(made.targets.size() == paths.size());
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const Entity entity = find_named(game.world, paths[i]);
            REQUIRE(entity == made.targets[i]);
            CHECK(game.world.get<Aim>(entity)->owner == entity);
            CHECK(game.world.get<Aim>(entity)->target == made.targets[aims[i]]);
        }
    }
}

}  // namespace
}  // namespace perigee
