// Nested groups: their order, their playback, and settings that apply to all members.
#include "ecs/schedule/schedule.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

struct Groups {
    Groups() : world(tiny_chunks()), schedule(world, 1) { declare_test_components(world); }

    void system(std::string name, std::string group, Names after = {}) {
        SystemDesc desc;
        desc.name = name;
        desc.group = std::move(group);
        desc.after = std::move(after);
        desc.run = [this, name](SystemContext& context) -> Result<void> {
            ran.push_back(name);
            elapsed.push_back(context.elapsed);
            return {};
        };
        schedule.add(std::move(desc)).value();
    }
    SystemId group(std::string name, std::string parent = "simulation", Names after = {}) {
        GroupDesc desc;
        desc.name = std::move(name);
        desc.group = std::move(parent);
        desc.after = std::move(after);
        return schedule.add_group(std::move(desc)).value();
    }
    Names run(std::string_view name = kSimulation) {
        ran.clear();
        schedule.run_group(name, time).value();
        ++time.tick;
        return ran;
    }

    World world;
    Schedule schedule;
    TickTime time;
    Names ran;
    std::vector<double> elapsed;
};

TEST_CASE("a group is ordered among its siblings like a system, and its members among themselves [Q7]") {
    Groups g;
    g.group("physics", "simulation", {"steer"});
    g.group("contacts", "physics");
    g.system("steer", "simulation");
    g.system("zoom", "simulation", {"physics"});
    g.system("a", "physics", {"contacts"});
    g.system("narrow", "contacts", {"wide"});
    g.system("wide", "contacts");
    CHECK(g.run() == Names{"steer", "wide", "narrow", "a", "zoom"});
    CHECK(g.schedule.order(kSimulation) == Names{"steer", "physics", "zoom"});
    CHECK(g.schedule.order("physics") == Names{"contacts", "a"});
    CHECK(g.run("physics") == Names{"wide", "narrow", "a"});
}

TEST_CASE("commands of a group are played back before its next sibling starts [C1] [Q7]") {
    Groups g;
    g.group("makers");
    SystemDesc maker;
    maker.name = "maker";
    maker.group = "makers";
    maker.run = [](SystemContext& context) -> Result<void> {
        context.commands.spawn();
        return {};
    };
    g.schedule.add(maker).value();
    std::vector<std::size_t> seen;
    for (const char* group : {"makers", "simulation"}) {
        SystemDesc counter;
        counter.name = std::string("z in ") + group;
        counter.group = group;
        counter.run = [&seen](SystemContext& context) -> Result<void> {
            seen.push_back(context.world.entity_count());
            return {};
        };
        g.schedule.add(counter).value();
    }
    g.run();
    CHECK(seen == std::vector<std::size_t>{0, 1});
}

TEST_CASE("systems of a group that is disabled, paused or not due do not run") {
    Groups g;
    const SystemId outer = g.group("outer");
    g.group("inner", "outer");
    g.system("a", "inner");
    CHECK(g.run() == Names{"a"});
    g.schedule.set_enabled(outer, false);
    CHECK(g.run().empty());
    g.schedule.set_enabled(outer, true);
    g.schedule.set_paused(outer, true);
    CHECK(g.run().empty());
    g.schedule.step(outer, 2);
    CHECK(g.run() == Names{"a"});
    CHECK(g.run() == Names{"a"});
    CHECK(g.run().empty());
    g.schedule.set_paused(outer, false);
    CHECK(g.run() == Names{"a"});
}

TEST_CASE("a group's interval and condition apply to its members, which see the elapsed time") {
    Groups g;
    GroupDesc slow;
    slow.name = "slow";
    slow.every = 3 * g.time.dt;
    g.schedule.add_group(slow).value();
    GroupDesc odd;
    odd.name = "odd";
    odd.run_if = [](const SystemContext& context) { return context.time.tick % 2 == 1; };
    g.schedule.add_group(odd).value();
    g.system("a", "slow");
    g.system("b", "odd");
    std::vector<Names> runs;
    for (int tick = 0; tick < 6; ++tick) runs.push_back(g.run());
    CHECK(runs == std::vector<Names>{{}, {"b"}, {"a"}, {"b"}, {}, {"b", "a"}});
    CHECK(g.elapsed[1] == Approx(3 * g.time.dt));
}

TEST_CASE("a group in presentation may not contain a system that writes") {
    Groups g;
    g.group("hud", "presentation");
    SystemDesc writer;
    writer.name = "writer";
    writer.group = "hud";
    writer.query.terms = {{g.world.id<Position>(), Access::write}};
    writer.run = [](SystemContext&) -> Result<void> { return {}; };
    CHECK_THAT(g.schedule.add(writer).error().message, Contains("writer") && Contains("Position"));
}

TEST_CASE("a group without a name, with a name in use, or in an unknown group is refused") {
    Groups g;
    GroupDesc desc;
    CHECK(g.schedule.add_group(desc).error().message == "a group of systems has no name");
    desc.name = "simulation";
    CHECK_THAT(g.schedule.add_group(desc).error().message, Contains("simulation"));
    desc.name = "new";
    desc.group = "simulations";
    g.group("ai");
    CHECK(g.schedule.add_group(desc).error().message ==
          "group 'new': unknown group 'simulations'; groups are initialization, simulation, transforms, "
          "presentation, ai, step; did you mean 'simulation'?");
    CHECK(g.schedule.all().size() == 6);
    CHECK(g.schedule.system_count() == 0);
}

TEST_CASE("running a group with a cycle in a nested group is an error that prints the cycle") {
    Groups g;
    g.group("inner");
    g.system("a", "inner", {"b"});
    g.system("b", "inner", {"a"});
    const Result<void> run = g.schedule.run_group(kSimulation, g.time);
    REQUIRE_FALSE(run.ok());
    CHECK_THAT(run.error().message, Contains("a -> b -> a") || Contains("b -> a -> b"));
}

TEST_CASE("groups cannot be removed or replaced") {
    Groups g;
    const SystemId group = g.group("inner");
    ContractWatch watch;
    CHECK_THROWS_AS(g.schedule.remove(group), BrokenContract);
    SystemDesc desc;
    desc.name = "inner";
    desc.run = [](SystemContext&) -> Result<void> { return {}; };
    CHECK_THROWS_AS(g.schedule.replace(group, desc), BrokenContract);
}

}  // namespace
}  // namespace perigee
