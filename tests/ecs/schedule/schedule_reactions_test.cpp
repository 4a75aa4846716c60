// Reactions run in rounds after each group, until none is triggered or the limit is reached.
#include "ecs/events/system_events.h"
#include "ecs/inspect/world_stats.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/observers.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

struct Fixture {
    Fixture() : world(tiny_chunks()), schedule(world) {
        declare_test_components(world);
        declare_test_events(world);
        schedule.on_error([this](const SystemStatus& status) { errors.push_back(status.error); });
    }
    template <typename Function> SystemDesc reaction(std::string name, Trigger trigger, Function fn) {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.reacts_to = trigger;
        desc.run = [fn](SystemContext& context) -> Result<void> {
            fn(context);
            return {};
        };
        return desc;
    }
    // Logs its name and the sum of the damage.
    SystemDesc noting(std::string name) {
        return reaction(name, {Trigger::Kind::event, world.id<Damage>()},
                        [this, name](SystemContext& context) {
                            float sum = 0;
                            for (const Damage& hit : context.batch->events.as<Damage>()) sum += hit.amount;
                            notes.push_back(name + " " + std::to_string(static_cast<int>(sum)));
                        });
    }
    void send(float amount) {
        EventWriter writer(world);
        writer.send(Damage{Entity{}, amount});
        writer.deliver();
    }
    void run(std::string_view group = kSimulation) { schedule.run_group(group, time).value(); }
    Names take_notes() { return std::exchange(notes, {}); }

    World world;
    Schedule schedule;
    TickTime time;
    Names notes;
    Names errors;
};

TEST_CASE("a reaction runs once at the end of the group, with all events sent in it") {
    Fixture f;
    f.send(100);  // before it was added
    f.schedule.add(f.noting("hurt")).value();
    SystemDesc hit;
    hit.name = "hit";
    hit.access.write = {f.world.id<Damage>()};
    hit.run = [&](SystemContext& context) -> Result<void> {
        CHECK(f.notes.empty());
        CHECK(context.batch == nullptr);
        for (int i = 1; i <= 4; ++i) context.events.send(Damage{Entity{}, static_cast<float>(i)});
        return {};
    };
    f.schedule.add(std::move(hit)).value();
    f.run(kInitialization);
    CHECK(f.take_notes().empty());
    f.run();
    CHECK(f.take_notes() == Names{"hurt 10"});
    f.run(kTransforms);
    f.run(kPresentation);
    CHECK(f.notes.empty());
}

TEST_CASE("reactions run in their declared order, then by name") {
    Fixture f;
    f.schedule.add(f.noting("b")).value();
    SystemDesc last = f.noting("a");
    last.after = {"c"};
    f.schedule.add(std::move(last)).value();
    f.schedule.add(f.noting("c")).value();
    f.send(1);
    f.run();
    CHECK(f.take_notes() == Names{"b 1", "c 1", "a 1"});
    CHECK(f.schedule.order(kReactions) == Names{"b", "c", "a"});
}

TEST_CASE("reactions also run at the end of a nested group, and events they send trigger the next round") {
    Fixture f;
    SystemDesc more =
        f.reaction("more", {Trigger::Kind::event, f.world.id<Damage>()}, [&](SystemContext& context) {
            for (const Damage& hit : context.batch->events.as<Damage>()) {
                if (hit.amount < 4) context.events.send(Damage{Entity{}, hit.amount + 1});
                context.commands.spawn();
            }
        });
    f.schedule.add(std::move(more)).value();
    SystemDesc last = f.noting("note");
    f.schedule.add(std::move(last)).value();
    f.schedule.add_group({.name = "inner"}).value();
    SystemDesc hit;
    hit.name = "hit";
    hit.group = "inner";
    hit.run = [](SystemContext& context) -> Result<void> {
        context.events.send(Damage{Entity{}, 1});
        return {};
    };
    f.schedule.add(std::move(hit)).value();
    SystemDesc after;
    after.name = "later";
    after.after = {"inner"};
    after.run = [&](SystemContext&) -> Result<void> {
        f.notes.push_back("later");
        return {};
    };
    f.schedule.add(std::move(after)).value();
    f.run();
    CHECK(f.take_notes() == Names{"note 1", "note 2", "note 3", "note 4", "later"});
    CHECK(stats_of(f.world).entities == 4);
}

TEST_CASE("reactions that trigger each other are suspended after 32 rounds and named") {
    Fixture f;
    const Trigger damage{Trigger::Kind::event, f.world.id<Damage>()};
    const Trigger over{Trigger::Kind::event, f.world.id<GameOver>()};
    int runs = 0;
    const SystemId ping = f.schedule
                              .add(f.reaction("ping", damage,
                                              [&](SystemContext& context) {
                                                  ++runs;
                                                  context.events.send(GameOver{});
                                              }))
                              .value();
    const SystemId pong = f.schedule
                              .add(f.reaction("pong", over,
                                              [&](SystemContext& context) {
                                                  ++runs;
                                                  context.events.send(Damage{});
                                                  context.events.send(GameOver{});
                                              }))
                              .value();
    const SystemId innocent = f.schedule.add(f.noting("note")).value();
    f.send(1);
    f.run();
    CHECK(runs == 31 + 31);  // ping not in the second round, pong not in the first
    REQUIRE(f.errors.size() == 2);
    CHECK(f.errors[0] ==
          "reactions set each other off without end: after 32 rounds there is still something for 'ping', "
          "'pong'; the rest is dropped");
    CHECK(f.schedule.status(ping).is_suspended);
    CHECK(f.schedule.status(pong).is_suspended);
    // A reaction that only listens got everything and keeps running.
    CHECK_FALSE(f.schedule.status(innocent).is_suspended);
    CHECK(f.take_notes().size() == 1 + 31);
    f.send(2);
    f.run();
    CHECK(f.notes == Names{"note 2"});
    CHECK(runs == 62);
}

TEST_CASE("a reaction that records commands in each round of a loop without triggering it keeps running") {
    Fixture f;
    const ComponentId health = f.world.id<Health>(), frozen = f.world.id<Frozen>();
    const SystemId bad =
        f.schedule
            .add(f.reaction("bad", {Trigger::Kind::added, health},
                            [](SystemContext& context) { context.commands.spawn(Health{}); }))
            .value();
    std::size_t heard = 0;
    const SystemId answering = f.schedule
                                   .add(f.reaction("answers", {Trigger::Kind::added, health},
                                                   [&](SystemContext& context) {
                                                       ++heard;
                                                       context.commands.spawn(Frozen{});
                                                       context.events.send(GameOver{});
                                                   }))
                                   .value();
    std::size_t answers = 0;
    const SystemId last =
        f.schedule.add(f.reaction("last", {Trigger::Kind::added, frozen}, [&](SystemContext&) { ++answers; }))
            .value();
    f.world.spawn(Health{});
    f.run();
    REQUIRE(f.errors.size() == 1);
    CHECK_THAT(f.errors.front(), Contains("something for 'bad'; the rest"));
    CHECK(f.schedule.status(bad).is_suspended);
    CHECK_FALSE(f.schedule.status(answering).is_suspended);
    CHECK_FALSE(f.schedule.status(last).is_suspended);
    CHECK(heard == Schedule::kMaxRounds + 1);
    CHECK(answers == heard);
}

TEST_CASE("a loop of changed values suspends the writers and not the readers") {
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    const Entity entity = f.world.spawn(Health{1});
    SystemDesc writes = f.reaction("writes", {Trigger::Kind::changed, health},
                                   [&](SystemContext&) { f.world.edit<Health>(entity)->current += 1; });
    writes.access.write = {health};
    const SystemId writing = f.schedule.add(std::move(writes)).value();
    SystemDesc reads = f.reaction("reads", {Trigger::Kind::changed, health}, [](SystemContext&) {});
    reads.access.read = {health};
    const SystemId reading = f.schedule.add(std::move(reads)).value();
    f.world.edit<Health>(entity)->current = 5;
    f.run();
    CHECK(f.errors.size() == 1);
    CHECK(f.schedule.status(writing).is_suspended);
    CHECK_FALSE(f.schedule.status(reading).is_suspended);
}

TEST_CASE("two loops at the same time are both suspended") {
    Fixture f;
    const auto again = [](auto event) {
        return [event](SystemContext& context) { context.events.send(event); };
    };
    f.schedule.add(f.reaction("a", {Trigger::Kind::event, f.world.id<Damage>()}, again(Damage{}))).value();
    f.schedule.add(f.reaction("b", {Trigger::Kind::event, f.world.id<GameOver>()}, again(GameOver{})))
        .value();
    f.send(1);
    EventWriter writer(f.world);
    writer.send(GameOver{});
    writer.deliver();
    f.run();
    CHECK(f.errors.size() == 2);
}

TEST_CASE("of a loop of reactions the optional ones are suspended, and the others keep running") {
    Fixture f;
    const Trigger damage{Trigger::Kind::event, f.world.id<Damage>()};
    const Trigger over{Trigger::Kind::event, f.world.id<GameOver>()};
    const auto sends_over = [](SystemContext& context) { context.events.send(GameOver{}); };
    const SystemId game = f.schedule.add(f.reaction("game", damage, sends_over)).value();
    SystemDesc answers =
        f.reaction("mod", over, [](SystemContext& context) { context.events.send(Damage{}); });
    answers.is_optional = true;
    const SystemId mod = f.schedule.add(std::move(answers)).value();
    f.send(1);
    f.run();
    REQUIRE(f.errors.size() == 1);
    CHECK_THAT(f.errors.front(), Contains("something for 'mod'; the rest"));
    CHECK(f.schedule.status(mod).is_suspended);
    CHECK_FALSE(f.schedule.status(game).is_suspended);
}

TEST_CASE("of a loop longer than the watched rounds, the last triggered reactions are suspended") {
    Fixture f;
    constexpr int kLength = 40;
    std::vector<ComponentId> events;
    for (int i = 0; i < kLength; ++i) {
        Schema schema;
        schema.name = "Event" + std::to_string(i);
        schema.kind = ComponentKind::event;
        events.push_back(f.world.declare(std::move(schema)).value());
    }
    for (int i = 0; i < kLength; ++i) {
        const ComponentId next = events[static_cast<std::size_t>((i + 1) % kLength)];
        SystemDesc step = f.reaction("step " + std::to_string(i),
                                     {Trigger::Kind::event, events[static_cast<std::size_t>(i)]},
                                     [next](SystemContext& context) { context.events.send(next); });
        f.schedule.add(std::move(step)).value();
    }
    EventWriter writer(f.world);
    writer.send(events[0]);
    writer.deliver();
    f.run();
    CHECK(f.errors.size() == 1);
}

TEST_CASE("a loop of two thousand reactions is found quickly, and its message names eight of them") {
    Fixture f;
    const Trigger damage{Trigger::Kind::event, f.world.id<Damage>()};
    constexpr std::size_t kReactions = 2000;
    for (std::size_t i = 0; i < kReactions; ++i) {
        f.schedule
            .add(f.reaction("loop " + std::to_string(i), damage,
                            [i](SystemContext& context) {
                                if (i % 100 == 0) context.events.send(Damage{});
                            }))
            .value();
    }
    f.send(1);
    const auto start = std::chrono::steady_clock::now();
    f.run();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    REQUIRE(f.errors.size() == kReactions / 100);
    CHECK_THAT(f.errors.front(), Contains("and 12 others; the rest"));
}

TEST_CASE("a failing reaction is suspended, and its batch is lost") {
    Fixture f;
    bool is_bad = true;
    int seen = 0;
    SystemDesc desc = f.reaction("bad", {Trigger::Kind::event, f.world.id<Damage>()}, [](SystemContext&) {});
    desc.run = [&](SystemContext& context) -> Result<void> {
        context.commands.spawn();
        context.events.send(GameOver{});
        seen += static_cast<int>(context.batch->events.count);
        if (is_bad) return Error{"ouch"};
        return {};
    };
    const SystemId bad = f.schedule.add(std::move(desc)).value();
    f.schedule.add(f.noting("good")).value();
    f.send(1);
    f.run();
    CHECK(f.errors == Names{"ouch"});
    CHECK(f.take_notes() == Names{"good 1"});
    CHECK(stats_of(f.world).entities == 0);
    CHECK(f.world.events().kept(f.world.id<GameOver>()).count == 0);
    f.send(2);
    f.run();
    is_bad = false;
    f.schedule.resume(bad);
    f.run();
    CHECK(seen == 1);
    f.send(3);
    f.run();
    CHECK(seen == 2);
}

TEST_CASE("a reaction that is disabled or whose condition is false misses its triggers") {
    Fixture f;
    bool is_wanted = false;
    SystemDesc picky = f.noting("picky");
    picky.run_if = [&](const SystemContext&) { return is_wanted; };
    f.schedule.add(std::move(picky)).value();
    const SystemId off = f.schedule.add(f.noting("off")).value();
    f.schedule.set_enabled(off, false);
    f.send(1);
    f.run();
    CHECK(f.take_notes().empty());
    is_wanted = true;
    f.schedule.set_enabled(off, true);
    f.run();
    CHECK(f.take_notes().empty());
    f.send(2);
    f.run();
    CHECK(f.take_notes() == Names{"off 2", "picky 2"});
}

TEST_CASE("presentation triggers no reaction; pending triggers wait for the next group") {
    Fixture f;
    f.schedule.add(f.noting("note")).value();
    f.send(1);
    f.run(kPresentation);
    CHECK(f.notes.empty());
    f.run(kTransforms);
    CHECK(f.take_notes() == Names{"note 1"});
}

TEST_CASE("reactions without conflicts run in parallel with the same result") {
    WorkerPool pool(3);
    std::vector<std::uint64_t> totals[2];
    for (int shared = 0; shared < 2; ++shared) {
        Fixture f;
        if (shared == 1) f.schedule.use_workers(&pool);
        for (int i = 0; i < 6; ++i) {
            SystemDesc desc = f.reaction(
                "r" + std::to_string(i), {Trigger::Kind::event, f.world.id<Damage>()},
                [i](SystemContext& context) {
                    for (const Damage& hit : context.batch->events.as<Damage>()) {
                        if (hit.amount > 8) continue;
                        const auto next = static_cast<float>(2 * hit.amount + static_cast<float>(i % 2));
                        context.events.send(Damage{context.commands.spawn(), next});
                    }
                });
            desc.access.read = {f.world.id<Health>()};
            desc.access.write = {f.world.id<Damage>()};
            f.schedule.add(std::move(desc)).value();
        }
        CHECK(f.schedule.order(kReactions).size() == 6);
        CHECK(f.schedule.stages(kReactions).size() == 1);
        f.send(3);
        f.run();
        for (const Damage& hit : f.world.events().kept(f.world.id<Damage>()).as<Damage>()) {
            totals[shared].push_back(hit.target.bits * 1000 + static_cast<std::uint64_t>(hit.amount));
        }
        CHECK(totals[shared].size() > 40);
    }
    CHECK(totals[0] == totals[1]);
}

TEST_CASE("reactions to changes of components get all changes, and their commands trigger the next round") {
    Fixture f;
    const ComponentId health = f.world.id<Health>();
    std::vector<std::string> reported;
    const auto tell = [&](Trigger::Kind kind, auto fn) {
        f.schedule
            .add(f.reaction(std::string(trigger_name(kind)), {kind, health},
                            [&reported, kind, fn](SystemContext& context) {
                                const ObservedBatch& batch = context.batch->observed;
                                for (std::size_t i = 0; i < batch.entities.size(); ++i) {
                                    const auto* value = reinterpret_cast<const Health*>(batch.values);
                                    reported.push_back(
                                        std::string(trigger_name(kind)) + " " +
                                        (value == nullptr ? "-" : std::to_string(value[i].current)));
                                    fn(context, batch.entities[i]);
                                }
                            }))
            .value();
    };
    const Health hurt{0, 100};
    tell(Trigger::Kind::added,
         [&](SystemContext& context, Entity e) { context.commands.set(e, health, &hurt); });
    tell(Trigger::Kind::changed, [&](SystemContext& context, Entity e) { context.commands.destroy(e); });
    tell(Trigger::Kind::destroyed, [](SystemContext&, Entity) {});
    tell(Trigger::Kind::removed, [](SystemContext&, Entity) {});
    const Entity kept = f.world.spawn(Health{7, 9}, Position{});
    f.world.remove(kept, health);
    f.world.spawn(Health{5, 9});
    f.run(kPresentation);
    CHECK(reported.empty());
    f.run();
    CHECK(reported == Names{"added -", "added -", "removed 7", "changed 5", "destroyed 0"});
    CHECK(f.world.is_alive(kept));
    const SystemId added = *f.schedule.find("added");
    f.schedule.remove(added);
    CHECK_FALSE(f.world.observers().is_observed({Trigger::Kind::added, health}));
    CHECK(f.world.observers().is_observed({Trigger::Kind::removed, health}));
}

TEST_CASE("invalid declarations of reactions are refused") {
    Fixture f;
    const auto mistake = [&](SystemDesc desc) { return f.schedule.add(std::move(desc)).error().message; };
    CHECK(
        mistake(f.reaction("x", {Trigger::Kind::event, f.world.id<Health>()}, [](SystemContext&) {})) ==
        "reaction 'x': no system can react to 'event' of 'Health', which is a component: expected an event");
    SystemDesc often = f.noting("often");
    often.every = 1;
    CHECK_THAT(mistake(std::move(often)),
               Contains("reaction 'often': a reaction runs when there is something"));
    SystemDesc plain;
    plain.name = "plain";
    plain.group = kReactions;
    plain.run = [](SystemContext&) -> Result<void> { return {}; };
    CHECK(mistake(std::move(plain)) == "'plain': group 'reactions' is for what reacts to events and changes");
    CHECK(f.schedule.add_group({.name = "g", .group = std::string(kReactions)}).error().message ==
          "'g': group 'reactions' is for what reacts to events and changes");
}

}  // namespace
}  // namespace perigee
