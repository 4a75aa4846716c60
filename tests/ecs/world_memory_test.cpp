// What is observed counts as memory of the world, and who adds the rows pays for it.
#include "ecs/world_memory.h"

#include "ecs/command_buffer.h"
#include "ecs/observers.h"
#include "ecs/playback_limit.h"
#include "ecs/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

using Kind = Trigger::Kind;

PerMemoryKind<std::size_t> unlimited() {
    PerMemoryKind<std::size_t> units;
    for (const MemoryKind kind : kAllMemoryKinds) units[kind] = SIZE_MAX;
    return units;
}

struct Fixture {
    Fixture() : world(tiny_chunks(4)) { declare_test_components(world); }

    World world;
};

TEST_CASE("copies of compared values are paid for by the change that adds the row, and go with it") {
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    const auto bytes = [&] { return world_memory(f.world)[MemoryKind::observed]; };
    CHECK(bytes() == 0);
    f.world.observe({Kind::changed, health}).value();
    // One entity in each page.
    std::vector<Entity> some;
    for (int i = 0; i < 10'000; ++i) {
        const Entity entity = f.world.spawn();
        if (i % 256 == 0) some.push_back(entity);
    }
    std::size_t before = bytes();
    MemoryQuota quota;
    quota.restart(SIZE_MAX, {}, unlimited());
    for (const Entity entity : some) {
        const EnterQuota enter(&quota);
        REQUIRE(f.world.add(entity, Health{1}));
        CHECK(bytes() > before);
        before = bytes();
    }
    CHECK(bytes() < some.size() * (256 * 32 + 4096));
    f.world.observers().turn(f.world);
    for (const Entity entity : some) f.world.edit<Health>(entity)->current = 2;
    CHECK(f.world.observers().turn(f.world));
    CHECK(f.world.observers().batch({Kind::changed, health}).entities.size() == some.size());
    for (const Entity entity : some) f.world.destroy(entity);
    CHECK(bytes() < before / 4);
    f.world.forget({Kind::changed, health});
    CHECK(bytes() == 0);
}

TEST_CASE("records of rows that come and go count until they were shown") {
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    f.world.observe({Kind::removed, health}).value();
    const Entity entity = f.world.spawn();
    for (int i = 0; i < 1000; ++i) {
        f.world.add(entity, Health{1});
        f.world.remove<Health>(entity);
    }
    CHECK(f.world.observers().byte_count() == 1000 * (sizeof(Entity) + sizeof(Health)));
    f.world.observers().turn(f.world);
    CHECK(f.world.observers().byte_count() == 1000 * (sizeof(Entity) + sizeof(Health)));
    f.world.observers().turn(f.world);
    CHECK(f.world.observers().byte_count() == 0);
}

TEST_CASE("a change that a quota leaves no room to record is carried out and counted as lost") {
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    f.world.add(f.world.spawn(), Health{});  // its archetype and a chunk with room are there
    f.world.observe({Kind::changed, health}).value();
    f.world.observe({Kind::added, health}).value();
    std::vector<Entity> far;
    for (int i = 0; i < 2000; ++i) far.push_back(f.world.spawn());
    MemoryQuota quota;
    quota.restart(0, {}, unlimited());
    {
        const EnterQuota enter(&quota);
        CHECK(f.world.add(far.back(), Health{1}));
    }
    CHECK(f.world.observers().lost_count() == 2);
    CHECK(take_memory_refusal() == MemoryKind::observed);
    CHECK(quota.refused() == MemoryKind::observed);
    // The row is not compared; others are.
    f.world.add(far.front(), Health{1});
    f.world.observers().turn(f.world);
    f.world.edit<Health>(far.front())->current = 2;
    f.world.edit<Health>(far.back())->current = 2;
    f.world.observers().turn(f.world);
    const ObservedBatch batch = f.world.observers().batch({Kind::changed, health});
    CHECK(std::vector(batch.entities.begin(), batch.entities.end()) == std::vector{far.front()});
    // As a command it fails its system.
    f.world.remove<Health>(far.back());
    CommandBuffer commands(f.world);
    struct Limit final : PlaybackLimit {
        explicit Limit(MemoryQuota& own) : quota(own) {}
        MemoryQuota* begin() noexcept override {
            quota.restart(0, {}, unlimited());
            return &quota;
        }
        void end() noexcept override {}
        MemoryQuota& quota;
    } limit(quota);
    limit.work = 100;
    commands.limit(&limit);
    commands.add(far.back(), Health{1});
    const PlaybackReport report = commands.play_back();
    CHECK(report.failed == 1);
    CHECK(report.refused == MemoryKind::observed);
}

}  // namespace
}  // namespace perigee
