// Which observer pays for records and copies, and what happens when none can.
#include "ecs/commands/playback_limit.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/observe.h"
#include "ecs/world/observers.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Kind = Trigger::Kind;

struct Purse final : ObservationPayer {
    explicit Purse(std::size_t bytes = SIZE_MAX) : limit(bytes) {}
    bool hold(std::size_t bytes) noexcept override {
        if (bytes > limit - charged) return false;
        charged += bytes;
        return true;
    }
    void release(std::size_t bytes) noexcept override { charged -= bytes; }

    std::size_t limit;
    std::size_t charged = 0;
};

struct Fixture {
    Fixture() : world(tiny_chunks(4)) { declare_test_components(world); }

    Observers& observers() { return world.observers(); }
    std::size_t changed() {
        observers().publish(world);
        return observers().batch({Kind::changed, world.id<Health>()}).entities.size();
    }

    World world;
};

TEST_CASE("the first observer pays for copies of values and is refunded when the rows are gone") {
    Fixture f;
    Purse first, second;
    const Trigger trigger{Kind::changed, f.world.id<Health>()};
    start_observing(f.world, trigger, &first).value();
    start_observing(f.world, trigger, &second).value();
    // One entity in each page.
    std::vector<Entity> some;
    for (int i = 0; i < 10'000; ++i) {
        const Entity entity = f.world.spawn();
        if (i % 256 == 0) some.push_back(entity);
    }
    std::size_t before = first.charged;
    for (const Entity entity : some) {
        REQUIRE(f.world.add(entity, Health{1}));
        CHECK(first.charged > before);
        before = first.charged;
    }
    CHECK(second.charged == 0);
    CHECK(first.charged == f.observers().byte_count());
    CHECK(f.changed() == 0);
    for (const Entity entity : some) f.world.edit<Health>(entity)->current = 2;
    CHECK(f.changed() == some.size());
    // The next observer takes over.
    stop_observing(f.world, trigger, &first);
    CHECK(first.charged == 0);
    CHECK(second.charged == f.observers().byte_count());
    for (const Entity entity : some) f.world.edit<Health>(entity)->current = 3;
    CHECK(f.changed() == some.size());
    for (const Entity entity : some) f.world.destroy(entity);
    f.changed();
    CHECK(second.charged < before / 4);
    stop_observing(f.world, trigger, &second);
    CHECK(second.charged == 0);
    CHECK(f.observers().is_empty());
}

TEST_CASE("records of added and removed rows are paid for until they were shown") {
    Fixture f;
    Purse purse;
    start_observing(f.world, {Kind::removed, f.world.id<Health>()}, &purse).value();
    const Entity entity = f.world.spawn();
    for (int i = 0; i < 1000; ++i) {
        f.world.add(entity, Health{1});
        f.world.remove<Health>(entity);
    }
    constexpr std::size_t kBytes = 1000 * (sizeof(Entity) + sizeof(Health));
    CHECK(purse.charged == kBytes);
    f.observers().publish(f.world);
    CHECK(purse.charged == kBytes);
    f.observers().publish(f.world);
    CHECK(purse.charged == 0);
}

TEST_CASE("records that the observer cannot pay for are lost to it, and nothing else changes") {
    Fixture f;
    Purse purse(20'000);
    const ComponentId health = f.world.id<Health>();
    start_observing(f.world, {Kind::changed, health}, &purse).value();
    std::vector<Entity> far;
    for (int i = 0; i < 2000; ++i) far.push_back(f.world.spawn());
    CHECK(f.world.add(far.front(), Health{1}));
    CHECK(f.world.add(far.back(), Health{1}));
    CHECK(f.observers().lost_count() == 1);
    CHECK(f.observers().lost_count({Kind::changed, health}) == 0);
    CHECK(f.observers().publish(f.world));
    CHECK(f.observers().lost_count({Kind::changed, health}) == 1);
    // The row is not compared; others are.
    f.world.edit<Health>(far.front())->current = 2;
    f.world.edit<Health>(far.back())->current = 2;
    f.observers().publish(f.world);
    CHECK(f.observers().lost_count({Kind::changed, health}) == 0);
    const ObservedBatch batch = f.observers().batch({Kind::changed, health});
    CHECK(std::vector(batch.entities.begin(), batch.entities.end()) == std::vector{far.front()});
    // An observer that can pay less loses the records.
    Purse poor(100);
    start_observing(f.world, {Kind::changed, health}, &poor).value();
    stop_observing(f.world, {Kind::changed, health}, &purse);
    CHECK(purse.charged == 0);
    CHECK(poor.charged == 0);
    CHECK(f.observers().publish(f.world));
    CHECK(f.observers().lost_count({Kind::changed, health}) != 0);
    // Without a limit everything is recorded again from now on.
    f.observers().forget_payer(&poor);
    f.observers().clear();
    f.changed();
    f.world.edit<Health>(far.back())->current = 3;
    CHECK(f.changed() == 1);
}

TEST_CASE("when the first observer can no longer pay, another one takes over") {
    Fixture f;
    Purse poor(20'000), rich;
    const Trigger trigger{Kind::changed, f.world.id<Health>()};
    start_observing(f.world, trigger, &poor).value();
    start_observing(f.world, trigger, &rich).value();
    std::vector<Entity> all;
    for (int i = 0; i < 2000; ++i) all.push_back(f.world.spawn(Health{}));
    CHECK(f.observers().lost_count() == 0);
    CHECK(poor.charged == 0);
    CHECK(rich.charged == f.observers().byte_count());
    f.changed();
    for (const Entity entity : all) f.world.edit<Health>(entity)->current = 2;
    CHECK(f.changed() == 2000);
    stop_observing(f.world, trigger, &poor);
    CHECK(rich.charged == f.observers().byte_count());
    stop_observing(f.world, trigger, &rich);
    CHECK(rich.charged == 0);
}

TEST_CASE("a reaction with lost records fails, and the others run") {
    Fixture f;
    Schedule schedule(f.world);
    std::vector<std::string> errors;
    schedule.on_error([&](const SystemStatus& status) { errors.push_back(status.error); });
    Purse purse(20'000);
    std::size_t seen = 0, spawned = 0;
    SystemDesc reaction;
    reaction.name = "watches";
    reaction.reacts_to = Trigger{Kind::added, f.world.id<Health>()};
    reaction.payer = &purse;
    reaction.run = [&](SystemContext& context) -> Result<void> {
        seen += context.batch->observed.entities.size();
        return {};
    };
    static_cast<void>(schedule.add(std::move(reaction)).value());
    SystemDesc spawner;
    spawner.name = "spawns";
    spawner.run = [&](SystemContext& context) -> Result<void> {
        for (int i = 0; i < 1000; ++i) context.commands.spawn(Health{});
        spawned += 1000;
        return {};
    };
    static_cast<void>(schedule.add(std::move(spawner)).value());
    TickTime time;
    const auto step = [&] {
        schedule.run_group(kSimulation, time).value();
        ++time.tick;
    };
    step();
    CHECK(seen == 1000);
    CHECK(errors.empty());
    purse.limit = 100;
    for (int i = 0; i < 3; ++i) step();
    CHECK(seen == 1000);
    CHECK(spawned == 4000);
    CHECK(f.world.entity_count() == 4000);
    REQUIRE(errors.size() == 1);
    CHECK(errors.front() ==
          "system 'watches' cannot react any more: there was no memory for records and old "
          "values of 'Health'");
}

TEST_CASE("an observer of one kind does not pay for another kind") {
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    Purse poor(20'000), game;
    start_observing(f.world, {Kind::changed, health}, &poor).value();
    start_observing(f.world, {Kind::removed, health}, &game).value();
    std::vector<Entity> all;
    for (int i = 0; i < 2000; ++i) all.push_back(f.world.spawn(Health{}));
    CHECK(game.charged == 0);
    for (const Entity entity : all) f.world.remove<Health>(entity);
    CHECK(game.charged == all.size() * (sizeof(Entity) + sizeof(Health)));
    f.observers().publish(f.world);
    CHECK(f.observers().lost_count({Kind::changed, health}) != 0);
    CHECK(f.observers().lost_count({Kind::removed, health}) == 0);
    CHECK(f.observers().batch({Kind::removed, health}).entities.size() == all.size());
    // The poor observer leaves without taking records away.
    stop_observing(f.world, {Kind::changed, health}, &poor);
    CHECK(poor.charged == 0);
    CHECK(f.observers().batch({Kind::removed, health}).entities.size() == all.size());
}

TEST_CASE("an observer with two reactions to one trigger keeps paying when one is removed") {
    Fixture f;
    const Trigger trigger{Kind::removed, f.world.id<Health>()};
    Purse purse;
    start_observing(f.world, trigger, &purse).value();
    start_observing(f.world, trigger, &purse).value();
    f.world.remove<Health>(f.world.spawn(Health{}));
    purse.limit = 0;  // its limit was lowered since then
    stop_observing(f.world, trigger, &purse);
    f.observers().publish(f.world);
    CHECK(f.observers().lost_count(trigger) == 0);
    CHECK(f.observers().batch(trigger).entities.size() == 1);
}

TEST_CASE("an observer that can pay loses nothing, even beside observers that cannot") {
    const unsigned seed = GENERATE(range(0u, 30u));
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto any = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    constexpr std::array<Kind, 4> kKinds{Kind::added, Kind::removed, Kind::changed, Kind::destroyed};
    const Trigger mine{kKinds[any(4)], health};
    Purse game;
    std::deque<Purse> poor;
    std::vector<std::pair<Trigger, Purse*>> there;
    std::vector<Entity> alive;
    const std::size_t game_turn = any(10);
    for (std::size_t turn = 0; turn < 20; ++turn) {
        if (turn == game_turn) start_observing(f.world, mine, &game).value();
        if (any(2) == 0) {
            poor.emplace_back(any(2) == 0 ? any(200) : any(40'000));
            there.emplace_back(Trigger{kKinds[any(4)], health}, &poor.back());
            start_observing(f.world, there.back().first, there.back().second).value();
        } else if (!there.empty() && any(2) == 0) {
            const std::size_t place = any(there.size());
            stop_observing(f.world, there[place].first, there[place].second);
            there.erase(there.begin() + static_cast<std::ptrdiff_t>(place));
        }
        for (std::size_t i = any(300); i > 0; --i) alive.push_back(f.world.spawn(Health{}));
        for (std::size_t i = any(200); i > 0 && !alive.empty(); --i) {
            const std::size_t place = any(alive.size());
            const Entity entity = alive[place];
            if (any(3) != 0 && f.world.has<Health>(entity)) {
                f.world.edit<Health>(entity)->current += 1;
                continue;
            }
            if (any(2) == 0) {
                f.world.remove<Health>(entity);
            } else {
                f.world.destroy(entity);
            }
            alive[place] = alive.back();
            alive.pop_back();
        }
        f.observers().publish(f.world);
        std::size_t charged = game.charged;
        for (const Purse& purse : poor) charged += purse.charged;
        REQUIRE(charged == f.observers().byte_count());
        // Changes before it observed are not recorded for it.
        if (turn > game_turn) REQUIRE(f.observers().lost_count(mine) == 0);
    }
}

struct RecordLimit final : PlaybackLimit {
    explicit RecordLimit(std::size_t bytes) {
        work = 1e9;
        record_bytes = bytes;
    }
};

TEST_CASE("a system whose commands cause too many records fails, and the reactions to them do not") {
    Fixture f;
    Schedule schedule(f.world);
    std::vector<std::string> errors;
    schedule.on_error([&](const SystemStatus& status) { errors.push_back(status.error); });
    constexpr std::size_t kRecord = sizeof(Entity) + sizeof(Health);
    Purse purse(20 * kRecord);
    std::size_t seen = 0;
    SystemDesc reaction;
    reaction.name = "game";
    reaction.reacts_to = Trigger{Kind::destroyed, f.world.id<Health>()};
    reaction.payer = &purse;
    reaction.run = [&](SystemContext& context) -> Result<void> {
        seen += context.batch->observed.entities.size();
        return {};
    };
    static_cast<void>(schedule.add(std::move(reaction)).value());
    RecordLimit limit(10 * kRecord);
    SystemDesc flood;
    flood.name = "mod";
    flood.run = [&](SystemContext& context) -> Result<void> {
        context.commands.limit(&limit);
        for (int i = 0; i < 100; ++i) context.commands.destroy(context.commands.spawn(Health{}));
        return {};
    };
    static_cast<void>(schedule.add(std::move(flood)).value());
    schedule.run_group(kSimulation, {}).value();
    CHECK(seen == 10);
    CHECK(limit.record_bytes == 0);
    CHECK(f.world.entity_count() == 0);
    REQUIRE(errors.size() == 1);
    CHECK(errors.front() ==
          "system 'mod': its commands caused more records for reactions to changes than one step allows; "
          "records lost: 90, commands not carried out: 0");
}

}  // namespace
}  // namespace perigee
