// Buffers that are filled during recording and reach their entities at playback.
#include "ecs/commands/command_buffer.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <thread>
#include <vector>

namespace perigee {
namespace {

struct Step {
    std::int32_t at = 0;
};

struct Stage {
    World world;
    CommandBuffer commands;
    ComponentId path;

    Stage() : world(tiny_chunks(2)), commands(world) {
        declare_test_components(world);
        Schema schema;
        schema.name = "Path";
        schema.kind = ComponentKind::buffer;
        schema.buffer_capacity = 2;
        schema.fields.resize(1);
        schema.fields[0].name = "at";
        schema.fields[0].type = FieldType::i32;
        path = world.declare(schema).value();
        world.bind<Step>("Path", field("at", &Step::at)).value();
    }
    void fill(const DynamicBuffer& buffer, std::int32_t count) {
        BufferView<Step> steps(buffer);
        for (std::int32_t i = 0; i < count; ++i) REQUIRE(steps.push({i}));
    }
    std::vector<std::int32_t> steps(Entity entity) const {
        std::vector<std::int32_t> numbers;
        for (const Step& step : world.elements<Step>(entity)) numbers.push_back(step.at);
        return numbers;
    }
    std::size_t blocks() const { return world.buffers().stats().blocks_in_use; }
};

TEST_CASE("[K6] [C1] a buffer filled while recording, short or long, reaches the entity at playback") {
    Stage stage;
    const Entity first = stage.world.spawn();
    const Entity second = stage.commands.spawn();
    stage.fill(stage.commands.add_buffer(first, stage.path), 2);
    stage.fill(stage.commands.add_buffer(second, stage.path), 5);
    const Entity third = stage.commands.spawn();
    static_cast<void>(stage.commands.add_buffer(third, stage.path));
    CHECK_FALSE(stage.world.has(first, stage.path));
    CHECK(stage.commands.play_back() == PlaybackReport{5, 0, 0, 0});
    CHECK(stage.steps(first) == std::vector<std::int32_t>{0, 1});
    CHECK_FALSE(stage.world.buffer<Step>(first).is_on_heap());
    CHECK(stage.steps(second) == std::vector<std::int32_t>{0, 1, 2, 3, 4});
    CHECK(stage.world.has(third, stage.path));
    CHECK(stage.steps(third).empty());
    CHECK(stage.blocks() == 1);
    stage.world.clear();
    CHECK(stage.blocks() == 0);
}

TEST_CASE("[K6] [C1] set_buffer needs an existing buffer at playback; add_buffer adds or replaces one") {
    Stage stage;
    const Entity with = stage.world.spawn();
    REQUIRE(stage.world.add(with, stage.path));
    stage.fill(stage.world.buffer(with, stage.path), 10);
    const Entity without = stage.world.spawn();
    stage.fill(stage.commands.set_buffer(with, stage.path), 1);
    stage.fill(stage.commands.set_buffer(without, stage.path), 7);
    CHECK(stage.commands.play_back() == PlaybackReport{1, 1, 0, 0});
    CHECK(stage.steps(with) == std::vector<std::int32_t>{0});
    CHECK_FALSE(stage.world.has(without, stage.path));
    CHECK(stage.blocks() == 0);

    stage.fill(stage.commands.add_buffer(with, stage.path), 3);
    CHECK(stage.commands.play_back() == PlaybackReport{1, 0, 0, 0});
    CHECK(stage.steps(with) == std::vector<std::int32_t>{0, 1, 2});
}

TEST_CASE("[K6] [C1] filled buffers of dead entities and of dropped commands are freed") {
    Stage stage;
    const Entity entity = stage.world.spawn();
    stage.fill(stage.commands.add_buffer(entity, stage.path), 20);
    stage.world.destroy(entity);
    CHECK(stage.commands.play_back() == PlaybackReport{0, 1, 0, 0});
    CHECK(stage.blocks() == 0);
    stage.fill(stage.commands.add_buffer(entity, stage.path), 20);
    CHECK(stage.blocks() == 1);
    stage.commands.drop();
    CHECK(stage.blocks() == 0);
    stage.fill(stage.commands.add_buffer(entity, stage.path), 20);
    stage.commands.close();
    CHECK(stage.blocks() == 0);
    CHECK_FALSE(stage.commands.add_buffer(entity, stage.path));
    CHECK(stage.commands.refused_count() == 1);
}

TEST_CASE("[K6] [C1] the handle of a recorded buffer becomes stale at playback") {
    Stage stage;
    const Entity entity = stage.world.spawn();
    DynamicBuffer buffer = stage.commands.add_buffer(entity, stage.path);
    stage.world.spawn();  // a structural change of the world does not affect the recording
    REQUIRE(buffer.resize(3));
    CHECK(BufferView<Step>(buffer).reinterpret<float>().length() == 3);
    stage.commands.play_back();
    ContractWatch watch;
    CHECK_THROWS_AS(buffer.push(), BrokenContract);
    CHECK_THROWS_AS(stage.commands.add_buffer(entity, stage.world.id<Position>()), BrokenContract);
}

TEST_CASE("[K6] [C1] several threads fill the buffers of their own commands at once") {
    Stage stage;
    std::vector<Entity> entities(40);
    for (Entity& entity : entities) entity = stage.world.spawn();
    std::vector<std::unique_ptr<CommandBuffer>> lanes;
    for (int i = 0; i < 4; ++i) lanes.push_back(std::make_unique<CommandBuffer>(stage.world));
    std::vector<std::thread> threads;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        threads.emplace_back([&, lane] {
            for (std::size_t i = lane; i < entities.size(); i += lanes.size()) {
                BufferView<Step> steps(lanes[lane]->add_buffer(entities[i], stage.path));
                for (std::int32_t at = 0; at < static_cast<std::int32_t>(i); ++at) {
                    static_cast<void>(steps.push({at}));
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& lane : lanes) CHECK(lane->play_back().applied == 10);
    for (std::size_t i = 0; i < entities.size(); ++i) REQUIRE(stage.steps(entities[i]).size() == i);
}

}  // namespace
}  // namespace perigee
