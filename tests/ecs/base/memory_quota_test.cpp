// Each pool of a world asks the quota of the thread before it takes memory, and a refused request changes
// nothing.
#include "ecs/base/memory_quota.h"

#include "ecs/base/error_codes.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/events/event_writer.h"
#include "ecs/inspect/world_memory.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

PerMemoryKind<std::size_t> each(std::size_t units) {
    PerMemoryKind<std::size_t> all;
    for (const MemoryKind kind : kAllMemoryKinds) all[kind] = units;
    return all;
}

struct Limited {
    World world;
    MemoryQuota quota;
    Limited() {
        declare_test_components(world);
        declare_kind_components(world);
        static_cast<void>(take_memory_refusal());
    }
};

TEST_CASE("free memory of a kind is used first, and only for that kind") {
    MemoryQuota quota;
    PerMemoryKind<std::size_t> free;
    free[MemoryKind::texts] = 100;
    quota.restart(50, free, each(SIZE_MAX));
    CHECK(quota.take(MemoryKind::texts, 120));
    CHECK_FALSE(quota.take(MemoryKind::chunks, 31));
    CHECK(quota.refused() == MemoryKind::chunks);
    CHECK_FALSE(quota.is_pool_full());
    CHECK(quota.take(MemoryKind::chunks, 30));
    CHECK_FALSE(quota.take(MemoryKind::texts, 1));
    quota.give_back(MemoryKind::texts, 10, 10);
    CHECK(quota.take(MemoryKind::texts, 10));
    CHECK_FALSE(quota.take_own(1));
}

TEST_CASE("running out of units is distinguished from running out of bytes") {
    MemoryQuota quota;
    PerMemoryKind<std::size_t> units = each(SIZE_MAX);
    units[MemoryKind::archetypes] = 2;
    quota.restart(1'000'000, {}, units);
    CHECK(quota.take(MemoryKind::archetypes, 10, 1));
    CHECK(quota.take(MemoryKind::archetypes, 10, 1));
    CHECK_FALSE(quota.take(MemoryKind::archetypes, 10, 1));
    CHECK(quota.is_pool_full());
    CHECK(name_of(*quota.refused()) == "archetypes");
}

TEST_CASE("when the quota is used up, every pool of a world refuses and reports it") {
    Limited test;
    World& world = test.world;
    const Entity entity = world.spawn(Position{});
    const Entity long_path = world.spawn(Position{});
    world.add(long_path, world.id<Waypoint>());
    const auto type = [](const char* name, ComponentKind kind) {
        Schema schema;
        schema.name = name;
        schema.kind = kind;
        schema.fields.resize(1);
        schema.fields[0].name = "x";
        return schema;
    };
    const ComponentId curve = world.declare(type("QuotaCurve", ComponentKind::blob)).value();
    const ComponentId lonely = world.declare(type("QuotaLonely", ComponentKind::component)).value();
    Prefab prefab;
    prefab.name = "quota";
    const struct {
        MemoryKind kind;
        std::function<bool()> is_refused;
    } kCases[] = {
        {MemoryKind::chunks,
         [&] { return spawn_many(world, world.archetype<Position>(), 100'000, {}, nullptr) < 100'000; }},
        {MemoryKind::archetypes, [&] { return !world.add(entity, lonely); }},
        {MemoryKind::types, [&] { return !world.declare(type("QuotaNew", ComponentKind::component)).ok(); }},
        {MemoryKind::buffers, [&] { return !world.buffer(long_path, world.id<Waypoint>()).resize(10'000); }},
        {MemoryKind::texts, [&] { return !world.texts().intern("quota text").ok(); }},
        {MemoryKind::blobs, [&] { return !world.blobs().build(curve, std::vector<std::byte>(400)).ok(); }},
        {MemoryKind::prefabs, [&] { return !add_prefab(world, prefab).ok(); }},
        {MemoryKind::queries,
         [&] {
             QueryDesc desc;
             desc.terms = {{lonely}};
             return !world.query(desc).ok();
         }},
    };
    const PerMemoryKind<std::size_t> before = world_memory(world);
    for (const auto& test_case : kCases) {
        INFO(name_of(test_case.kind));
        const PerMemoryKind<std::size_t> at_first = world_memory(world);
        test.quota.restart(test_case.kind == MemoryKind::chunks ? 50'000 : 0, {}, each(SIZE_MAX));
        {
            const EnterQuota enter(&test.quota);
            CHECK(test_case.is_refused());
        }
        CHECK(test.quota.refused() == test_case.kind);
        CHECK(take_memory_refusal() == test_case.kind);
        if (test_case.kind != MemoryKind::chunks)
            CHECK(world_memory(world)[test_case.kind] == at_first[test_case.kind]);
        CHECK_FALSE(world.prefabs().find("quota"));
    }
    CHECK(world_memory(world).sum() <= before.sum() + 50'000);
    // Without a quota the result is the same.
    for (const auto& test_case : kCases) CHECK_FALSE(test_case.is_refused());
    CHECK_FALSE(take_memory_refusal());
}

TEST_CASE("the balance of a quota equals the growth of the world's memory after any changes") {
    Limited test;
    World& world = test.world;
    std::mt19937 random(11);
    std::vector<Entity> all;
    constexpr std::size_t kPlenty = std::size_t{1} << 40U;
    for (int round = 0; round < 200; ++round) {
        const PerMemoryKind<std::size_t> before = world_memory(world);
        test.quota.restart(kPlenty, before, each(SIZE_MAX));
        {
            const EnterQuota enter(&test.quota);
            for (std::size_t left = random() % 50; left > 0; --left) {
                const Entity entity = world.spawn(Position{});
                all.push_back(entity);
                if (random() % 2 == 0) world.add(entity, world.id<Velocity>());
                if (random() % 3 == 0) {
                    world.add(entity, world.id<Waypoint>());
                    static_cast<void>(world.buffer(entity, world.id<Waypoint>()).resize(random() % 500));
                }
                static_cast<void>(world.texts().intern(std::to_string(random())));
            }
            for (std::size_t left = random() % 40; left > 0 && !all.empty(); --left) {
                std::swap(all[random() % all.size()], all.back());
                world.destroy(all.back());
                all.pop_back();
            }
        }
        // The rest of each kind is its initial value minus the growth of its pool.
        const PerMemoryKind<std::size_t> after = world_memory(world);
        for (const MemoryKind kind : {MemoryKind::chunks, MemoryKind::buffers, MemoryKind::texts}) {
            INFO(name_of(kind));
            MemoryQuota copy = test.quota;
            if (after[kind] <= before[kind]) {
                REQUIRE(
                    copy.take_own(kPlenty - (after.sum() > before.sum() ? after.sum() - before.sum() : 0)));
                REQUIRE(copy.take(kind, 2 * before[kind] - after[kind]));
            }
        }
    }
}

TEST_CASE("a system whose commands run out of memory fails with their number and the kind of memory") {
    Limited test;
    class Limit : public PlaybackLimit {
    public:
        MemoryQuota quota;
        int ended = 0;
        MemoryQuota* begin() noexcept override {
            quota.restart(0, {}, {});
            return &quota;
        }
        void end() noexcept override { ++ended; }
    } limit;
    limit.work = 1e9;
    Schedule schedule(test.world);
    SystemDesc desc;
    desc.name = "flood";
    desc.group = kSimulation;
    desc.run = [&](SystemContext& context) -> Result<void> {
        context.commands.limit(&limit);
        for (int i = 0; i < 30; ++i) context.commands.spawn();
        return {};
    };
    const SystemId id = schedule.add(std::move(desc)).value();
    schedule.run_group(kSimulation, {}).value();
    CHECK(limit.ended == 1);
    CHECK(schedule.status(id).is_suspended);
    CHECK(schedule.status(id).error ==
          "system 'flood': 30 of its commands could not be carried out: there is no more room for chunks");
    CHECK(test.world.entity_count() == 0);
}

TEST_CASE("a command buffer asks before it grows, and commands that are refused are not recorded") {
    Limited test;
    class Limit : public PlaybackLimit {
    public:
        std::size_t asked = 0;
        bool may_record(std::size_t bytes) noexcept override {
            asked += bytes;
            return asked <= 10'000;
        }
    } limit;
    CommandBuffer commands(test.world);
    commands.limit(&limit);
    std::size_t recorded = 0;
    while (recorded < 100'000 && !commands.is_full()) {
        static_cast<void>(commands.spawn());
        ++recorded;
    }
    CHECK(commands.is_full());
    CHECK(commands.command_count() < 1000);
    CHECK_FALSE(commands.spawn());
    commands.drop();
    CHECK_FALSE(commands.is_full());
    CHECK(test.world.entity_count() == 0);
}

}  // namespace
}  // namespace perigee
