// The lifecycle of a system: created, started, run, stopped, destroyed; controlled from outside and by
// systems.
#include "ecs/schedule/schedule.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

struct Life {
    Life() : world(tiny_chunks()), schedule(std::make_unique<Schedule>(world, 1)) {
        declare_test_components(world);
        schedule->on_error([this](const SystemStatus& status) { errors.push_back(status.error); });
    }

    SystemFunction note(std::string what) {
        return [this, what](SystemContext&) -> Result<void> {
            happened.push_back(what);
            return {};
        };
    }
    // All five callbacks, each logged as "name: callback".
    SystemDesc living(const std::string& name) {
        SystemDesc desc;
        desc.name = name;
        desc.on_create = note(name + ": create");
        desc.on_start = note(name + ": start");
        desc.run = note(name + ": update");
        desc.on_stop = note(name + ": stop");
        desc.on_destroy = note(name + ": destroy");
        return desc;
    }
    Names run() {
        happened.clear();
        schedule->run_group(kSimulation, time).value();
        ++time.tick;
        return happened;
    }
    Names take() { return std::exchange(happened, {}); }

    World world;
    TickTime time;
    Names happened;
    Names errors;
    std::unique_ptr<Schedule> schedule;  // the last member: its destruction is logged
};

TEST_CASE("a system is created, started before its first run, stopped and destroyed [Q8]") {
    Life l;
    const SystemId id = l.schedule->add(l.living("a")).value();
    CHECK(l.take() == Names{"a: create"});
    CHECK(l.run() == Names{"a: start", "a: update"});
    CHECK(l.run() == Names{"a: update"});
    l.take();
    l.schedule->set_enabled(id, false);
    l.schedule->set_enabled(id, false);
    CHECK(l.take() == Names{"a: stop"});
    CHECK(l.run().empty());
    l.schedule->set_enabled(id, true);
    CHECK(l.run() == Names{"a: start", "a: update"});
    l.take();
    l.schedule->remove(id);
    CHECK(l.take() == Names{"a: stop", "a: destroy"});
    CHECK(l.schedule->system_count() == 0);
    CHECK_FALSE(l.schedule->find("a").has_value());
    l.schedule->remove(id);
    CHECK(l.run().empty());
}

TEST_CASE("destroying the schedule stops and destroys its systems, the last one first [Q8]") {
    Life l;
    l.schedule->add(l.living("a")).value();
    l.schedule->add(l.living("b")).value();
    l.run();
    l.take();
    l.schedule.reset();
    CHECK(l.take() == Names{"b: stop", "b: destroy", "a: stop", "a: destroy"});
}

TEST_CASE("on_moment reports callbacks outside of runs, and none once the schedule ends [Q8]") {
    Life l;
    using Kind = ScheduleMoment::Kind;
    l.schedule->on_moment([&](const ScheduleMoment& moment) {
        if (moment.kind == Kind::called) l.happened.push_back("moment of " + moment.system.name);
    });
    const SystemId id = l.schedule->add(l.living("a")).value();
    CHECK(l.take() == Names{"a: create", "moment of a"});
    CHECK(l.run() == Names{"a: start", "a: update"});
    l.take();
    l.schedule->set_enabled(id, false);
    CHECK(l.take() == Names{"a: stop", "moment of a"});
    l.schedule.reset();
    CHECK(l.take() == Names{"a: destroy"});
}

TEST_CASE("in on_create the world is unlocked, and commands are played back at once") {
    Life l;
    SystemDesc desc = l.living("a");
    desc.on_create = [](SystemContext& context) -> Result<void> {
        context.world.spawn(Position{1, 2});
        context.commands.spawn();
        return {};
    };
    const SystemId id = l.schedule->add(desc).value();
    CHECK(l.world.entity_count() == 2);
    CHECK(l.schedule->status(id).commands.applied == 1);
}

TEST_CASE("a system whose on_create fails is not added") {
    Life l;
    SystemDesc desc = l.living("a");
    desc.on_create = [](SystemContext& context) -> Result<void> {
        context.commands.spawn();
        return Error{"no such file"};
    };
    CHECK(l.schedule->add(desc).error().message == "system 'a', on_create: no such file");
    CHECK(l.schedule->system_count() == 0);
    CHECK(l.world.entity_count() == 0);
    l.schedule->add(l.living("a")).value();
    CHECK(l.run() == Names{"a: start", "a: update"});
}

TEST_CASE("a failing on_start suspends the system before its first run and is retried") {
    Life l;
    bool is_ready = false;
    SystemDesc desc = l.living("a");
    desc.on_start = [&](SystemContext&) -> Result<void> {
        if (!is_ready) return Error{"not ready"};
        return {};
    };
    const SystemId id = l.schedule->add(desc).value();
    CHECK(l.run().empty());
    CHECK(l.errors == Names{"not ready"});
    is_ready = true;
    l.schedule->resume(id);
    CHECK(l.run() == Names{"a: update"});
}

TEST_CASE("an exception suspends the system and drops its commands, and other systems run") {
    Life l;
    SystemDesc desc = l.living("a");
    desc.run = [](SystemContext& context) -> Result<void> {
        context.commands.spawn();
        throw std::runtime_error("index out of range");
    };
    const SystemId id = l.schedule->add(desc).value();
    l.schedule->add(l.living("b")).value();
    CHECK(l.run() == Names{"a: start", "b: start", "b: update"});
    CHECK(l.errors == Names{"system 'a' threw an exception: index out of range"});
    CHECK(l.schedule->status(id).is_suspended);
    CHECK(l.world.entity_count() == 0);
    CHECK(l.run() == Names{"b: update"});
}

TEST_CASE("a condition or a command that throws suspends its system, and other systems run") {
    Life l;
    const auto throws = [](const SystemContext&) -> bool { throw std::runtime_error("no map"); };
    SystemDesc desc = l.living("a");
    desc.run_if = throws;
    l.schedule->add(desc).value();
    desc = l.living("b");
    desc.must_wait = throws;
    l.schedule->add(desc).value();
    desc = l.living("c");
    desc.run = [](SystemContext& context) -> Result<void> {
        context.commands.call([](World&) -> bool { throw std::runtime_error("no door"); });
        context.commands.spawn();
        return {};
    };
    l.schedule->add(desc).value();
    l.schedule->add(l.living("d")).value();
    CHECK(l.run() == Names{"c: start", "d: start", "d: update"});
    CHECK(l.errors == Names{"system 'a' threw an exception: no map", "system 'b' threw an exception: no map",
                            "system 'c' threw an exception: no door"});
    CHECK(l.world.entity_count() == 1);
    CHECK(l.run() == Names{"d: update"});
    CHECK(l.errors.size() == 3);
}

TEST_CASE("the status of a failed system has the kind of the error") {
    Life l;
    SystemDesc desc = l.living("a");
    desc.run = [](SystemContext&) -> Result<void> { throw std::bad_alloc(); };
    const SystemId id = l.schedule->add(desc).value();
    desc = l.living("b");
    desc.run = [](SystemContext&) -> Result<void> { return Error{"no"}; };
    const SystemId other = l.schedule->add(desc).value();
    l.run();
    CHECK(l.schedule->status(id).error_kind == ErrorKind::out_of_memory);
    CHECK(l.schedule->status(other).error_kind == ErrorKind::refused);
}

TEST_CASE("a system that removes itself finishes its run, and its commands are played back") {
    Life l;
    SystemId id;
    SystemDesc desc = l.living("a");
    desc.run = [&](SystemContext& context) -> Result<void> {
        l.happened.push_back("a: update");
        l.schedule->remove(id);
        l.schedule->remove(id);
        context.commands.spawn();
        return {};
    };
    id = l.schedule->add(desc).value();
    CHECK(l.run() == Names{"a: start", "a: update", "a: stop", "a: destroy"});
    CHECK(l.world.entity_count() == 1);
    CHECK(l.schedule->system_count() == 0);
    CHECK(l.run().empty());
}

TEST_CASE("a system may be replaced, also by itself; name, id, timers and random stream stay") {
    Life l;
    SystemId id;
    std::vector<std::uint64_t> drawn;
    SystemDesc second = l.living("a");
    second.run = [&](SystemContext& context) -> Result<void> {
        drawn.push_back(context.random.next());
        l.happened.push_back("a: second");
        return {};
    };
    SystemDesc first = second;
    first.run = [&](SystemContext& context) -> Result<void> {
        drawn.push_back(context.random.next());
        l.happened.push_back("a: first");
        l.schedule->replace(id, second).value();
        return {};
    };
    id = l.schedule->add(first).value();
    CHECK(l.run() == Names{"a: start", "a: first", "a: stop", "a: destroy", "a: create"});
    CHECK(l.run() == Names{"a: start", "a: second"});
    CHECK(l.schedule->status(id).run_count == 2);
    CHECK(l.schedule->find("a") == id);
    Random stream(stream_seed(1, "a"));
    CHECK(drawn[0] == stream.next());
    CHECK(drawn[1] == stream.next());
}

TEST_CASE("a replacement may have another name and group, and an invalid one changes nothing") {
    Life l;
    const SystemId id = l.schedule->add(l.living("a")).value();
    l.schedule->add(l.living("b")).value();
    l.run();
    l.take();
    CHECK_THAT(l.schedule->replace(id, l.living("b")).error().message, Contains("'b'"));
    SystemDesc stranger = l.living("a");
    stranger.group = "nowhere";
    CHECK_THAT(l.schedule->replace(id, stranger).error().message, Contains("nowhere"));
    CHECK(l.take().empty());
    SystemDesc moved = l.living("c");
    moved.group = kInitialization;
    l.schedule->replace(id, moved).value();
    CHECK(l.take() == Names{"a: stop", "a: destroy", "c: create"});
    CHECK(l.schedule->order(kInitialization) == Names{"c"});
    CHECK(l.schedule->order(kSimulation) == Names{"b"});
}

TEST_CASE("a replacement whose on_create fails is suspended, with the error") {
    Life l;
    const SystemId id = l.schedule->add(l.living("a")).value();
    SystemDesc next = l.living("a");
    next.on_create = [](SystemContext&) -> Result<void> { return Error{"no"}; };
    l.schedule->replace(id, next).value();
    CHECK(l.errors == Names{"system 'a', on_create: no"});
    CHECK(l.run().empty());
}

TEST_CASE("a system added by a running system is created at the end of the run") {
    Life l;
    bool has_added = false;
    SystemDesc adder;
    adder.name = "adder";
    adder.run = [&](SystemContext&) -> Result<void> {
        if (!std::exchange(has_added, true)) {
            l.schedule->add(l.living("late")).value();
            SystemDesc bad = l.living("bad");
            bad.on_create = [](SystemContext&) -> Result<void> { return Error{"no"}; };
            l.schedule->add(bad).value();
        }
        l.happened.push_back("adder");
        return {};
    };
    l.schedule->add(adder).value();
    CHECK(l.run() == Names{"adder", "late: create"});
    CHECK(l.errors == Names{"system 'bad', on_create: no"});
    CHECK(l.run() == Names{"adder", "late: start", "late: update"});
}

TEST_CASE("a paused system does not run, is not stopped, and can be stepped") {
    Life l;
    const SystemId id = l.schedule->add(l.living("a")).value();
    l.run();
    l.schedule->set_paused(id, true);
    CHECK(l.schedule->status(id).is_paused);
    CHECK(l.run().empty());
    l.schedule->step(id);
    CHECK(l.run() == Names{"a: update"});
    CHECK(l.run().empty());
    l.schedule->set_paused(id, false);
    CHECK(l.run() == Names{"a: update"});
    ContractWatch watch;
    CHECK_THROWS_AS(l.schedule->step(id), BrokenContract);
}

TEST_CASE("run_if is called each time without stopping the system; needs_rows waits for a row") {
    Life l;
    bool is_wanted = false;
    SystemDesc desc = l.living("a");
    desc.run_if = [&](const SystemContext&) { return is_wanted; };
    l.schedule->add(desc).value();
    SystemDesc rows = l.living("rows");
    rows.query.terms = {{l.world.id<Position>(), Access::read}};
    rows.needs_rows = true;
    l.schedule->add(rows).value();
    CHECK(l.run().empty());
    is_wanted = true;
    CHECK(l.run() == Names{"a: start", "a: update"});
    is_wanted = false;
    const Entity entity = l.world.spawn(Position{});
    CHECK(l.run() == Names{"rows: start", "rows: update"});
    l.world.destroy(entity);
    CHECK(l.run().empty());
}

}  // namespace
}  // namespace perigee
