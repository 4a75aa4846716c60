// Each system sees each event once.
#include "ecs/events/system_events.h"

#include "ecs/storage/event_store.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <vector>

namespace perigee {
namespace {

struct Fixture {
    Fixture() : world(tiny_chunks()), sender(world), reader(world) { declare_test_events(world); }
    void send(std::vector<float> amounts) {
        for (const float amount : amounts) sender.send(Damage{Entity{}, amount});
        REQUIRE_FALSE(sender.deliver().has_value());
    }
    std::vector<float> unread() const {
        std::vector<float> amounts;
        for (const Damage& hit : reader.read<Damage>()) amounts.push_back(hit.amount);
        return amounts;
    }

    World world;
    EventWriter sender;
    SystemEvents reader;
};

TEST_CASE("a reader sees the events since its last run, in each call of one run") {
    Fixture f;
    f.send({1, 2});
    CHECK(f.unread() == std::vector<float>{1, 2});
    CHECK(f.unread() == std::vector<float>{1, 2});
    f.reader.mark_read();
    CHECK(f.unread().empty());
    f.send({3});
    f.send({4});
    CHECK(f.unread() == std::vector<float>{3, 4});
    f.reader.mark_read();
    CHECK(f.unread().empty());
}

TEST_CASE("events that expire before they are read are lost") {
    Fixture f;
    f.reader.mark_read();
    f.send({1});
    f.world.events().begin_tick();
    f.send({2});
    f.world.events().begin_tick();
    CHECK(f.unread() == std::vector<float>{2});
}

TEST_CASE("event types declared later can be read") {
    Fixture f;
    f.reader.mark_read();
    struct Late {
        std::int32_t number = 0;
    };
    f.world.declare_event<Late>("Late", field("number", &Late::number)).value();
    f.sender.send(Late{5});
    f.sender.deliver();
    REQUIRE(f.reader.read<Late>().size() == 1);
    CHECK(f.reader.read<Late>()[0].number == 5);
    f.reader.mark_read();
    CHECK(f.reader.read<Late>().empty());
}

TEST_CASE("a system reads and sends only declared events") {
    Fixture f;
    f.send({1});
    const ComponentId damage = f.world.id<Damage>();
    f.reader.restrict_to("armour", {damage, damage}, {});
    CHECK(f.unread() == std::vector<float>{1});
    CHECK_FALSE(f.reader.may_send(damage));
    f.reader.mark_read();
    CHECK(f.unread().empty());
#if PERIGEE_DEBUG_CHECKS
    const ContractWatch watch;
    CHECK_THROWS_WITH(f.reader.read<GameOver>(),
                      Catch::Contains("system 'armour' reads 'GameOver' but did not declare it"));
#endif
}

TEST_CASE("events without fields are counted") {
    Fixture f;
    f.sender.send(GameOver{});
    f.sender.send(GameOver{});
    f.sender.deliver();
    CHECK(f.reader.read(f.world.id<GameOver>()).count == 2);
    CHECK(f.reader.read<GameOver>().empty());
}

}  // namespace
}  // namespace perigee
