// Memory runs out in operations on several entities: subtrees of prefabs, trees, names, clones, and moves
// from world to world. Each command is tried with each of its requests failing, alone or with all after it.
// It is complete or has no effect, trees and names stay consistent, and it succeeds the next time.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/world_transfer.h"
#include "ecs/prefab/prefab_desc.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "tests/ecs/check_world.h"
#include "tests/support/agree.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Aim {
    Entity target;
};

template <typename T> PrefabComponent part(const World& world, const T& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    return {world.id<T>(), {bytes, bytes + sizeof value}};
}

// A ship with a turret with a barrel, and a flag without a name; and a variant of it.
std::vector<PrefabDesc> ships(const World& world) {
    PrefabDesc ship{"Ship", "", {{part(world, Position{1, 2}), {world.id<Aim>(), {}}}, {}, {}, {}}, {}};
    ship.values.references = {{world.id<Aim>(), "target", "turret/barrel"}};
    ship.children = {{"Turret", "turret", {{}, {{world.id<Position>(), "x", FieldValue{7.0}}}, {}, {}}},
                     {"Barrel", "", {}}};
    PrefabDesc turret{"Turret", "", {{part(world, Position{3, 4}), part(world, Team{2, 0})}, {}, {}, {}}, {}};
    turret.children = {{"Barrel", "barrel", {}}};
    PrefabDesc barrel{"Barrel", "", {{part(world, Position{5, 6})}, {}, {}, {}}, {}};
    PrefabDesc big{"Big", "Ship", {}, {}};
    big.values.components = {{world.id<Frozen>(), {}}};
    return {big, ship, turret, barrel};
}

void declare_types(World& world) {
    declare_test_components(world);
    declare_kind_components(world);
    world.declare<Aim>("Aim", field("target", &Aim::target)).value();
}

// Each world has a few rows of every archetype that occurs, so that the tests see rows move.
// Entities 0 … 9 are a tree: 0 over 1, 2, 3; 1 over 4, 5; 4 over 6; 7 over 8; 9 has no relatives. Entities 5
// and 8 have a cleanup component; 2, 4 and 9 have names.
struct Stage {
    explicit Stage(bool fresh) : is_fresh(fresh) {
        declare_types(world);
        declare_types(other);
        made.reserve(100);
        if (!is_fresh) settle();
    }
    void settle() {
        declare_hierarchy(world).value();
        declare_names(world).value();
        prefabs = add_prefabs(world, ships(world)).value();
        for (int i = 0; i < 10; ++i) {
            const auto x = static_cast<float>(i);
            entities.push_back(world.spawn(Position{x, 0}));
        }
        constexpr std::array<std::array<int, 2>, 7> kLinks{
            {{1, 0}, {2, 0}, {3, 0}, {4, 1}, {5, 1}, {6, 4}, {8, 7}}};
        for (const auto& [child, parent] : kLinks) set_parent(world, at(child), at(parent)).value();
        for (const int i : {5, 8}) REQUIRE(world.add(at(i), Voice{i}));
        set_name(world, at(2), "gun").value();
        set_name(world, at(4), "gun").value();
        set_name(world, at(9), "rock").value();
        REQUIRE(world.add(at(9), Layer{3}));
        REQUIRE(world.add(at(6), Aim{at(4)}));
        REQUIRE(world.add(at(4), Frozen{}));
    }
    Entity at(int number) const { return entities.at(static_cast<std::size_t>(number)); }
    template <typename T> const Query& having() {
        QueryDesc desc;
        desc.terms = {QueryTerm{world.id<T>()}};
        return *world.query(desc).value();
    }

    World world{tiny_chunks(3)};
    World other{tiny_chunks(3)};
    bool is_fresh = false;
    std::vector<PrefabId> prefabs;
    std::vector<Entity> entities;
    std::vector<Entity> made;
};

// ---- the visible state, and its consistency

std::vector<Entity> living(const World& world) {
    std::vector<Entity> all;
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            for (std::uint32_t row = 0; row < slot.row_count && !archetype.is_destroyed(); ++row)
                all.push_back(Archetype::entities(slot)[row]);
        }
    }
    return all;
}

void check_links(const World& world, Entity entity) {
    const Entity parent = parent_of(world, entity);
    const bool is_child = world.is_bound<Parent>() && world.has<Parent>(entity);
    AGREE(is_child == static_cast<bool>(parent));
    AGREE(depth_of(world, entity) == (parent ? depth_of(world, parent) + 1 : 0));
    if (parent) {
        AGREE(world.is_alive(parent));
        std::size_t found = 0;
        for (const Entity child : children(world, parent)) found += child == entity ? 1 : 0;
        AGREE(found == 1);
    }
    AGREE((child_count(world, entity) != 0) == (world.is_bound<Children>() && world.has<Children>(entity)));
    std::size_t count = 0;
    Entity previous;
    for (const Entity child : children(world, entity)) {
        AGREE(parent_of(world, child) == entity);
        AGREE(world.get<Parent>(child)->previous_sibling == previous);
        previous = child;
        ++count;
    }
    AGREE(count == child_count(world, entity));
    if (count != 0) AGREE(world.get<Children>(entity)->last == previous);
}

void check_all(const World& world) {
    check_world(world, 0);
    for (const Entity entity : living(world)) {
        check_links(world, entity);
        const std::string_view name = name_of(world, entity);
        if (name.empty()) continue;
        const Entity first = find_named(world, name);
        AGREE(name_of(world, first) == name);
        AGREE(first.index() <= entity.index());
    }
    for (const std::string_view name : {"gun", "rock", "turret", "barrel", "new"}) {
        const Entity found = find_named(world, name);
        AGREE((!found || (world.is_alive(found) && name_of(world, found) == name)));
    }
}

struct Seen {
    std::uint64_t hash;
    std::size_t count, used, other_count, prefabs, made;
    bool operator==(const Seen&) const = default;
};
Seen seen(const Stage& stage) {
    return {world_hash(stage.world),    stage.world.entity_count(),   stage.world.entities().used_count(),
            stage.other.entity_count(), stage.world.prefabs().size(), stage.made.size()};
}

// ---- the commands

struct Command {
    const char* name;
    std::function<bool(Stage&)> run;
    bool is_fresh = false;    ///< on a world without a tree, names and prefabs
    bool is_partial = false;  ///< reaches many, and may stop after some of them
};

Command making(const char* name, std::function<Entity(Stage&)> make) {
    return {name, [make = std::move(make)](Stage& stage) {
                const Entity made = make(stage);
                if (made) stage.made.push_back(made);
                return static_cast<bool>(made);
            }};
}

Command parenting(const char* name, int child, int parent) {
    return {
        name, [=](Stage& stage) {
            return set_parent(stage.world, stage.at(child), parent < 0 ? Entity{} : stage.at(parent)).ok();
        }};
}

Command naming(const char* name, int number, const char* text) {
    return {name, [=](Stage& stage) { return set_name(stage.world, stage.at(number), text).ok(); }};
}

Command destroying(const char* name, int number) {
    return {name, [=](Stage& stage) { return stage.world.destroy(stage.at(number)); }};
}

template <typename T> Command removing(const char* name, int number) {
    return {name, [=](Stage& stage) { return stage.world.remove<T>(stage.at(number)); }};
}

std::vector<Command> tree_commands() {
    return {
        parenting("a first child", 9, 3),
        parenting("a further child", 9, 1),
        parenting("from list to list", 3, 1),
        parenting("an only child moves", 8, 0),
        parenting("a whole branch comes higher", 4, 0),
        parenting("a whole branch comes lower", 1, 8),
        parenting("the root comes below another", 0, 9),
        parenting("a leaf is detached", 3, -1),
        parenting("an only child is detached", 6, -1),
        parenting("a branch is detached", 1, -1),
        destroying("a leaf dies", 3),
        destroying("an only child dies", 6),
        destroying("an only child is destroyed and awaits cleanup", 8),
        destroying("a branch is destroyed, one entity awaits cleanup", 1),
        destroying("the root dies", 0),
        removing<Parent>("Parent is removed", 1),
        removing<Children>("Children is removed", 1),
        removing<Parent>("the Parent of an only child is removed", 8),
        {"all of them die",
         [](Stage& stage) {
             const Query& all = stage.having<Position>();
             static_cast<void>(destroy_all(stage.world, all));
             return all.entity_count() == 0;
         },
         false, true},
        {"clear",
         [](Stage& stage) {
             stage.world.clear();
             return true;
         }},
        {"first use of the tree",
         [](Stage& stage) {
             while (stage.made.size() < 2) {
                 const Entity made = stage.world.spawn();
                 if (!made) return false;
                 stage.made.push_back(made);
             }
             return set_parent(stage.world, stage.made[0], stage.made[1]).ok();
         },
         true, true},
    };
}

std::vector<Command> name_commands() {
    return {
        naming("a name", 0, "new and long enough to need memory of its own"),
        naming("another name", 9, "new"),
        naming("a name that others have", 6, "gun"),
        naming("no name any more", 9, ""),
        removing<Name>("Name is removed", 4),
        destroying("a named one dies", 9),
        {"a name and more go at once",
         [](Stage& stage) {
             const std::array<ComponentId, 2> removed{stage.world.id<Name>(), stage.world.id<Layer>()};
             const ComponentValue added{stage.world.id<Velocity>()};
             return stage.world.change(stage.at(9), {&added, 1}, removed);
         }},
        {"all names are removed",
         [](Stage& stage) {
             const Query& named = stage.having<Name>();
             static_cast<void>(remove_all(stage.world, named, stage.world.id<Name>()));
             return named.entity_count() == 0;
         },
         false, true},
        {"first use of names",
         [](Stage& stage) {
             if (stage.made.empty()) {
                 const Entity made = stage.world.spawn();
                 if (!made) return false;
                 stage.made.push_back(made);
             }
             return set_name(stage.world, stage.made[0], "new").ok();
         },
         true, true},
    };
}

std::vector<Command> subtree_commands() {
    return {
        making("a subtree", [](Stage& stage) { return stage.world.spawn(stage.prefabs[1]); }),
        making("a variant", [](Stage& stage) { return stage.world.spawn(stage.prefabs[0]); }),
        {"subtrees in bulk",
         [](Stage& stage) {
             std::array<Entity, 5> made;
             const std::size_t wanted = 5 - stage.made.size();
             const std::size_t count = spawn_many(stage.world, stage.prefabs[1], wanted, {}, made.data());
             for (std::size_t i = 0; i < count; ++i) stage.made.push_back(made[i]);
             return stage.made.size() == 5;
         },
         false, true},
        {"a subtree with a reserved root",
         [](Stage& stage) {
             const Entity reserved = reserve_entity(stage.world);
             return reserved && place_reserved(stage.world, reserved, stage.prefabs[1]);
         }},
        making("a clone", [](Stage& stage) { return stage.world.clone(stage.at(4)); }),
        {"prefabs are added", [](Stage& stage) { return add_prefabs(stage.world, ships(stage.world)).ok(); },
         true, true},
    };
}

template <typename T> Command moving(const char* name) {
    return {name,
            [](Stage& stage) { return move_entities(stage.world, stage.having<T>(), stage.other).ok(); }};
}

std::vector<Command> transfer_commands() {
    return {moving<Frozen>("a branch goes to another world"), moving<Position>("all go to another world"),
            moving<Voice>("only children go to another world"), moving<Layer>("one with a name goes")};
}

// ---- running the commands

bool run_refused(const Command& command, Stage& stage, std::uint64_t first, std::uint64_t count) {
    const RefusedMemory refused(first, count);
    try {
        return command.run(stage);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void try_command(const Command& command, std::uint64_t count) {
    INFO(command.name);
    Stage whole(command.is_fresh);
    check_all(whole.world);
    REQUIRE(run_refused(command, whole, RefusedMemory::kNever, 1));
    const std::uint64_t requests = RefusedMemory::requests();
    check_all(whole.world);
    check_all(whole.other);
    const Seen after = seen(whole);
    for (std::uint64_t first = 0; first < requests; ++first) {
        INFO("request " << first << " of " << requests);
        Stage stage(command.is_fresh);
        const Seen before = seen(stage);
        const bool is_done = run_refused(command, stage, first, count);
        AGREE(RefusedMemory::was_refused());
        check_all(stage.world);
        check_all(stage.other);
        if (!is_done) AGREE(stage.world.prefabs().size() == before.prefabs);
        if (!is_done && !command.is_partial) {
            AGREE(seen(stage) == before);
            AGREE(stage.other.entities().used_count() == 0);
        }
        if (!is_done) AGREE(command.run(stage));
        check_all(stage.world);
        check_all(stage.other);
        Seen now = seen(stage);
        if (!is_done) now.hash = after.hash;  // ids of undone entities are not used again
        AGREE(now == after);
        stage.world.clear();
        check_all(stage.world);
        AGREE(find_named(stage.world, "gun") == Entity{});
    }
}

void try_all(const std::vector<Command>& commands) {
    for (const std::uint64_t count : {std::uint64_t{1}, RefusedMemory::kNever}) {
        for (const Command& command : commands) try_command(command, count);
    }
}

TEST_CASE("wherever memory runs out, a change to a tree is complete or has no effect") {
    try_all(tree_commands());
}

TEST_CASE("wherever memory runs out, a change to names is complete or has no effect") {
    try_all(name_commands());
}

TEST_CASE("wherever memory runs out, a prefab spawns with all its parts or not at all") {
    try_all(subtree_commands());
}

TEST_CASE("wherever memory runs out, entities move to another world all together or not at all") {
    try_all(transfer_commands());
}

}  // namespace
}  // namespace perigee
