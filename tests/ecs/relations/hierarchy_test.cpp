// Parents and children agree with a naive tree of maps, in deep and wide trees; errors of set_parent.
#include "ecs/relations/hierarchy.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/relations/names.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/bulk.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

std::vector<Entity> listed(const World& world, Entity parent) {
    std::vector<Entity> all;
    for (const Entity child : children(world, parent)) all.push_back(child);
    return all;
}

// REQUIRE, for millions of comparisons.
#define AGREE(condition)                    \
    do {                                    \
        if (!(condition)) FAIL(#condition); \
    } while (false)

// A naive model of the tree.
struct Tree {
    std::set<Entity> alive;
    std::map<Entity, Entity> parent;
    std::map<Entity, std::vector<Entity>> children;

    void detach(Entity child) {
        if (parent.count(child) == 0) return;
        std::erase(children[parent[child]], child);
        parent.erase(child);
    }
    void attach(Entity child, Entity to) {
        if (parent.count(child) != 0 && parent[child] == to) return;
        detach(child);
        if (!to) return;
        parent[child] = to;
        children[to].push_back(child);
    }
    bool is_below(Entity entity, Entity top) const {
        for (auto at = parent.find(entity); at != parent.end(); at = parent.find(at->second)) {
            if (at->second == top) return true;
        }
        return false;
    }
    void destroy(Entity entity) {
        detach(entity);
        const std::vector<Entity> below = children[entity];
        for (const Entity child : below) destroy(child);
        children.erase(entity);
        alive.erase(entity);
    }
    std::size_t depth(Entity entity) const {
        std::size_t depth = 0;
        for (auto at = parent.find(entity); at != parent.end(); at = parent.find(at->second)) ++depth;
        return depth;
    }
};

void compare(const World& world, Tree& tree) {
    AGREE(world.entity_count() == tree.alive.size());
    for (const Entity entity : tree.alive) {
        AGREE(world.is_alive(entity));
        const auto parent = tree.parent.find(entity);
        AGREE(parent_of(world, entity) == (parent == tree.parent.end() ? Entity{} : parent->second));
        AGREE(listed(world, entity) == tree.children[entity]);
        AGREE(child_count(world, entity) == tree.children[entity].size());
        AGREE(world.has<Children>(entity) == !tree.children[entity].empty());
        AGREE(depth_of(world, entity) == tree.depth(entity));
        AGREE(world.has<HierarchyDepth>(entity) == (parent != tree.parent.end()));
        for (const Entity child : tree.children[entity]) {
            const Entity previous = world.get<Parent>(child)->previous_sibling;
            AGREE(!previous || world.get<Parent>(previous)->next_sibling == child);
        }
    }
}

TEST_CASE("random attaching, moving and destroying agrees with a model of maps") {
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
        World world(seed % 2 == 0 ? WorldConfig{} : tiny_chunks());
        declare_test_components(world);
        declare_hierarchy(world).value();
        Tree tree;
        std::mt19937 random(seed);
        std::vector<Entity> known;
        const auto any = [&] { return known[random() % known.size()]; };
        for (int step = 0; step < 3000; ++step) {
            const std::uint32_t what = random() % 100;
            if (what < 25 || known.empty()) {
                const Entity made = what % 2 == 0 ? world.spawn(Position{}) : world.spawn();
                known.push_back(made);
                tree.alive.insert(made);
            } else if (what < 80) {
                const Entity child = any();
                const Entity parent = what < 30 ? Entity{} : any();
                const bool may = tree.alive.count(child) != 0 && (!parent || tree.alive.count(parent) != 0) &&
                                 child != parent && !tree.is_below(parent, child);
                AGREE(set_parent(world, child, parent).ok() == may);
                if (may) tree.attach(child, parent);
            } else if (what < 88) {
                const Entity entity = any();
                AGREE(world.destroy(entity) == (tree.alive.count(entity) != 0));
                if (tree.alive.count(entity) != 0) tree.destroy(entity);
            } else if (what < 94) {
                const Entity entity = any();
                world.has<Velocity>(entity) ? world.remove<Velocity>(entity) : world.add<Velocity>(entity);
            } else if (what < 97) {
                const Entity original = any();
                if (const Entity made = world.clone(original)) {
                    known.push_back(made);
                    tree.alive.insert(made);
                }
            } else if (what == 97 && step % 10 == 0) {
                for (const Entity entity : world.query<const Velocity>().query().entities()) {
                    if (tree.alive.count(entity) != 0) tree.destroy(entity);
                }
                destroy_all(world, world.query<const Velocity>().query());
            }
            if (step % 20 == 0) compare(world, tree);
        }
        compare(world, tree);
        world.clear();
        CHECK(world.entity_count() == 0);
    }
}

TEST_CASE(
    "an entity attached to another parent becomes its last child; setting the same parent changes nothing") {
    World world;
    declare_hierarchy(world).value();
    const Entity parent = world.spawn(), a = world.spawn(), b = world.spawn();
    set_parent(world, a, parent).value();
    set_parent(world, b, parent).value();
    const std::uint64_t version = world.structure_version();
    set_parent(world, a, parent).value();
    CHECK(world.structure_version() == version);
    CHECK(listed(world, parent) == std::vector<Entity>{a, b});
    set_parent(world, a, Entity{}).value();
    set_parent(world, a, parent).value();
    CHECK(listed(world, parent) == std::vector<Entity>{b, a});
}

TEST_CASE("a chain of 100,000 is linked, moved and destroyed without deep recursion") {
    constexpr std::size_t kLength = 100'000;
    World world;
    const Entity top = world.spawn();
    std::vector<Entity> chain{top};
    for (std::size_t i = 1; i < kLength; ++i) {
        chain.push_back(world.spawn());
        set_parent(world, chain[i], chain[i - 1]).value();
    }
    CHECK(depth_of(world, chain[10]) == 10);
    CHECK(depth_of(world, chain.back()) == HierarchyDepth::kDeepest);
    const Entity above = world.spawn();
    set_parent(world, top, above).value();
    CHECK(depth_of(world, chain[10]) == 11);
    CHECK_THAT(set_parent(world, above, chain.back()).error().message, Contains("below 99992 more"));
    CHECK(world.destroy(chain[1]));
    CHECK(world.entity_count() == 2);
    CHECK(child_count(world, top) == 0);
}

TEST_CASE("destroying 100,000 children takes the same time in any order") {
    constexpr std::size_t kCount = 100'000;
    World world;
    const Entity parent = world.spawn();
    std::vector<Entity> all(kCount);
    spawn_many(world, world.store().graph().empty(), kCount, {}, all.data());
    for (const Entity child : all) set_parent(world, child, parent).value();
    CHECK(child_count(world, parent) == kCount);
    std::shuffle(all.begin(), all.end(), std::mt19937(7));
    for (const Entity child : all) world.destroy(child);
    CHECK(world.entity_count() == 1);
    CHECK(!world.has<Children>(parent));
}

TEST_CASE("commands that destroy a parent destroy its descendants") {
    World world;
    const Entity parent = world.spawn(), child = world.spawn(), grandchild = world.spawn();
    set_parent(world, child, parent).value();
    set_parent(world, grandchild, child).value();
    CommandBuffer commands(world);
    commands.destroy(child);
    commands.destroy(grandchild);
    CHECK(commands.play_back().applied == 2);
    CHECK(world.entity_count() == 1);
    CHECK(child_count(world, parent) == 0);
}

TEST_CASE("a command buffer sets parents and names of spawned entities, and counts failures") {
    World world;
    CommandBuffer commands(world);
    const Entity parent = commands.spawn(), child = commands.spawn(), later = commands.spawn();
    commands.set_parent(child, parent);
    commands.set_parent(parent, later);
    CHECK(commands.set_name(child, "turret").ok());
    CHECK_THAT(commands.set_name(child, "a/b").error().message, Contains("expected a name without '/'"));
    commands.set_parent(later, child);  // a loop
    CHECK(commands.play_back() == PlaybackReport{6, 0, 1, 0});
    CHECK(parent_of(world, child) == parent);
    CHECK(depth_of(world, child) == 2);
    CHECK(find_named(world, "turret") == child);
    const Entity before = commands.spawn();
    const Entity unborn = reserve_entity(world);
    commands.set_parent(before, unborn);
    commands.set_parent(child, Entity{});
    CHECK(commands.set_name(child, "").ok());
    CHECK(commands.set_name(unborn, "x").ok());
    CHECK(commands.play_back() == PlaybackReport{3, 2, 0, 0});
    CHECK(!parent_of(world, child));
    CHECK(!find_named(world, "turret"));
}

TEST_CASE("a name without room in the world fails at recording or at playback") {
    WorldConfig config;
    config.max_text_bytes = 300;
    World world(config);
    CommandBuffer commands(world);
    const Entity entity = commands.spawn();
    CHECK_THAT(commands.set_name(entity, std::string(TextPool::kMaxTextBytes + 1, 'x')).error().message,
               Contains("65536"));
    CHECK(commands.set_name(entity, std::string(400, 'x')).ok());
    CHECK(commands.play_back() == PlaybackReport{.applied = 1, .failed = 1, .refused = MemoryKind::texts});
}

TEST_CASE("set_parent refuses dead entities and cycles, and names them") {
    World world;
    const Entity a = world.spawn(), b = world.spawn(), c = world.spawn(), dead = world.spawn();
    world.destroy(dead);
    set_parent(world, b, a).value();
    set_parent(world, c, b).value();
    const auto name = [](Entity entity) { return "entity " + std::to_string(entity.bits); };
    CHECK(set_parent(world, a, a).error().message ==
          "set_parent: an entity cannot be below itself: " + name(a) + " below " + name(a));
    CHECK(set_parent(world, a, c).error().message ==
          "set_parent: an entity cannot be below itself: " + name(a) + " below " + name(c) + " below " +
              name(b) + " below " + name(a));
    CHECK(set_parent(world, dead, a).error().message ==
          "set_parent: the child " + name(dead) + " is not alive");
    CHECK_THAT(set_parent(world, a, dead).error().message, Contains(name(dead) + ", which is not alive"));
    CHECK(listed(world, a) == std::vector<Entity>{b});
}

TEST_CASE("set_parent without enough memory fails and changes nothing") {
    WorldConfig config = tiny_chunks();
    config.reserved_chunk_bytes = 64 * 1024;
    World world(config);
    declare_hierarchy(world).value();
    const Entity child = world.spawn();
    Entity parent;
    while (const Entity made = world.spawn()) parent = made;
    REQUIRE(parent);
    CHECK_THAT(set_parent(world, child, parent).error().message, Contains("memory is exhausted"));
    CHECK(parent_of(world, child) == Entity{});
    CHECK(child_count(world, parent) == 0);
}

TEST_CASE("declaring the hierarchy fails when one of its names is in use") {
    World world;
    Schema schema;
    schema.name = "Parent";
    schema.kind = ComponentKind::tag;
    world.declare(std::move(schema)).value();
    CHECK_THAT(declare_hierarchy(world).error().message, Contains("'Parent' is already declared"));
    CHECK(parent_of(world, world.spawn()) == Entity{});
    CHECK(listed(world, world.spawn()).empty());
}

TEST_CASE("on_remove is called for all descendants that die, also for those that a handler attached") {
    World world;
    declare_test_components(world);
    std::vector<Entity> heard;
    Entity late;
    world.on_remove(world.id<Frozen>(), [&](World& same, Entity entity) {
        heard.push_back(entity);
        if (late) return;
        late = same.spawn(Frozen{});
        set_parent(same, late, entity).value();
    });
    const Entity top = world.spawn(Frozen{}), middle = world.spawn(Position{}), low = world.spawn(Frozen{});
    set_parent(world, middle, top).value();
    set_parent(world, low, middle).value();
    CHECK(world.destroy(top));
    CHECK(heard == std::vector<Entity>{low, top, late});
    CHECK(world.entity_count() == 0);
}

}  // namespace
}  // namespace perigee
