// A sweep finds texts wherever the world keeps values, and frees the others.
#include "ecs/world/content_sweep.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Label {
    std::uint32_t number = 0;
    TextHandle text;
};

ComponentId declare_label(World& world, const std::string& name, ComponentKind kind) {
    Schema schema;
    schema.name = name;
    schema.kind = kind;
    schema.buffer_capacity = 8;
    schema.fields.resize(2);
    schema.fields[0].name = "number";
    schema.fields[0].type = FieldType::u32;
    schema.fields[1].name = "text";
    schema.fields[1].type = FieldType::text;
    schema.fields[1].default_value.data = "default of " + name;
    return world.declare(schema).value();
}

Label label(World& world, const std::string& text) { return {7, world.texts().intern(text).value()}; }

// Sweeps until only what is in use is left.
void settle(World& world) {
    collect_texts(world);
    collect_texts(world);
}

TEST_CASE("texts live exactly as long as a value refers to them") {
    using Kind = ComponentKind;
    for (const Kind kind : {Kind::component, Kind::enableable, Kind::cleanup, Kind::shared, Kind::chunk,
                            Kind::buffer, Kind::resource}) {
        INFO(kind_name(kind));
        World world(tiny_chunks());
        const ComponentId id = declare_label(world, "Label", kind);
        const Entity entity = world.spawn();
        const Label first = label(world, "first"), second = label(world, "second");
        if (kind == Kind::resource) {
            std::memcpy(world.resources().data(id), &first, sizeof first);
        } else {
            world.add(entity, id, kind == Kind::buffer ? nullptr : &first);
        }
        if (kind == Kind::buffer) {
            BufferPool unused;  // the elements lie in the chunk
            const std::uint64_t version = 0;
            DynamicBuffer buffer(world.edit(entity, id), world.registry().info(id), unused, version);
            for (int i = 0; i < 5; ++i) buffer.push(&first);
        }
        settle(world);
        CHECK(world.texts().text(first.text) == "first");
        CHECK_FALSE(world.texts().has(second.text));
        if (kind == Kind::resource) {
            std::memcpy(world.resources().data(id), &second, sizeof second);
        } else {
            world.destroy(entity);
            world.remove(entity, id);
        }
        settle(world);
        CHECK_FALSE(world.texts().has(first.text));
        CHECK(world.texts().stats().texts == 1);
        Label row;
        std::memcpy(&row, world.registry().info(id).schema.defaults.data(), sizeof row);
        CHECK(world.texts().text(row.text) == "default of Label");
    }
}

TEST_CASE("texts in prefabs and blobs live as long as these") {
    World world;
    const ComponentId id = declare_label(world, "Label", ComponentKind::component);
    const ComponentId rows = declare_label(world, "Rows", ComponentKind::blob);
    Prefab prefab;
    prefab.name = "Boss";
    const Label boss = label(world, "boss");
    prefab.components = {{id, std::vector<std::byte>(sizeof boss)}};
    std::memcpy(prefab.components[0].value.data(), &boss, sizeof boss);
    const PrefabId made = add_prefab(world, prefab).value();
    const std::vector<Label> list = {label(world, "one"), label(world, "two")};
    world.blobs().build<Label>(rows, list).value();
    settle(world);
    settle(world);
    Label got;
    std::memcpy(&got, world.get(world.spawn(made), id), sizeof got);
    CHECK(world.texts().text(got.text) == "boss");
    CHECK(world.texts().text(list[1].text) == "two");
}

TEST_CASE("a text that a query filters by keeps its handle even without rows") {
    World world;
    const ComponentId team = declare_label(world, "Team", ComponentKind::shared);
    const Label red = label(world, "red");
    QueryDesc desc;
    desc.terms.push_back({team});
    desc.shared.resize(1);
    desc.shared[0].component = team;
    const auto* const bytes = reinterpret_cast<const std::byte*>(&red);
    desc.shared[0].value.assign(bytes, bytes + sizeof red);
    const Query& reds = *world.query(desc).value();
    settle(world);
    REQUIRE(world.texts().text(red.text) == "red");
    for (int i = 0; i < 100; ++i) {
        const Label other = label(world, "other " + std::to_string(i));
        world.add(world.spawn(), team, &other);
    }
    CHECK(reds.entity_count() == 0);
    const Label again = label(world, "red");
    world.add(world.spawn(), team, &again);
    CHECK(reds.entity_count() == 1);
}

TEST_CASE("a text in a recorded command still exists at playback") {
    World world;
    const ComponentId id = declare_label(world, "Label", ComponentKind::component);
    CommandBuffer commands(world);
    const Entity entity = commands.spawn();
    const Label late = label(world, "late");
    commands.add(entity, id, &late);
    collect_texts(world);
    commands.play_back();
    settle(world);
    Label got;
    std::memcpy(&got, world.get(entity, id), sizeof got);
    CHECK(world.texts().text(got.text) == "late");
}

TEST_CASE("the schedule sweeps automatically, so an endless stream of texts fits into the pool") {
    WorldConfig config;
    config.max_text_bytes = 4u << 20;
    World world(config);
    const ComponentId id = declare_label(world, "Label", ComponentKind::component);
    const Entity entity = world.spawn();
    world.add(entity, id);
    Schedule schedule(world, 1);
    SystemDesc desc;
    desc.name = "talks";
    desc.query.terms = {{id, Access::write}};
    int said = 0;
    desc.run = [&](SystemContext& context) -> Result<void> {
        for (int i = 0; i < 100; ++i) {
            const Result<TextHandle> text =
                context.world.texts().intern(std::to_string(++said) + std::string(1000, '!'));
            if (!text) return text.error();
            reinterpret_cast<Label*>(context.world.edit(entity, id))->text = text.value();
        }
        return {};
    };
    schedule.add(std::move(desc)).value();
    for (int step = 0; step < 200; ++step) REQUIRE(schedule.run_group(kSimulation, TickTime{}).ok());
    CHECK(said == 20000);  // 20 MB in all
    Label got;
    std::memcpy(&got, world.get(entity, id), sizeof got);
    CHECK(world.texts().text(got.text).starts_with("20000!"));
}

TEST_CASE("sweeps that visit many cells are less frequent, and new texts share their cost") {
    World world;
    const ComponentId kind = declare_label(world, "Label", ComponentKind::component);
    CHECK(world.texts().sweep_cost_per_byte() == 0);
    const auto texts_until_sweep = [&] {
        settle(world);
        int count = 0;
        for (; !world.texts().wants_sweep(); ++count)
            label(world, std::string(1000, 'x') + std::to_string(count));
        return count;
    };
    const int few = texts_until_sweep();
    const double little = world.texts().sweep_cost_per_byte();
    spawn_many(world, *world.archetype(std::vector{kind}).value(), 4'000'000);
    CHECK(texts_until_sweep() > 3 * few);
    // The cells that a sweep visits, divided by the bytes that trigger it.
    CHECK(world.texts().sweep_cost_per_byte() > little);
    CHECK(world.texts().sweep_cost_per_byte() * 1000 * 3 * few < 4.1e6);
    CHECK(world.texts().sweep_cost_per_byte() <= 1);
}

TEST_CASE("random operations on rows with texts agree with a map of strings") {
    World world(tiny_chunks());
    const ComponentId id = declare_label(world, "Label", ComponentKind::component);
    const ComponentId team = declare_label(world, "Team", ComponentKind::shared);
    std::map<Entity, std::string> model;
    std::mt19937 random(9);
    for (int step = 0; step < 5000; ++step) {
        const std::string text = "name " + std::to_string(random() % 50);
        const Label value = label(world, text);
        const unsigned choice = random() % 10;
        if (choice < 4 || model.empty()) {
            const Entity entity = world.spawn();
            world.add(entity, id, &value);
            if (choice % 2 == 0) world.add(entity, team, &value);
            model[entity] = text;
        } else {
            auto some = model.begin();
            std::advance(some, random() % model.size());
            if (choice < 7) {
                world.set(some->first, id, &value);
                world.set(some->first, team, &value);
                some->second = text;
            } else {
                world.destroy(some->first);
                model.erase(some);
            }
        }
        if (random() % 50 == 0) collect_texts(world);
    }
    settle(world);
    std::size_t different = 0;
    std::map<std::string, int> seen;
    for (const auto& [entity, text] : model) {
        Label got;
        std::memcpy(&got, world.get(entity, id), sizeof got);
        REQUIRE(world.texts().text(got.text) == text);
        different += seen[text]++ == 0 ? 1 : 0;
    }
    CHECK(world.texts().stats().texts == different + 2);  // and two defaults
}

}  // namespace
}  // namespace perigee
