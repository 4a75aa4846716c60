// Delivered events: order, numbers, two ticks, limits.
#include "ecs/storage/event_store.h"

#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace perigee {
namespace {

constexpr ComponentId kHit{3};
constexpr ComponentId kOver{5};

void deliver(EventStore& store, ComponentId event, std::vector<std::uint32_t> values) {
    REQUIRE(store.make_room(event, values.size()));
    store.deliver(event, reinterpret_cast<const std::byte*>(values.data()), values.size());
}

std::vector<std::uint32_t> values_of(const EventBatch& batch) {
    const std::span<const std::uint32_t> rows = batch.as<std::uint32_t>();
    return {rows.begin(), rows.end()};
}

TEST_CASE("events are stored in order, and since(n) returns those from number n on") {
    EventStore store(1024);
    store.create(kHit, 4);
    CHECK(store.kept(kHit).count == 0);
    deliver(store, kHit, {1, 2});
    deliver(store, kHit, {3});
    CHECK(values_of(store.kept(kHit)) == std::vector<std::uint32_t>{1, 2, 3});
    CHECK(values_of(store.since(kHit, 1)) == std::vector<std::uint32_t>{2, 3});
    CHECK(store.since(kHit, store.next_number(kHit)).count == 0);
    CHECK(store.since(kHit, 1000).count == 0);
}

TEST_CASE("an event is kept for its tick and the next one") {
    EventStore store(1024);
    store.create(kHit, 4);
    deliver(store, kHit, {1});
    store.begin_tick();
    deliver(store, kHit, {2});
    CHECK(values_of(store.kept(kHit)) == std::vector<std::uint32_t>{1, 2});
    store.begin_tick();
    CHECK(values_of(store.kept(kHit)) == std::vector<std::uint32_t>{2});
    CHECK(values_of(store.since(kHit, 0)) == std::vector<std::uint32_t>{2});
    store.begin_tick();
    CHECK(store.kept(kHit).count == 0);
    CHECK(store.next_number(kHit) == 2);
}

TEST_CASE("events without fields are only counted") {
    EventStore store(8);
    store.create(kOver, 0);
    CHECK(store.max_count(kOver) == 8);
    REQUIRE(store.make_room(kOver, 3));
    store.deliver(kOver, nullptr, 3);
    CHECK(store.kept(kOver).count == 3);
    CHECK(store.since(kOver, 2).count == 1);
    CHECK_FALSE(store.make_room(kOver, 6));
    CHECK(store.make_room(kOver, 5));
}

TEST_CASE("the number of stored events of each type is limited") {
    EventStore store(40);
    store.create(kHit, 4);
    store.create(kOver, 4);
    CHECK(store.max_count(kHit) == 10);
    deliver(store, kHit, std::vector<std::uint32_t>(10, 7));
    CHECK(store.room(kHit) == 0);
    CHECK_FALSE(store.make_room(kHit, 1));
    CHECK(store.make_room(kHit, 0));
    CHECK(store.room(kOver) == 10);
    CHECK_FALSE(store.make_room(kOver, SIZE_MAX));
    store.clear();
    CHECK(store.room(kHit) == 10);
}

TEST_CASE("using an unknown type and delivering without room break a contract") {
    EventStore store(40);
    store.create(kHit, 4);
    CHECK(store.has(kHit));
    CHECK_FALSE(store.has(kOver));
    CHECK_FALSE(store.has(ComponentId{}));
    const ContractWatch watch;
    CHECK_THROWS_AS(store.create(kHit, 4), BrokenContract);
    deliver(store, kHit, {1});
    CHECK_THROWS_AS(store.kept(kHit).as<double>(), BrokenContract);
}

TEST_CASE("random deliveries, ticks and reads agree with a model of lists") {
    std::mt19937 random(7);
    EventStore store(256);
    struct Model {
        std::deque<std::pair<std::uint32_t, int>> kept;  // value, tick
        std::uint64_t first = 0;
    };
    std::map<ComponentId, Model> models;
    for (const ComponentId id : {kHit, kOver}) {
        store.create(id, 4);
        models[id];
    }
    int tick = 0;
    std::uint32_t next = 0;
    for (int step = 0; step < 4000; ++step) {
        const ComponentId id = random() % 2 == 0 ? kHit : kOver;
        Model& model = models[id];
        switch (random() % 8) {
            case 0: {
                ++tick;
                store.begin_tick();
                for (auto& [event, other] : models) {
                    while (!other.kept.empty() && other.kept.front().second < tick - 1) {
                        other.kept.pop_front();
                        ++other.first;
                    }
                }
                break;
            }
            case 1:
                if (random() % 50 != 0) break;
                store.clear();
                for (auto& [event, other] : models) {
                    other.first += other.kept.size();
                    other.kept.clear();
                }
                break;
            default: {
                std::vector<std::uint32_t> values(random() % 9);
                for (std::uint32_t& value : values) value = next++;
                const bool fits = model.kept.size() + values.size() <= 64;
                REQUIRE(store.make_room(id, values.size()) == fits);
                if (!fits) break;
                deliver(store, id, values);
                for (const std::uint32_t value : values) model.kept.emplace_back(value, tick);
            }
        }
        REQUIRE(store.next_number(id) == model.first + model.kept.size());
        const std::uint64_t from = random() % (store.next_number(id) + 2);
        std::vector<std::uint32_t> expected;
        for (std::size_t i = 0; i < model.kept.size(); ++i) {
            if (model.first + i >= from) expected.push_back(model.kept[i].first);
        }
        REQUIRE(values_of(store.since(id, from)) == expected);
    }
}

}  // namespace
}  // namespace perigee
