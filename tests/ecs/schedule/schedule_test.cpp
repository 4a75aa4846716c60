// Systems run in a fixed order, each with its own commands, timers, random stream and failures.
#include "ecs/schedule/schedule.h"

#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

struct Fixture {
    Fixture() : world(tiny_chunks()), schedule(world, 42) { declare_test_components(world); }

    // A system that only logs its name.
    SystemDesc noting(std::string name, Names before = {}, Names after = {}) {
        SystemDesc desc;
        desc.name = name;
        desc.before = std::move(before);
        desc.after = std::move(after);
        desc.run = [this, name](SystemContext&) -> Result<void> {
            ran.push_back(name);
            return {};
        };
        return desc;
    }
    template <typename Function> SystemDesc running(std::string name, Function fn) {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.run = [fn](SystemContext& context) -> Result<void> {
            fn(context);
            return {};
        };
        return desc;
    }
    SystemDesc failing(std::string name) {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.run = [](SystemContext& context) -> Result<void> {
            context.commands.spawn();
            return Error{"main.lua:3: ouch"};
        };
        return desc;
    }

    void run(std::string_view group = kSimulation) {
        schedule.run_group(group, time).value();
        if (group == kSimulation) {
            ++time.tick;
            time.time = static_cast<double>(time.tick) * time.dt;
        }
    }

    std::string mistake_of(SystemDesc desc) {
        const std::size_t count = schedule.system_count();
        const Result<SystemId> added = schedule.add(std::move(desc));
        CHECK(schedule.system_count() == (added ? count + 1 : count));
        return added ? "no mistake" : added.error().message;
    }

    World world;
    Schedule schedule;
    TickTime time;
    Names ran;
};

TEST_CASE("a group without systems runs") {
    Fixture f;
    for (const std::string_view group : {kInitialization, kSimulation, kPresentation}) f.run(group);
    CHECK(f.schedule.system_count() == 0);
}

TEST_CASE("systems without relations run by name, in any order of registration [Q7]") {
    Names names{"a", "b", "c", "steer", "move", "mod:z", "Zoom"};
    Names sorted = names;
    std::sort(sorted.begin(), sorted.end());
    std::mt19937 random(3);
    for (int permutation = 0; permutation < 20; ++permutation) {
        Fixture f;
        std::shuffle(names.begin(), names.end(), random);
        for (const std::string& name : names) f.schedule.add(f.noting(name)).value();
        f.run();
        REQUIRE(f.ran == sorted);
        REQUIRE(f.schedule.order(kSimulation) == sorted);
    }
}

TEST_CASE("before and after apply within a group, and each group runs alone [Q7]") {
    Fixture f;
    f.schedule.add(f.noting("a", {}, {"z"})).value();
    f.schedule.add(f.noting("z")).value();
    f.schedule.add(f.noting("m", {"z"})).value();
    SystemDesc early = f.noting("early");
    early.group = kInitialization;
    f.schedule.add(early).value();
    f.run(kInitialization);
    CHECK(f.ran == Names{"early"});
    f.run();
    CHECK(f.ran == Names{"early", "m", "z", "a"});
}

TEST_CASE("an invalid declaration is refused and changes nothing") {
    Fixture f;
    f.schedule.add(f.noting("move")).value();
    CHECK(f.mistake_of(f.noting("")) == "a system of group 'simulation' has no name");
    CHECK(f.mistake_of(f.noting("move")) == "system 'move' exists already");
    CHECK(f.mistake_of(f.noting("simulation")) == "system 'simulation': a group has this name");

    SystemDesc desc = f.noting("lost");
    desc.group = "simulatoin";
    CHECK(f.mistake_of(desc) ==
          "system 'lost': unknown group 'simulatoin'; groups are initialization, simulation, transforms, "
          "presentation; did you mean 'simulation'?");

    desc = f.noting("timed");
    for (const double every :
         {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        desc.every = every;
        CHECK_THAT(f.mistake_of(desc), Contains("system 'timed': expected every >= 0 seconds"));
    }

    desc = f.noting("twice");
    desc.query.terms = {{f.world.id<Position>()}, {f.world.id<Position>()}};
    CHECK_THAT(f.mistake_of(desc), Contains("system 'twice': a query names 'Position' twice"));
    CHECK(f.schedule.order(kSimulation) == Names{"move"});
}

TEST_CASE("presentation refuses declared write access") {
    Fixture f;
    SystemDesc desc = f.noting("draw");
    desc.group = kPresentation;
    desc.query.terms = {{f.world.id<Position>(), Access::write}};
    CHECK_THAT(f.mistake_of(desc),
               Contains("system 'draw'") && Contains("'Position' is declared as written"));
    desc.query.terms = {{f.world.id<Position>(), Access::read}};
    desc.access.write = {f.world.id<Health>()};
    CHECK_THAT(f.mistake_of(desc), Contains("'Health' is declared as written"));
    desc.access.write.clear();
    desc.access.read = {f.world.id<Health>()};
    CHECK(f.mistake_of(desc) == "no mistake");
}

TEST_CASE("running a group with an invalid order is an error, and nothing runs") {
    Fixture f;
    f.schedule.add(f.noting("move")).value();
    f.schedule.add(f.noting("steer", {"mvoe"})).value();
    const Result<void> result = f.schedule.run_group(kSimulation, f.time);
    REQUIRE_FALSE(result.ok());
    CHECK_THAT(result.error().message, Contains("did you mean 'move'?"));
    CHECK(f.schedule.resolve_order().error().message == result.error().message);
    CHECK(f.ran.empty());

    f.schedule.add(f.noting("mvoe")).value();
    f.run();
    CHECK(f.ran == Names{"move", "steer", "mvoe"});
}

TEST_CASE("the error for a relation between a system and a reaction says so") {
    Fixture f;
    SystemDesc reaction = f.noting("react");
    reaction.reacts_to = Trigger{Trigger::Kind::added, f.world.id<Position>()};
    f.schedule.add(reaction).value();
    f.schedule.add(f.noting("move", {"react"})).value();
    CHECK_THAT(f.schedule.resolve_order().error().message, Contains("which is in group 'reactions'"));
}

TEST_CASE("a cycle is an error of the order") {
    Fixture f;
    f.schedule.add(f.noting("a", {"b"})).value();
    f.schedule.add(f.noting("b", {"a"})).value();
    CHECK_THAT(f.schedule.resolve_order().error().message, Contains("a -> b -> a"));
}

TEST_CASE("commands are played back at the end of the group, in system order [C1]") {
    Fixture f;
    const Entity entity = f.world.spawn();
    // Added in the wrong order on purpose; "b" must win since it runs last.
    for (const char* name : {"b", "a"}) {
        const float x = name[0] == 'a' ? 1.0f : 2.0f;
        f.schedule
            .add(f.running(name,
                           [entity, x](SystemContext& context) {
                               const Position position{x, 0};
                               context.commands.add(entity, context.world.id<Position>(), &position);
                               CHECK_FALSE(context.world.has<Position>(entity));
                           }))
            .value();
    }
    f.run();
    CHECK(f.world.get<Position>(entity)->x == 2.0f);
}

TEST_CASE("a later system of the group may use entities that an earlier one spawned") {
    Fixture f;
    Entity spawned;
    f.schedule.add(f.running("a", [&](SystemContext& c) { spawned = c.commands.spawn(); })).value();
    f.schedule.add(f.running("b", [&](SystemContext& c) { c.commands.add(spawned, c.world.id<Frozen>()); }))
        .value();
    f.run();
    CHECK(f.world.has<Frozen>(spawned));
}

TEST_CASE("a failing system loses its commands and is suspended, and other systems run") {
    Fixture f;
    std::vector<SystemStatus> failures;
    f.schedule.on_error([&](const SystemStatus& status) { failures.push_back(status); });
    const SystemId bad = f.schedule.add(f.failing("bad")).value();
    f.schedule.add(f.noting("after", {}, {"bad"})).value();
    f.schedule.add(f.noting("before", {"bad"})).value();
    f.run();
    f.run();

    CHECK(f.ran == Names{"before", "after", "before", "after"});
    CHECK(f.world.entities().used_count() == 0);
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].name == "bad");
    CHECK(failures[0].error == "main.lua:3: ouch");
    CHECK(failures[0].is_suspended);
    CHECK(f.schedule.status(bad).is_suspended);
    CHECK(f.schedule.status(bad).run_count == 1);

    f.schedule.resume(bad);
    CHECK_FALSE(f.schedule.status(bad).is_suspended);
    f.run();
    CHECK(failures.size() == 2);
}

TEST_CASE("commands of a failing system on other systems' entities are dropped") {
    Fixture f;
    const Entity entity = f.world.spawn();
    Entity promised;
    SystemDesc bad = f.failing("a bad");
    bad.run = [&](SystemContext& context) -> Result<void> {
        promised = context.commands.spawn();
        context.commands.destroy(entity);
        return Error{"no"};
    };
    f.schedule.add(bad).value();
    const SystemId trusting =
        f.schedule
            .add(f.running("b", [&](SystemContext& c) { c.commands.add(promised, c.world.id<Frozen>()); }))
            .value();
    f.run();
    CHECK(f.world.is_alive(entity));
    CHECK(f.world.entity_count() == 1);
    CHECK(f.schedule.status(trusting).commands.dropped == 1);
}

TEST_CASE("the status sums the playback reports") {
    Fixture f;
    const Entity dead = f.world.spawn();
    f.world.destroy(dead);
    const SystemId system = f.schedule
                                .add(f.running("a",
                                               [&](SystemContext& c) {
                                                   c.commands.spawn();
                                                   c.commands.add(dead, c.world.id<Frozen>());
                                               }))
                                .value();
    for (int i = 0; i < 3; ++i) f.run();
    CHECK(f.schedule.status(system).commands == PlaybackReport{3, 3, 0, 0});
    CHECK(f.schedule.status(system).run_count == 3);
    CHECK(f.schedule.status(system).last_milliseconds >= 0);
}

TEST_CASE("a disabled system does not run") {
    Fixture f;
    const SystemId system = f.schedule.add(f.noting("a")).value();
    f.schedule.set_enabled(system, false);
    f.run();
    CHECK(f.ran.empty());
    f.schedule.set_enabled(system, true);
    f.run();
    CHECK(f.ran == Names{"a"});
}

TEST_CASE("a presentation system that records commands fails, and no id is used") {
    Fixture f;
    std::string error;
    f.schedule.on_error([&](const SystemStatus& status) { error = status.error; });
    SystemDesc draw = f.running("draw", [](SystemContext& c) {
        CHECK(c.commands.is_closed());
        CHECK_FALSE(c.commands.spawn());
        c.commands.destroy(Entity{});
    });
    draw.group = kPresentation;
    f.schedule.add(draw).value();
    f.run(kPresentation);
    CHECK_THAT(error, Contains("system 'draw'") && Contains("recorded 2 commands"));
    CHECK(f.world.entities().slot_count() == 0);
}

TEST_CASE("the world is locked while a system runs and unlocked between systems") {
    Fixture f;
    ContractWatch watch;
    f.schedule
        .add(f.running("a",
                       [](SystemContext& c) {
                           CHECK(c.world.is_locked());
                           CHECK_THROWS_AS(c.world.spawn(), BrokenContract);
                       }))
        .value();
    f.run();
    CHECK_FALSE(f.world.is_locked());
}

TEST_CASE("a running system may add systems, which first run in the next run") {
    Fixture f;
    bool has_added = false;
    f.schedule
        .add(f.running("adder",
                       [&](SystemContext&) {
                           if (has_added) return;
                           has_added = true;
                           f.schedule.add(f.noting("a")).value();
                           f.schedule.add(f.noting("z", {"adder"})).value();
                       }))
        .value();
    f.run();
    CHECK(f.ran.empty());
    f.run();
    CHECK(f.ran == Names{"a", "z"});
}

TEST_CASE("running groups or asking for the order from inside a system breaks a contract") {
    Fixture f;
    ContractWatch watch;
    f.schedule
        .add(f.running("a",
                       [&](SystemContext&) {
                           CHECK_THROWS_AS(f.schedule.order(kSimulation), BrokenContract);
                           CHECK_THROWS_AS(static_cast<void>(f.schedule.run_group(kPresentation, f.time)),
                                           BrokenContract);
                       }))
        .value();
    f.run();
    CHECK_THROWS_AS(static_cast<void>(f.schedule.run_group("nowhere", f.time)), BrokenContract);
    CHECK_THROWS_AS(f.schedule.status(SystemId{}), BrokenContract);
    CHECK_THROWS_AS(f.schedule.add(SystemDesc{}), BrokenContract);
}

TEST_CASE("every counts fixed steps, and elapsed is their time") {
    Fixture f;
    std::vector<std::pair<std::uint64_t, double>> runs;
    SystemDesc desc = f.running("slow", [&](SystemContext& c) { runs.push_back({c.time.tick, c.elapsed}); });
    desc.every = 0.1;
    f.schedule.add(desc).value();
    double each_step = 0;
    f.schedule.add(f.running("fast", [&](SystemContext& c) { each_step += c.elapsed; })).value();
    for (int step = 0; step < 18; ++step) f.run();
    const double interval = 6 * f.time.dt;
    CHECK(runs ==
          std::vector<std::pair<std::uint64_t, double>>{{5, interval}, {11, interval}, {17, interval}});
    CHECK(each_step == Approx(18 * f.time.dt));
}

TEST_CASE("in presentation every counts the steps between frames, not the frames") {
    Fixture f;
    int runs = 0;
    SystemDesc desc = f.running("hud", [&](SystemContext&) { ++runs; });
    desc.group = kPresentation;
    desc.every = 0.1;
    f.schedule.add(desc).value();
    f.run(kPresentation);
    for (int step = 0; step < 60; ++step) {
        f.run();
        for (int frame = 0; frame < 4; ++frame) f.run(kPresentation);
    }
    CHECK(runs == 10);
}

TEST_CASE("a timer stops while its system is disabled") {
    Fixture f;
    int runs = 0;
    SystemDesc desc = f.running("slow", [&](SystemContext&) { ++runs; });
    desc.every = 0.1;
    const SystemId system = f.schedule.add(desc).value();
    for (int step = 0; step < 5; ++step) f.run();
    f.schedule.set_enabled(system, false);
    for (int step = 0; step < 50; ++step) f.run();
    f.schedule.set_enabled(system, true);
    CHECK(runs == 0);
    f.run();
    CHECK(runs == 1);
}

TEST_CASE("each system draws from its own stream, named after it and seeded by the game") {
    const auto draws = [](std::uint64_t seed, const Names& names) {
        World world(tiny_chunks());
        Schedule schedule(world, seed);
        std::map<std::string, std::uint64_t> drawn;
        for (const std::string& name : names) {
            SystemDesc desc;
            desc.name = name;
            desc.run = [&drawn, name](SystemContext& c) -> Result<void> {
                drawn[name] = c.random.next();
                return {};
            };
            schedule.add(desc).value();
        }
        schedule.run_group(kSimulation, TickTime{}).value();
        return drawn;
    };
    const auto both = draws(1, {"a", "b"});
    CHECK(both.at("a") != both.at("b"));
    CHECK(draws(1, {"b"}).at("b") == both.at("b"));
    CHECK(draws(2, {"b"}).at("b") != both.at("b"));
    CHECK(both.at("a") == Random(stream_seed(1, "a")).next());
}

TEST_CASE("reset restarts streams and timers, and everything counts as changed") {
    Fixture f;
    std::vector<std::uint64_t> drawn;
    std::vector<std::uint32_t> versions;
    SystemDesc desc = f.running("a", [&](SystemContext& c) {
        drawn.push_back(c.random.next());
        versions.push_back(c.last_run_version);
    });
    desc.every = 0.1;
    f.schedule.add(desc).value();
    for (int step = 0; step < 16; ++step) f.run();
    REQUIRE(drawn.size() == 2);
    CHECK(versions[1] > 0);

    f.schedule.reset(42);
    for (int step = 0; step < 12; ++step) f.run();
    REQUIRE(drawn.size() == 4);
    CHECK(drawn[2] == drawn[0]);
    CHECK(drawn[3] == drawn[1]);
    CHECK(versions[2] == 0);

    f.schedule.reset(43);
    for (int step = 0; step < 6; ++step) f.run();
    CHECK(drawn[4] != drawn[0]);
}

// The chunks that one system would skip with a changed filter: no other system wrote their Position since its
// last run.
struct ChangeWatcher {
    explicit ChangeWatcher(Fixture& f, std::string name = "watch") {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.query.terms = {{f.world.id<Position>(), Access::write}};
        desc.run = [this](SystemContext& c) -> Result<void> {
            changed = 0;
            // Checked before the visit marks the columns as written by this run.
            for (const QueryMatch& match : c.query->matches()) {
                for (std::uint32_t chunk = 0; chunk < match.archetype->chunk_count(); ++chunk) {
                    const ChunkView view(match, match.archetype->chunks()[chunk], chunk);
                    changed += view.changed_since(0, c.last_run_version) ? 1 : 0;
                }
            }
            c.world.each_chunk(*c.query, [](ChunkView&) {});
            return {};
        };
        f.schedule.add(desc).value();
    }
    int changed = -1;
};

TEST_CASE("a system sees changes by others since its last run, and not its own [Q3]") {
    Fixture f;
    const Entity entity = f.world.spawn(Position{});
    ChangeWatcher watcher(f);
    f.run();
    CHECK(watcher.changed == 1);  // in the first run everything counts as changed
    f.run();
    CHECK(watcher.changed == 0);

    f.world.set(entity, Position{1, 1});  // by the host, between groups
    f.run();
    CHECK(watcher.changed == 1);
    f.run();
    CHECK(watcher.changed == 0);
}

TEST_CASE("changes by earlier and later systems and by commands all count [Q3]") {
    const std::string name = GENERATE(as<std::string>{}, "a writer", "z writer");
    const bool is_deferred = GENERATE(false, true);
    Fixture f;
    const Entity entity = f.world.spawn(Position{});
    ChangeWatcher watcher(f);
    bool is_writing = false;
    f.schedule
        .add(f.running(name,
                       [&](SystemContext& c) {
                           if (!is_writing) return;
                           const Position moved{1, 2};
                           if (is_deferred) {
                               c.commands.set(entity, c.world.id<Position>(), &moved);
                           } else {
                               c.world.set(entity, moved);
                           }
                       }))
        .value();
    f.run();
    f.run();
    REQUIRE(watcher.changed == 0);
    is_writing = true;
    f.run();
    is_writing = false;
    const bool is_seen_at_once = watcher.changed == 1;
    f.run();
    CHECK(is_seen_at_once == (name == "a writer" && !is_deferred));
    CHECK(watcher.changed == (is_seen_at_once ? 0 : 1));
    f.run();
    CHECK(watcher.changed == 0);
}

TEST_CASE("a failed run does not consume the changes [Q3]") {
    Fixture f;
    f.world.spawn(Position{});
    std::vector<std::uint32_t> versions;
    bool is_failing = false;
    SystemDesc desc = f.noting("a");
    desc.run = [&](SystemContext& c) -> Result<void> {
        versions.push_back(c.last_run_version);
        if (is_failing) return Error{"no"};
        return {};
    };
    const SystemId system = f.schedule.add(desc).value();
    f.run();
    is_failing = true;
    f.run();
    f.schedule.resume(system);
    f.run();
    REQUIRE(versions.size() == 3);
    CHECK(versions[0] == 0);
    CHECK(versions[1] > 0);
    CHECK(versions[2] == versions[1]);
}

TEST_CASE("a system gets its declared query, or none") {
    Fixture f;
    f.world.spawn(Position{}, Velocity{});
    f.world.spawn(Position{}, Frozen{});
    std::uint64_t rows = 0;
    SystemDesc desc = f.running("move", [&](SystemContext& c) { rows = c.query->entity_count(); });
    desc.query.terms = {{f.world.id<Position>(), Access::write}};
    desc.query.without = {f.world.id<Frozen>()};
    f.schedule.add(desc).value();
    f.schedule.add(f.running("plain", [](SystemContext& c) { CHECK(c.query == nullptr); })).value();
    f.run();
    CHECK(rows == 1);
}

TEST_CASE("systems are found by name") {
    Fixture f;
    const SystemId move = f.schedule.add(f.noting("move")).value();
    CHECK(f.schedule.find("move") == move);
    CHECK_FALSE(f.schedule.find("mov").has_value());
    CHECK(f.schedule.status(move).name == "move");
    CHECK(f.schedule.status(move).group == "simulation");
}

TEST_CASE("on_moment reports in system order when systems may have changed the world") {
    Fixture f;
    Names reported;
    f.schedule.on_moment([&](const ScheduleMoment& moment) {
        const bool has_run = moment.kind == ScheduleMoment::Kind::ran;
        reported.push_back((has_run ? "" : "commands of ") + moment.system.name);
    });
    f.schedule.add(f.running("b", [](SystemContext& context) { context.commands.spawn(); })).value();
    f.schedule.add(f.noting("a")).value();
    f.schedule.add(f.failing("c")).value();
    SystemDesc drawing = f.noting("draw");
    drawing.group = kPresentation;
    f.schedule.add(std::move(drawing)).value();
    f.run();
    f.run(kPresentation);
    CHECK(reported == Names{"a", "b", "c", "commands of b"});
}

}  // namespace
}  // namespace perigee
