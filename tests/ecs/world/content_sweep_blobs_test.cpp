// A blob lives as long as anything in the world, another blob, a pin or a snapshot refers to it.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/save/save_file.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/prefab.h"
#include "tests/support/blob_trees.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

struct Holder {
    BlobHandle tree;
};

ComponentId declare_holder(World& world, const std::string& name, ComponentKind kind) {
    Schema schema;
    schema.name = name;
    schema.kind = kind;
    Field tree = blob_field("tree", FieldType::blob);
    tree.labels = {"Tree"};
    schema.fields = {tree};
    return world.declare(schema).value();
}

BlobHandle leaf(World& world, const TreeType& type, float value) {
    Tree tree;
    tree.value = value;
    return build_tree(world, type, tree).value();
}

// Sweeps until only what is in use is left.
void settle_blobs(World& world) {
    collect_blobs(world);
    collect_blobs(world);
}

TEST_CASE("[K8] blobs live exactly as long as a value refers to them") {
    using Kind = ComponentKind;
    for (const Kind kind : {Kind::component, Kind::enableable, Kind::cleanup, Kind::shared, Kind::chunk,
                            Kind::buffer, Kind::resource}) {
        INFO(kind_name(kind));
        World world(tiny_chunks());
        const TreeType type = declare_tree(world);
        const ComponentId id = declare_holder(world, "Holder", kind);
        const Entity entity = world.spawn();
        const Holder first{leaf(world, type, 1)}, second{leaf(world, type, 2)};
        if (kind == Kind::resource) {
            std::memcpy(world.resources().data(id), &first, sizeof first);
        } else {
            world.add(entity, id, kind == Kind::buffer ? nullptr : &first);
        }
        if (kind == Kind::buffer) {
            DynamicBuffer buffer = world.buffer(entity, id);
            for (int i = 0; i < 20; ++i) buffer.push(&first);
        }
        settle_blobs(world);
        CHECK(tree_at(world, first.tree).value == 1);
        CHECK_FALSE(world.blobs().has(second.tree));
        const Holder none{};
        if (kind == Kind::resource) {
            std::memcpy(world.resources().data(id), &none, sizeof none);
        } else {
            world.destroy(entity);
            world.remove(entity, id);
        }
        settle_blobs(world);
        CHECK_FALSE(world.blobs().has(first.tree));
        CHECK(world.blobs().size() == 0);
        CHECK(world.blobs().byte_count() == 0);
    }
}

TEST_CASE("[K8] prefabs, pins and commands keep the blobs that they will give out") {
    World world;
    const TreeType type = declare_tree(world);
    const ComponentId id = declare_holder(world, "Holder", ComponentKind::component);
    Prefab prefab;
    prefab.name = "Grove";
    const Holder planted{leaf(world, type, 1)};
    prefab.components = {{id, std::vector<std::byte>(sizeof planted)}};
    std::memcpy(prefab.components[0].value.data(), &planted, sizeof planted);
    add_prefab(world, prefab).value();
    const BlobHandle held = leaf(world, type, 2);
    std::optional<BlobPin> pin(std::in_place, world.blobs(), held);
    settle_blobs(world);

    CommandBuffer commands(world);
    const Entity entity = commands.spawn();
    const Holder late{leaf(world, type, 3)};
    commands.add(entity, id, &late);
    collect_blobs(world);
    commands.play_back();
    settle_blobs(world);
    CHECK(tree_at(world, planted.tree).value == 1);
    CHECK(tree_at(world, held).value == 2);
    CHECK(tree_at(world, late.tree).value == 3);

    pin.reset();
    settle_blobs(world);
    CHECK_FALSE(world.blobs().has(held));
    CHECK(tree_at(world, late.tree).value == 3);
}

TEST_CASE("[K8] the number of a freed blob is used again, and the new blob is another one") {
    World world;
    const TreeType type = declare_tree(world);
    const BlobHandle first = leaf(world, type, 1);
    const std::uint64_t number = world.blobs().number(first);
    std::vector<BlobHandle> freed;
    world.blobs().set_on_free([&](BlobHandle handle) { freed.push_back(handle); });
    settle_blobs(world);
    CHECK(freed.size() == 4);  // the tree and its three empty lists
    CHECK(world.blobs().bytes(first).empty());
    CHECK(world.blobs().number(first) == 0);
    for (float value = 2; value < 4; ++value) {
        const BlobHandle next = leaf(world, type, value);
        CHECK(next.index <= 5);
        CHECK(world.blobs().number(next) > number);
    }
}

TEST_CASE("[K8] a blob in a snapshot can be restored, but counts as freed until then") {
    World world;
    const TreeType type = declare_tree(world);
    const ComponentId id = declare_holder(world, "Holder", ComponentKind::component);
    const Entity entity = world.spawn();
    Tree tree;
    tree.children.resize(2);
    tree.children[1].value = 5;
    const Holder holder{build_tree(world, type, tree).value()};
    world.add(entity, id, &holder);
    std::optional<WorldSnapshot> snapshot = take_snapshot(world).value();
    const std::uint64_t hash = world_hash(world);
    std::size_t freed = 0;
    world.blobs().set_on_free([&](BlobHandle) { ++freed; });

    world.remove(entity, id);
    settle_blobs(world);
    CHECK(freed == world.blobs().size());
    CHECK(world.blobs().byte_count() == 0);
    const std::size_t kept = world.blobs().size();
    CHECK(kept > 0);
    // Building it again is as if it had been gone.
    CHECK(build_tree(world, type, tree).value() == holder.tree);
    CHECK(world.blobs().size() == kept);
    CHECK(world.blobs().byte_count() > 0);
    settle_blobs(world);
    CHECK(world.blobs().byte_count() == 0);

    REQUIRE(restore_snapshot(world, *snapshot).ok());
    CHECK(world_hash(world) == hash);
    settle_blobs(world);
    CHECK(world.blobs().byte_count() > 0);
    Holder restored;
    REQUIRE(world.get(entity, id) != nullptr);
    std::memcpy(&restored, world.get(entity, id), sizeof restored);
    CHECK(tree_at(world, restored.tree) == tree);
    world.remove(entity, id);
    snapshot.reset();
    settle_blobs(world);
    CHECK(world.blobs().size() == 0);
}

TEST_CASE("[K8] the schedule frees blobs, so an endless stream of them needs little memory") {
    World world;
    const TreeType type = declare_tree(world);
    const ComponentId id = declare_holder(world, "Holder", ComponentKind::component);
    const Entity entity = world.spawn();
    world.add(entity, id);
    Schedule schedule(world, 1);
    SystemDesc desc;
    desc.name = "grows";
    desc.query.terms = {{id, Access::write}};
    int grown = 0;
    desc.run = [&](SystemContext& context) -> Result<void> {
        for (int i = 0; i < 10; ++i) {
            Tree tree;
            tree.value = static_cast<float>(++grown);
            tree.weights.assign(1000, static_cast<std::int16_t>(grown));
            const Result<BlobHandle> made = build_tree(context.world, type, tree);
            if (!made) return made.error();
            reinterpret_cast<Holder*>(context.world.edit(entity, id))->tree = made.value();
        }
        return {};
    };
    schedule.add(std::move(desc)).value();
    std::size_t most = 0;
    for (int step = 0; step < 1000; ++step) {
        REQUIRE(schedule.run_group(kSimulation, TickTime{}).ok());
        most = std::max(most, world.blobs().byte_count());
    }
    CHECK(grown == 10000);  // 20 MB in all
    CHECK(most < (std::size_t{3} << 20));
    Holder got;
    std::memcpy(&got, world.get(entity, id), sizeof got);
    CHECK(tree_at(world, got.tree).value == 10000);
}

TEST_CASE("[K8] random trees read back as they were built, through sweeps, snapshots and files") {
    World world(tiny_chunks());
    const TreeType type = declare_tree(world);
    const ComponentId id = declare_holder(world, "Holder", ComponentKind::component);
    const ComponentId team = declare_holder(world, "Grove", ComponentKind::shared);
    std::map<Entity, Tree> model;
    std::optional<WorldSnapshot> snapshot;
    std::map<Entity, Tree> model_then;
    std::mt19937 random(17);
    for (int step = 0; step < 1500; ++step) {
        const unsigned choice = random() % 20;
        if (choice < 9 || model.empty()) {
            const Tree tree = random_tree(random, 3);
            const Holder holder{build_tree(world, type, tree).value()};
            const Entity entity = world.spawn();
            world.add(entity, id, &holder);
            if (choice % 2 == 0) world.add(entity, team, &holder);
            model[entity] = tree;
        } else if (choice < 17) {
            auto some = model.begin();
            std::advance(some, random() % model.size());
            world.destroy(some->first);
            model.erase(some);
        } else if (choice == 17) {
            collect_blobs(world);
            if (random() % 2 == 0) collect_texts(world);
        } else if (choice == 18) {
            snapshot = take_snapshot(world).value();
            model_then = model;
        } else if (snapshot && random() % 4 == 0) {
            REQUIRE(restore_snapshot(world, *snapshot).ok());
            model = model_then;
        }
    }
    const auto check_model = [&](const World& in) {
        for (const auto& [entity, tree] : model) {
            Holder got;
            std::memcpy(&got, in.get(entity, id), sizeof got);
            REQUIRE(tree_at(in, got.tree) == tree);
        }
    };
    snapshot.reset();
    settle_blobs(world);
    collect_texts(world);
    check_model(world);

    World loaded(tiny_chunks());
    declare_tree(loaded);
    declare_holder(loaded, "Holder", ComponentKind::component);
    declare_holder(loaded, "Grove", ComponentKind::shared);
    REQUIRE(world_from_bytes(loaded, world_to_bytes(world).value()).ok());
    check_model(loaded);
    CHECK(world_hash(loaded) == world_hash(world));
    CHECK(loaded.blobs().size() == world.blobs().size());
    CHECK(loaded.blobs().byte_count() == world.blobs().byte_count());

    while (!model.empty()) {
        world.destroy(model.begin()->first);
        model.erase(model.begin());
    }
    settle_blobs(world);
    CHECK(world.blobs().size() == 0);
    CHECK(world.blobs().byte_count() == 0);
}

}  // namespace
}  // namespace perigee
