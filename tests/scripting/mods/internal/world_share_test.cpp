// Charging by mod: a model of many changes, refusals, and what stays free.
#include "scripting/mods/internal/world_share.h"

#include "ecs/inspect/world_memory.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace perigee::internal {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 30U;

struct Fixture {
    World world;
    ComponentId position;
    Fixture() {
        declare_test_components(world);
        position = world.id<Position>();
    }
    std::vector<Entity> spawn(std::size_t count) {
        std::vector<Entity> made(count);
        made.resize(spawn_many(world, world.archetype<Position>(), count, {}, made.data()));
        return made;
    }
};

TEST_CASE("a mod is charged once for memory that the world takes for the first time") {
    Fixture f;
    WorldShare share(f.world);
    share.set_max_bytes(kMuch);
    for (int round = 0; round < 5; ++round) {
        std::vector<Entity> made;
        {
            const ShareChange change(share);
            made = f.spawn(10'000);
        }
        for (const Entity entity : made) f.world.destroy(entity);
    }
    const std::size_t once = share.charged_bytes();
    CHECK(once >= 10'000 * (sizeof(Position) + sizeof(Entity)));
    CHECK(once < 3 * 10'000 * (sizeof(Position) + sizeof(Entity)));
    {
        const ShareChange change(share);
        f.spawn(10'000);
    }
    CHECK(share.charged_bytes() == once);
    {
        const ShareChange change(share);
        f.spawn(10'000);
    }
    CHECK(share.charged_bytes() > once);
    share.forgive();
    CHECK(share.charged_bytes() == 0);
}

TEST_CASE("all charges together never exceed the peak of the world's memory") {
    Fixture f;
    std::mt19937 random(7);
    WorldShare first(f.world), second(f.world);
    first.set_max_bytes(kMuch);
    second.set_max_bytes(kMuch);
    const std::size_t empty = world_memory(f.world).sum();
    std::size_t fullest = empty;
    std::vector<Entity> all;
    for (int step = 0; step < 300; ++step) {
        const std::uint32_t who = random() % 3;
        WorldShare* const share = who == 0 ? &first : who == 1 ? &second : nullptr;
        if (share != nullptr) share->begin_change();
        if (random() % 2 == 0 || all.empty()) {
            const std::vector<Entity> made = f.spawn(random() % 3000);
            all.insert(all.end(), made.begin(), made.end());
        } else {
            std::shuffle(all.begin(), all.end(), random);
            for (std::size_t left = random() % all.size(); left > 0; --left) {
                f.world.destroy(all.back());
                all.pop_back();
            }
        }
        fullest = std::max(fullest, world_memory(f.world).sum());
        if (share != nullptr) share->end_change();
        REQUIRE(first.charged_bytes() + second.charged_bytes() <= fullest - empty);
    }
    CHECK(first.charged_bytes() > 0);
    CHECK(second.charged_bytes() > 0);
}

TEST_CASE("buffers and texts count, and memory that a change returns is not charged") {
    Fixture f;
    WorldShare share(f.world);
    share.set_max_bytes(kMuch);
    Schema schema;
    schema.name = "Trail";
    schema.kind = ComponentKind::buffer;
    schema.buffer_capacity = 2;
    schema.fields.resize(1);
    schema.fields[0].name = "x";
    const ComponentId trail = f.world.declare(schema).value();
    const Entity entity = f.world.spawn();
    REQUIRE(f.world.add(entity, trail));
    {
        const ShareChange change(share);
        REQUIRE(f.world.buffer(entity, trail).resize(100'000));
    }
    CHECK(share.charged_bytes() >= 400'000);
    const std::size_t before = share.charged_bytes();
    {
        const ShareChange change(share);
        REQUIRE(f.world.texts().intern(std::string(10'000, 'x')).ok());
    }
    CHECK(share.charged_bytes() >= before + 10'000);
}

TEST_CASE("requests add up until the next change or tick, and a refusal lasts until then") {
    Fixture f;
    WorldShare share(f.world);
    share.set_max_bytes(1000);
    share.begin_tick(1);
    CHECK(share.ask(MemoryKind::chunks, 600));
    CHECK(share.ask(MemoryKind::chunks, 400));
    CHECK_FALSE(share.ask(MemoryKind::chunks, 1));
    CHECK(share.has_refused());
    share.begin_tick(1);
    CHECK_FALSE(share.ask(MemoryKind::chunks, 1));
    share.begin_tick(2);
    CHECK_FALSE(share.has_refused());
    CHECK(share.ask(MemoryKind::chunks, 1000));
    share.begin_change();
    share.end_change();
    CHECK(share.ask(MemoryKind::chunks, 1000));
    CHECK_FALSE(share.ask(MemoryKind::chunks, SIZE_MAX));
    CHECK_FALSE(share.ask(MemoryKind::chunks, 1));
}

TEST_CASE("memory that runs take at once is charged to the requester, up to the requested amount") {
    Fixture f;
    WorldShare asking(f.world), silent(f.world);
    asking.set_max_bytes(kMuch);
    silent.set_max_bytes(kMuch);
    for (std::uint64_t tick = 1; tick < 4; ++tick) {
        silent.begin_tick(tick);
        asking.begin_tick(tick);
        REQUIRE(asking.ask_at_once(MemoryKind::texts, 3000));
        REQUIRE(f.world.texts().intern(std::string(8000, static_cast<char>('a' + tick))).ok());
        silent.begin_change();
        silent.end_change();
        asking.begin_change();
        asking.end_change();
        CHECK(silent.charged_bytes() == 0);
        CHECK(asking.charged_bytes() == 3000 * tick);
    }
}

TEST_CASE("bytes charged for one kind of memory are no credit for another") {
    Fixture f;
    WorldShare share(f.world);
    share.set_max_bytes(200'000);
    std::vector<Entity> made;
    {
        const ShareChange change(share);
        made = f.spawn(5'000);
    }
    for (const Entity entity : made) f.world.destroy(entity);
    const std::size_t chunks = share.charged(MemoryKind::chunks);
    CHECK(chunks > 80'000);
    for (int round = 0; round < 100; ++round) {
        const ShareChange change(share);
        static_cast<void>(f.world.texts().intern(std::string(10'000, static_cast<char>('A' + round))));
    }
    CHECK(share.charged(MemoryKind::texts) <= 200'000 - chunks);
    CHECK(share.charged_bytes() <= 200'000);
    CHECK(f.spawn(5'000).size() == 5'000);
}

TEST_CASE("pools refuse during a change, before they allocate, and name the pool") {
    Fixture f;
    WorldShare share(f.world);
    share.set_max_bytes(300'000);
    const std::size_t before = world_memory(f.world).sum();
    static_cast<void>(take_memory_refusal());
    {
        const ShareChange change(share);
        CHECK(f.spawn(1'000'000).size() < 30'000);
        CHECK(take_memory_refusal() == MemoryKind::chunks);
    }
    CHECK(world_memory(f.world).sum() - before <= 300'000);
    CHECK(share.has_refused());
    CHECK_THAT(share.refusal(), Catch::Contains("no room for more chunks"));
    CHECK(f.spawn(100'000).size() == 100'000);  // of the host
}

TEST_CASE("memory of a mod alone counts as long as it exists") {
    Fixture f;
    WorldShare share(f.world);
    share.set_max_bytes(1000);
    CHECK(share.hold(OwnMemory::objects, 600));
    CHECK_FALSE(share.hold(OwnMemory::objects, 600));
    CHECK_THAT(share.refusal(), Catch::Contains("no room for more objects"));
    share.release(OwnMemory::objects, 600);
    share.begin_tick(1);
    CHECK(share.hold(OwnMemory::commands, 900));
    CHECK_FALSE(share.ask(MemoryKind::chunks, 200));
    CHECK(share.own_bytes(OwnMemory::commands) == 900);
    CHECK(share.charged_bytes() == 900);
}

TEST_CASE("a thread knows which mod's code it runs") {
    Fixture f;
    WorldShare first(f.world), second(f.world);
    CHECK(share_of_thread() == nullptr);
    {
        const ShareChange change(first);
        CHECK(share_of_thread() == &first);
        const EnterShare inner(&second);
        CHECK(share_of_thread() == &second);
    }
    CHECK(share_of_thread() == nullptr);
}

TEST_CASE("the size of an entity is known before it exists") {
    Fixture f;
    Prefab prefab;
    prefab.name = "dot";
    prefab.components.push_back({f.position, {}});
    const PrefabId dot = add_prefab(f.world, prefab).value();
    CHECK(bytes_of_prefab(f.world, dot) == sizeof(Entity) + sizeof(Position));
    CHECK(bytes_of_clone(f.world, f.world.spawn(dot)) == sizeof(Entity) + sizeof(Position));
    CHECK(bytes_of_clone(f.world, reserve_entity(f.world)) == 64 * 1024);
}

}  // namespace
}  // namespace perigee::internal
