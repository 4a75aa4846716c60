// Buffers in a world move with their rows, and every block is freed.
#include "ecs/inspect/world_hash.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

struct Point {
    float x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Stage {
    World world;
    ComponentId path;

    explicit Stage(WorldConfig config = tiny_chunks(3)) : world(config) {
        declare_test_components(world);
        Schema schema;
        schema.name = "Path";
        schema.kind = ComponentKind::buffer;
        schema.buffer_capacity = 2;
        for (const char* name : {"x", "y"}) {
            schema.fields.emplace_back();
            schema.fields.back().name = name;
        }
        path = world.declare(schema).value();
        world.bind<Point>("Path", field("x", &Point::x), field("y", &Point::y)).value();
    }
    Entity walker(std::uint32_t length) {
        const Entity entity = world.spawn();
        REQUIRE(world.add(entity, path));
        BufferView<Point> points = world.buffer<Point>(entity);
        for (std::uint32_t i = 0; i < length; ++i) REQUIRE(points.push({static_cast<float>(i), 0}));
        return entity;
    }
    const Query& walkers(Access access = Access::read) {
        QueryDesc desc;
        desc.terms = {QueryTerm{path, access}};
        return *world.query(desc).value();
    }
    std::vector<Point> points(Entity entity) const {
        const std::span<const Point> elements = world.elements<Point>(entity);
        return {elements.begin(), elements.end()};
    }
    std::size_t blocks() const { return world.buffers().stats().blocks_in_use; }
};

template <typename T> void toggle(World& world, Entity entity) {
    const bool done = world.has<T>(entity) ? world.remove<T>(entity) : world.add<T>(entity);
    REQUIRE(done);
}

using Model = std::map<Entity, std::vector<Point>>;

// One random change to a random entity, in the world and in the model.
void change(Stage& stage, Model& model, std::mt19937& random) {
    World& world = stage.world;
    const Point value{static_cast<float>(random() % 100), 1};
    auto chosen = model.begin();
    if (!model.empty()) std::advance(chosen, random() % model.size());
    const std::uint32_t action = model.size() < 5 ? 0 : random() % 10;
    switch (action) {
        case 0:
            model[stage.walker(0)];
            break;
        case 1:
            REQUIRE(world.destroy(chosen->first));
            model.erase(chosen);
            break;
        case 2: {
            const Entity copy = world.clone(chosen->first);
            REQUIRE(copy);
            model[copy] = chosen->second;
            break;
        }
        case 3:
            REQUIRE(world.remove(chosen->first, stage.path));
            REQUIRE(world.add(chosen->first, stage.path));
            chosen->second.clear();
            break;
        case 4:
            toggle<Velocity>(world, chosen->first);
            break;
        case 5:
            toggle<Frozen>(world, chosen->first);
            break;
        default:
            for (std::uint32_t i = random() % 5; i-- > 0;) {
                REQUIRE(world.buffer<Point>(chosen->first).push(value));
                chosen->second.push_back(value);
            }
            break;
    }
}

TEST_CASE("[K6] buffers keep their elements through random structural changes and leave no block") {
    Stage stage;
    Model model;
    std::mt19937 random(11);
    for (int step = 0; step < 6000; ++step) {
        change(stage, model, random);
        if (step % 100 != 0) continue;
        for (const auto& [entity, points] : model) REQUIRE(stage.points(entity) == points);
    }
    CHECK(stage.blocks() > 0);
    stage.world.clear();
    CHECK(stage.blocks() == 0);
    CHECK(stage.world.buffers().stats().bytes_in_use == 0);
}

TEST_CASE("[K6] changes by query move buffers and free those of destroyed entities") {
    Stage stage;
    std::vector<Entity> walkers;
    for (std::uint32_t i = 0; i < 20; ++i) walkers.push_back(stage.walker(i));
    const Query& all = stage.walkers();
    CHECK(add_all(stage.world, all, stage.world.id<Velocity>()) == 20);
    CHECK(add_all(stage.world, all, stage.world.id<Frozen>()) == 20);
    for (std::uint32_t i = 0; i < 20; ++i) CHECK(stage.points(walkers[i]).size() == i);
    std::vector<Entity> clones(5);
    REQUIRE(clone_many(stage.world, walkers[19], 5, clones.data()) == 5);
    REQUIRE(stage.world.destroy(walkers[19]));
    for (const Entity clone : clones) CHECK(stage.points(clone).size() == 19);
    CHECK(remove_all(stage.world, all, stage.path) == 24);
    CHECK(stage.blocks() == 0);
    CHECK(stage.world.entity_count() == 24);
}

TEST_CASE("[K6] a structural change elsewhere makes every handle of the world stale") {
    Stage stage;
    const Entity entity = stage.walker(1);
    BufferView<Point> first = stage.world.buffer<Point>(entity);
    REQUIRE(stage.world.add(entity, stage.world.id<Velocity>()));
    BufferView<Point> second = stage.world.buffer<Point>(entity);
    ContractWatch watch;
    CHECK_THROWS_WITH(first.push({}), Catch::Contains("after a structural change"));
    REQUIRE(second.push({}));
    stage.world.spawn();
    CHECK(second.is_stale());
    // Changing a value is not a structural change.
    BufferView<Point> third = stage.world.buffer<Point>(entity);
    REQUIRE(stage.world.set(entity, Velocity{1, 2}));
    REQUIRE(third.push({}));
    CHECK(stage.points(entity).size() == 3);
}

TEST_CASE(
    "[K6] a look-up gives another entity's buffer, and nothing for dead entities and those without one") {
    Stage stage;
    const Entity entity = stage.walker(4);
    const Entity plain = stage.world.spawn(Position{});
    CHECK(stage.world.buffer<Point>(entity).length() == 4);
    CHECK(stage.world.buffer(entity, stage.path).element_size() == sizeof(Point));
    CHECK_FALSE(stage.world.buffer<Point>(plain));
    CHECK(stage.world.elements<Point>(plain).empty());
    stage.world.destroy(entity);
    CHECK_FALSE(stage.world.buffer<Point>(entity));
    CHECK(stage.world.elements<Point>(entity).empty());
    ContractWatch watch;
    CHECK_THROWS_AS(stage.world.buffer(plain, stage.world.id<Position>()), BrokenContract);
}

TEST_CASE("[K6] a chunk view gives the buffer of each row") {
    Stage stage;
    std::map<Entity, std::uint32_t> lengths;
    for (std::uint32_t i = 0; i < 10; ++i) lengths[stage.walker(i)] = i;
    const Query& all = stage.walkers(Access::write);
    std::size_t rows = 0;
    stage.world.each_chunk(all, [&](ChunkView& view) {
        const BufferColumn<Point> buffers = view.buffers<Point>(0);
        REQUIRE(buffers.size() == view.row_count());
        for (std::uint32_t row = 0; row < view.row_count(); ++row, ++rows) {
            BufferView<Point> points = buffers[row];
            CHECK(points.length() == lengths.at(view.entities()[row]));
            REQUIRE(points.push({7, 7}));
        }
        ContractWatch watch;
        CHECK_THROWS_AS(buffers[view.row_count()], BrokenContract);
        CHECK_THROWS_AS(view.buffers<float>(0), BrokenContract);
    });
    CHECK(rows == 10);
    for (const auto& [entity, length] : lengths) CHECK(stage.points(entity).size() == length + 1);
}

TEST_CASE("[K6] an ordered visit gives the original buffers, and their growth stays") {
    Stage stage;
    std::vector<Entity> walkers;
    for (std::uint32_t i = 0; i < 10; ++i) {
        walkers.push_back(stage.walker(i));
        REQUIRE(stage.world.add(walkers.back(), Position{static_cast<float>(10 - i), 0}));
    }
    QueryDesc desc;
    desc.terms = {QueryTerm{stage.path, Access::write}, QueryTerm{stage.world.id<Position>()}};
    desc.order_by = OrderBy{stage.world.id<Position>(), "x"};
    std::vector<Entity> seen;
    stage.world.each_chunk(*stage.world.query(desc).value(), [&](ChunkView& view) {
        const BufferColumn<Point> buffers = view.buffers<Point>(0);
        for (std::uint32_t row = 0; row < view.row_count(); ++row) {
            const Entity entity = view.entities()[row];
            seen.push_back(entity);
            REQUIRE(buffers[row].push({1, 1}));
            REQUIRE(stage.world.buffer<Point>(entity).push({2, 2}));
        }
    });
    CHECK(seen == std::vector<Entity>(walkers.rbegin(), walkers.rend()));
    for (std::uint32_t i = 0; i < 10; ++i) {
        const std::vector<Point> points = stage.points(walkers[i]);
        REQUIRE(points.size() == i + 2);
        CHECK(points[i] == Point{1, 1});
        CHECK(points[i + 1] == Point{2, 2});
    }
}

TEST_CASE(
    "[K6] a look-up of a buffer for writing marks the column as changed, and one for reading does not") {
    Stage stage;
    const Entity entity = stage.walker(1);
    const Query& all = stage.walkers();
    const auto is_changed = [&](ChangeVersion since) {
        bool changed = false;
        stage.world.each_chunk(all, [&](ChunkView& view) { changed |= view.changed_since(0, since); });
        return changed;
    };
    const ChangeVersion before = stage.world.advance_change_version();
    stage.world.advance_change_version();
    CHECK(stage.world.elements<Point>(entity).size() == 1);
    CHECK_FALSE(is_changed(before));
    REQUIRE(stage.world.buffer<Point>(entity).push({}));
    CHECK(is_changed(before));
}

TEST_CASE("[K6] the world hash covers the elements of buffers, in the chunk or on the heap") {
    Stage inside, outside;
    const Entity first = inside.walker(2);
    const Entity second = outside.walker(2);
    REQUIRE(first == second);
    REQUIRE(outside.world.buffer<Point>(second).reserve(100));
    CHECK(world_hash(inside.world) == world_hash(outside.world));
    outside.world.buffer<Point>(second)[1].y = 3;
    CHECK(world_hash(inside.world) != world_hash(outside.world));
    outside.world.buffer<Point>(second)[1].y = 0;
    CHECK(world_hash(inside.world) == world_hash(outside.world));
    REQUIRE(outside.world.buffer<Point>(second).push({}));
    CHECK(world_hash(inside.world) != world_hash(outside.world));
    outside.world.buffer<Point>(second).remove(2);
    outside.world.buffer<Point>(second)[0].x = -0.0f;  // a different value that compares equal
    CHECK(world_hash(inside.world) != world_hash(outside.world));
}

TEST_CASE("[K6] without buffer memory a world refuses clones and growth and changes nothing else") {
    WorldConfig config = tiny_chunks(4);
    config.max_buffer_bytes = 256;
    Stage stage(config);
    const Entity entity = stage.walker(0);
    REQUIRE(stage.world.buffer<Point>(entity).resize(20));
    const std::size_t before = stage.world.entity_count();
    CHECK_FALSE(stage.world.clone(entity));
    CHECK(stage.world.entity_count() == before);
    CHECK_FALSE(stage.world.buffer<Point>(entity).resize(100));
    CHECK(stage.points(entity).size() == 20);
}

}  // namespace
}  // namespace perigee
