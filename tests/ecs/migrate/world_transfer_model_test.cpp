// Random sets of entities move between random worlds and back: a naive description of every entity, with
// references by number, says what must be there.
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/world_transfer.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Node {
    Entity next;
    std::int32_t number = 0;
};
struct Other {};

struct Described {
    std::map<std::string, std::string> values;  ///< by component
    std::vector<Waypoint> path;
    std::string name, text;
    int next = -1;  ///< a number; -1: none, -2: dead
    int parent = -1;
    std::vector<int> children;
    bool operator==(const Described&) const = default;
};
using Picture = std::map<int, Described>;

struct Place {
    explicit Place(std::uint32_t rows) : world(tiny_chunks(rows)) {
        if (rows > 4) world.declare<Other>("Other").value();  // the same types get other ids
        declare_test_components(world);
        declare_kind_components(world);
        world.declare<Node>("Node", field("next", &Node::next), field("number", &Node::number)).value();
        Schema label;
        label.name = "Label";
        label.fields.resize(1);
        label.fields[0].name = "text";
        label.fields[0].type = FieldType::text;
        text = world.declare(label).value();
    }

    int number(Entity entity) const {
        if (!entity) return -1;
        return world.is_alive(entity) ? world.get<Node>(entity)->number : -2;
    }

    Described described(Entity entity) const {
        Described d;
        for (const ComponentId id : world.archetype_of(entity)->components()) {
            const ComponentInfo& info = world.registry().info(id);
            std::string& value = d.values[info.schema.name];
            if (info.kind() == ComponentKind::enableable) value = world.is_enabled(entity, id) ? "on" : "off";
            if (info.schema.owner == "engine" || info.kind() == ComponentKind::chunk ||
                info.kind() == ComponentKind::buffer || info.schema.name == "Node" || id == text)
                continue;
            if (const std::byte* at = world.get(entity, id))
                value.append(reinterpret_cast<const char*>(at), world.registry().value_bytes(id));
        }
        d.values.erase("Parent"), d.values.erase("Children"), d.values.erase("HierarchyDepth");
        if (world.has(entity, world.id<Waypoint>())) {
            const auto path = const_cast<World&>(world).buffer<Waypoint>(entity);
            for (std::uint32_t i = 0; i < path.length(); ++i) d.path.push_back(path[i]);
        }
        if (const std::byte* at = world.get(entity, text)) {
            TextHandle handle;
            std::memcpy(&handle, at, sizeof handle);
            d.text = world.texts().text(handle);
        }
        d.name = name_of(world, entity);
        d.next = number(world.get<Node>(entity)->next);
        d.parent = number(parent_of(world, entity));
        for (const Entity child : children(world, entity)) d.children.push_back(number(child));
        return d;
    }

    std::map<int, Entity> by_number() {
        std::map<int, Entity> found;
        world.each<const Node>([&](Entity entity, const Node& node) { found[node.number] = entity; });
        return found;
    }

    Picture picture() {
        Picture all;
        for (const auto& [number, entity] : by_number()) all[number] = described(entity);
        return all;
    }

    World world;
    ComponentId text;
};

void fill(Place& place, std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    World& world = place.world;
    std::vector<Entity> entities;
    const int count = 1 + below(40);
    for (int i = 0; i < count; ++i) {
        const Entity entity = world.spawn(Node{{}, i});
        entities.push_back(entity);
        if (below(2) != 0) world.add(entity, Layer{below(3)});
        if (below(2) != 0) world.add(entity, Team{static_cast<std::uint8_t>(below(2)), 0.5F});
        if (below(3) == 0) world.add(entity, Voice{below(9)});
        if (below(3) == 0) world.add(entity, Squad{below(2)});
        if (below(3) == 0) world.add(entity, Bounds{});
        if (below(3) == 0) world.add(entity, world.id<Visible>());
        if (below(3) == 0) world.add(entity, Armed{below(9)});
        if (below(2) != 0) {
            world.add(entity, Shield{static_cast<float>(below(9))});
            world.set_enabled(entity, world.id<Shield>(), below(2) != 0);
        }
        if (below(3) == 0) {
            world.add(entity, world.id<Waypoint>());
            BufferView<Waypoint> path = world.buffer<Waypoint>(entity);
            for (int k = below(7); k > 0; --k) path.push({static_cast<float>(below(9)), 1});
        }
        if (below(2) != 0) {
            const TextHandle text =
                world.texts().intern(std::string(static_cast<std::size_t>(below(60)), 'a')).value();
            world.add(entity, place.text, &text);
        }
        if (below(4) == 0) REQUIRE(set_name(world, entity, "n" + std::to_string(i)).ok());
        if (i > 0 && below(2) != 0)
            REQUIRE(set_parent(world, entity, entities[static_cast<std::size_t>(below(i))]).ok());
    }
    for (const Entity entity : entities)
        if (below(3) != 0) world.edit<Node>(entity)->next = entities[static_cast<std::size_t>(below(count))];
}

std::set<int> with_descendants(const Picture& all, const std::vector<int>& roots) {
    std::set<int> moved(roots.begin(), roots.end());
    std::vector<int> open(moved.begin(), moved.end());
    while (!open.empty()) {
        const int one = open.back();
        open.pop_back();
        for (const int child : all.at(one).children)
            if (moved.insert(child).second) open.push_back(child);
    }
    return moved;
}

// What is on one side when these have moved away from the other entities.
Picture expected(const Picture& before, const std::set<int>& moved, bool is_there) {
    Picture after;
    for (const auto& [number, was] : before) {
        if (moved.contains(number) != is_there) continue;
        Described now = was;
        if (now.next >= 0 && moved.contains(now.next) != is_there) now.next = is_there ? -1 : -2;
        if (is_there && now.next == -2) now.next = -1;
        if (now.parent >= 0 && moved.contains(now.parent) != is_there) now.parent = -1;
        std::erase_if(now.children, [&](int child) { return moved.contains(child) != is_there; });
        after[number] = now;
    }
    return after;
}

void check(const Picture& seen, const Picture& wanted) {
    REQUIRE(seen.size() == wanted.size());
    for (const auto& [number, is] : seen) {
        INFO("entity " << number);
        const Described& should = wanted.at(number);
        REQUIRE(is.values == should.values);
        REQUIRE(is.path == should.path);
        REQUIRE(is.name == should.name);
        REQUIRE(is.text == should.text);
        REQUIRE(is.next == should.next);
        REQUIRE(is.parent == should.parent);
        REQUIRE(is.children == should.children);
    }
}

TEST_CASE("random sets of entities move to another world and back as a naive model says") {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        Place here(3), there(7);
        fill(here, random);
        for (int i = static_cast<int>(random() % 5); i > 0; --i) there.world.destroy(there.world.spawn());
        for (int turn = 0; turn < 3; ++turn) {
            const Picture before = here.picture();
            const std::map<int, Entity> ids = here.by_number();
            std::vector<int> roots;
            std::vector<Entity> entities;
            for (const auto& [number, entity] : ids) {
                if (random() % 3 != 0) continue;
                roots.push_back(number);
                entities.push_back(entity);
            }
            std::shuffle(entities.begin(), entities.end(), random);
            const std::set<int> moved = with_descendants(before, roots);
            const std::vector<Entity> arrived = move_entities(here.world, entities, there.world).value();
            REQUIRE(arrived.size() == entities.size());
            for (std::size_t i = 0; i < entities.size(); ++i) {
                REQUIRE_FALSE(here.world.is_alive(entities[i]));
                REQUIRE_FALSE(here.world.awaits_cleanup(entities[i]));
                REQUIRE(ids.at(there.number(arrived[i])) == entities[i]);
            }
            check(here.picture(), expected(before, moved, false));
            const Picture inside = expected(before, moved, true);
            check(there.picture(), inside);

            std::vector<Entity> back;
            for (const auto& [number, entity] : there.by_number()) back.push_back(entity);
            REQUIRE(move_entities(there.world, back, here.world).value().size() == moved.size());
            REQUIRE(there.world.entity_count() == 0);
            REQUIRE(there.world.buffers().stats().blocks_in_use == 0);
            Picture after = expected(before, moved, false);
            after.insert(inside.begin(), inside.end());
            check(here.picture(), after);
        }
    }
}

TEST_CASE("equal worlds are equal after the same moves") {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::uint64_t hashes[2];
        for (std::uint64_t& hash : hashes) {
            std::mt19937 random(seed);
            Place here(3), there(7);
            fill(here, random);
            std::vector<Entity> entities;
            for (const auto& [number, entity] : here.by_number())
                if (number % 2 == 0) entities.push_back(entity);
            move_entities(here.world, entities, there.world).value();
            hash = world_hash(here.world) * 31 + world_hash(there.world);
        }
        CHECK(hashes[0] == hashes[1]);
    }
}

TEST_CASE("an entity that is in the list twice moves once, and its new id is there twice") {
    Place here(3), there(7);
    const Entity parent = here.world.spawn(Node{{}, 1}), child = here.world.spawn(Node{{}, 2});
    REQUIRE(set_parent(here.world, child, parent).ok());
    const std::vector<Entity> list{child, parent, child};
    const std::vector<Entity> arrived = move_entities(here.world, list, there.world).value();
    CHECK(there.world.entity_count() == 2);
    CHECK(arrived[0] == arrived[2]);
    CHECK(parent_of(there.world, arrived[0]) == arrived[1]);
}

TEST_CASE("a type that is not accepted keeps all entities where they are") {
    Place here(3), there(7);
    const std::vector<Entity> list{here.world.spawn(Node{{}, 1}), here.world.spawn(Node{{}, 2}, Layer{2})};
    const std::uint64_t before = world_hash(here.world);
    const auto moved = move_entities(here.world, list, there.world, [](const ComponentInfo& type) {
        return type.schema.name == "Layer" ? Result<void>(Error{"not this one"}) : Result<void>{};
    });
    CHECK(moved.error().message == "not this one");
    CHECK(world_hash(here.world) == before);
    CHECK(there.world.entity_count() == 0);
}

}  // namespace
}  // namespace perigee
