// Sending events: order, stable addresses of rows, limits, refusals.
#include "ecs/events/event_writer.h"

#include "ecs/storage/event_store.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

namespace perigee {
namespace {

struct Fixture {
    explicit Fixture(std::size_t max_event_bytes = 4096) : world(config(max_event_bytes)), writer(world) {
        declare_test_components(world);
        declare_test_events(world);
    }
    static WorldConfig config(std::size_t max_event_bytes) {
        WorldConfig config = tiny_chunks();
        config.max_event_bytes = max_event_bytes;
        return config;
    }
    std::vector<float> delivered() const {
        std::vector<float> amounts;
        for (const Damage& hit : world.events().kept(world.id<Damage>()).as<Damage>()) {
            amounts.push_back(hit.amount);
        }
        return amounts;
    }

    World world;
    EventWriter writer;
};

TEST_CASE("events arrive at delivery, in sending order") {
    Fixture f;
    f.writer.send(Damage{Entity{}, 1});
    const Damage second{Entity{}, 2};
    f.writer.send(f.world.id<Damage>(), &second);
    f.writer.send(f.world.id<Damage>());
    f.writer.send(GameOver{});
    CHECK(f.writer.event_count() == 4);
    CHECK(f.delivered().empty());
    CHECK_FALSE(f.writer.deliver().has_value());
    CHECK(f.delivered() == std::vector<float>{1, 2, 1});
    CHECK(f.world.events().kept(f.world.id<GameOver>()).count == 1);
    CHECK(f.writer.is_empty());
    CHECK_FALSE(f.writer.deliver().has_value());
    CHECK(f.delivered().size() == 3);
}

TEST_CASE("returned rows keep their address when more events are sent") {
    Fixture f(1 << 20);
    std::vector<Damage*> rows;
    for (int i = 0; i < 5000; ++i) {
        const std::span<Damage> sent = f.writer.send_many<Damage>(static_cast<std::size_t>(i % 3));
        for (Damage& row : sent) rows.push_back(&row);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) *rows[i] = Damage{Entity{}, static_cast<float>(i)};
    REQUIRE_FALSE(f.writer.deliver().has_value());
    const std::vector<float> amounts = f.delivered();
    REQUIRE(amounts.size() == rows.size());
    for (std::size_t i = 0; i < amounts.size(); ++i) REQUIRE(amounts[i] == static_cast<float>(i));
}

TEST_CASE("a writer that sends the same amount each time stops allocating") {
    Fixture f(1 << 20);
    const auto send = [&] {
        for (int i = 0; i < 1000; ++i) f.writer.send(Damage{});
    };
    for (int tick = 0; tick < 4; ++tick) {
        send();
        REQUIRE_FALSE(f.writer.deliver().has_value());
        f.world.events().begin_tick();
    }
    const RefusedMemory none(0);
    send();
    f.writer.deliver();
    CHECK_FALSE(f.writer.overflow().has_value());
}

TEST_CASE("memory of a peak is released when less or nothing is sent") {
    Fixture f(1 << 20);
    const auto send = [&](int count) {
        for (int i = 0; i < count; ++i) f.writer.send(Damage{});
        REQUIRE_FALSE(f.writer.deliver().has_value());
        f.world.events().begin_tick();
        f.world.events().begin_tick();
        return f.writer.capacity_bytes();
    };
    constexpr std::size_t kLittle = 64 * 1024;
    CHECK(send(30'000) > kLittle);
    CHECK(send(29'000) > kLittle);
    CHECK(send(1) <= kLittle);
    CHECK(send(30'000) > kLittle);
    f.writer.trim_when_idle();
    CHECK(send(30'000) > kLittle);
    f.writer.trim_when_idle();
    CHECK(f.writer.capacity_bytes() > kLittle);
    f.writer.trim_when_idle();
    CHECK(f.writer.capacity_bytes() == 0);
    CHECK(send(1) > 0);
    for (int i = 0; i < 3; ++i) f.writer.trim_when_idle();
    CHECK(f.writer.capacity_bytes() > 0);  // little is kept
}

TEST_CASE("a writer of many types releases the memory of types that it no longer sends") {
    Fixture f(1 << 20);
    std::vector<ComponentId> types;
    for (int i = 0; i < 100; ++i) {
        Schema schema;
        schema.name = "Told" + std::to_string(i);
        schema.kind = ComponentKind::event;
        schema.fields.resize(1);
        schema.fields[0].name = "amount";
        types.push_back(f.world.declare(schema).value());
    }
    const auto send = [&](ComponentId type, std::size_t count) {
        static_cast<void>(f.writer.send_many(type, count));
    };
    for (const ComponentId type : types) {
        send(type, 10'000);
        for (const ComponentId other : types) send(other, 1);
        REQUIRE_FALSE(f.writer.deliver().has_value());
        f.world.events().begin_tick();
        f.world.events().begin_tick();
        CHECK(f.writer.capacity_bytes() < 10'000 * 8 + 200 * 1024);
    }
}

TEST_CASE("sending more events than the world stores is reported and sends nothing") {
    Fixture f(16 * 8);
    for (int i = 0; i < 8; ++i) f.writer.send(Damage{Entity{}, 3});
    CHECK_FALSE(f.writer.overflow().has_value());
    f.writer.send(Damage{});
    CHECK(f.writer.overflow() == f.world.id<Damage>());
    CHECK(f.writer.event_count() == 8);
    CHECK(f.writer.send_many<Damage>(SIZE_MAX).empty());
    f.writer.drop();
    CHECK_FALSE(f.writer.overflow().has_value());
    CHECK(f.writer.send_many<Damage>(8).size() == 8);
}

TEST_CASE("a delivery without room changes nothing") {
    Fixture f(16 * 8);
    EventWriter other(f.world);
    other.send_many<Damage>(5);
    f.writer.send(GameOver{});
    f.writer.send_many<Damage>(4);
    REQUIRE_FALSE(other.deliver().has_value());
    CHECK(f.writer.deliver() == f.world.id<Damage>());
    CHECK(f.writer.event_count() == 5);
    CHECK(f.world.events().kept(f.world.id<GameOver>()).count == 0);
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 5);
    f.world.events().clear();
    CHECK_FALSE(f.writer.deliver().has_value());
}

TEST_CASE("when memory is exhausted nothing is sent, and that is reported") {
    Fixture f;
    {
        const RefusedMemory none(0);
        f.writer.send(Damage{});
    }
    CHECK(f.writer.overflow() == f.world.id<Damage>());
    CHECK(f.writer.is_empty());
}

TEST_CASE("a closed writer refuses and counts events") {
    Fixture f;
    f.writer.close();
    f.writer.send(Damage{});
    CHECK(f.writer.send_many<Damage>(3).empty());
    CHECK(f.writer.refused_count() == 4);
    CHECK(f.writer.is_empty());
}

TEST_CASE("a restricted writer accepts only declared events") {
    Fixture f;
    CHECK(f.writer.may_send(f.world.id<Damage>()));
    f.writer.restrict_to("fight", {f.world.id<Damage>()});
    CHECK(f.writer.may_send(f.world.id<Damage>()));
    CHECK_FALSE(f.writer.may_send(f.world.id<GameOver>()));
#if PERIGEE_DEBUG_CHECKS
    const ContractWatch watch;
    CHECK_THROWS_WITH(f.writer.send(GameOver{}),
                      Catch::Contains("system 'fight' writes 'GameOver' but did not declare it"));
#endif
}

TEST_CASE("only event types can be sent") {
    Fixture f;
    const ContractWatch watch;
    CHECK_THROWS_AS(f.writer.send(Position{}), BrokenContract);
}

TEST_CASE("an event type cannot be a component of an entity") {
    Fixture f;
    const ComponentId damage = f.world.id<Damage>();
    const std::vector<ComponentId> both{f.world.id<Position>(), damage};
    CHECK(f.world.archetype(both).error().message ==
          "'Damage' is an event and no component: no entity can have it");
    const Entity entity = f.world.spawn(Position{});
    CHECK_FALSE(f.world.add(entity, damage));
    CHECK_FALSE(f.world.has(entity, damage));
    QueryDesc desc;
    desc.terms.push_back({damage, Access::read});
    CHECK(f.world.query(desc).error().message == "a query names components and tags, 'Damage' is an event");
}

TEST_CASE("a writer appends all events of another writer") {
    Fixture f;
    EventWriter other{EventWriter::SameRestrictions{f.writer}};
    other.send(Damage{Entity{}, 2});
    other.send(Damage{Entity{}, 3});
    f.writer.send(Damage{Entity{}, 1});
    CHECK(f.writer.append(other));
    REQUIRE_FALSE(f.writer.deliver().has_value());
    CHECK(f.delivered() == std::vector<float>{1, 2, 3});
}

}  // namespace
}  // namespace perigee
