// The order across groups, and top-level groups of a game's own.
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_report.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

Result<void> nothing(SystemContext&) { return {}; }

struct Declared {
    std::string name, group;
    bool is_group = false;
    Names before = {}, after = {};
};

Names walk(Schedule& schedule) {
    Names names;
    const std::function<void(const std::string&)> add = [&](const std::string& group) {
        names.push_back(group);
        if (!schedule.status(*schedule.find(group)).is_group) return;
        for (const std::string& member : schedule.order(group)) add(member);
    };
    for (const std::string& group : schedule.step_groups()) add(group);
    return names;
}

// The names in the order of a step, or the mistake.
Result<Names> order_of(const std::vector<Declared>& declared) {
    World world(tiny_chunks());
    Schedule schedule(world);
    for (const Declared& one : declared) {
        if (one.is_group) {
            schedule.add_group({one.name, one.group, one.before, one.after}).value();
        } else {
            SystemDesc desc;
            desc.name = one.name;
            desc.group = one.group;
            desc.before = one.before;
            desc.after = one.after;
            desc.run = nothing;
            schedule.add(std::move(desc)).value();
        }
    }
    if (const Result<void> resolved = schedule.resolve_order(); !resolved) return resolved.error();
    return walk(schedule);
}

TEST_CASE("[Q7] random relations across groups hold, whatever the order in which systems are declared") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        // A tree whose members are in the order of their numbers, so that relations from lower to higher
        // agree.
        std::vector<Declared> declared;
        std::vector<std::pair<std::string, int>> open{{"simulation", 0}};
        Names names;
        for (int i = 0; i < 24; ++i) {
            while (open.size() > 1 && random() % 3 == 0) open.pop_back();
            const std::string name = static_cast<char>('a' + random() % 26) + std::to_string(100 + i);
            const bool is_group = open.size() < 4 && random() % 4 == 0;
            declared.push_back({name, open.back().first, is_group});
            names.push_back(name);
            if (is_group) open.emplace_back(name, i);
        }
        const auto is_inside = [&](std::size_t inner, const std::string& outer) {
            for (std::string at = declared[inner].group; at != "simulation";) {
                if (at == outer) return true;
                at = std::find_if(declared.begin(), declared.end(), [&](const Declared& d) {
                         return d.name == at;
                     })->group;
            }
            return false;
        };
        std::vector<std::pair<std::string, std::string>> relations;
        for (int i = 0; i < 14; ++i) {
            std::size_t early = random() % names.size(), late = random() % names.size();
            if (early > late) std::swap(early, late);
            if (early == late || is_inside(late, names[early])) continue;
            relations.emplace_back(names[early], names[late]);
            if (random() % 2 == 0)
                declared[early].before.push_back(names[late]);
            else
                declared[late].after.push_back(names[early]);
        }
        const Names order = order_of(declared).value();
        const auto place = [&](const std::string& name) {
            return std::find(order.begin(), order.end(), name) - order.begin();
        };
        for (const auto& [early, late] : relations) CHECK(place(early) < place(late));
        // Groups before their members, in any other order.
        std::vector<Declared> shuffled;
        while (!declared.empty()) {
            const std::size_t at = random() % declared.size();
            const auto is_declared = [&](const std::string& group) {
                return group == "simulation" ||
                       std::any_of(shuffled.begin(), shuffled.end(),
                                   [&](const Declared& d) { return d.name == group; });
            };
            if (!is_declared(declared[at].group)) continue;
            shuffled.push_back(declared[at]);
            declared.erase(declared.begin() + static_cast<std::ptrdiff_t>(at));
        }
        CHECK(order_of(shuffled).value() == order);
    }
}

TEST_CASE("[Q7] a system that runs after one of another group brings its whole group along") {
    const Names order = order_of({{"a group", "simulation", true},
                                  {"b group", "simulation", true},
                                  {"a", "a group", false, {}, {"b"}},
                                  {"also a", "a group"},
                                  {"b", "b group"}})
                            .value();
    CHECK(order ==
          Names{"initialization", "simulation", "b group", "b", "a group", "a", "also a", "transforms"});
}

TEST_CASE("[Q7] relations across groups that contradict each other are a cycle of the groups") {
    CHECK(order_of({{"one", "simulation", true},
                    {"two", "simulation", true},
                    {"a", "one", false, {}, {"b"}},
                    {"b", "two"},
                    {"c", "one", false, {"b"}}})
              .error()
              .message ==
          "systems wait for each other: one -> two -> one ('c' is before 'b'; 'a' is after 'b')");
    CHECK(order_of({{"a", "initialization", false, {}, {"b"}}, {"b", "simulation"}}).error().message ==
          "systems wait for each other: initialization -> simulation -> initialization (the engine runs "
          "'initialization' before 'simulation'; 'a' is after 'b')");
    CHECK(order_of({{"one", "simulation", true}, {"a", "one", false, {"one"}}}).error().message ==
          "system 'a': before names 'one', the group that it is in");
    CHECK(order_of({{"a", "initialization", false, {"b"}}, {"b", "simulation"}}).ok());
}

TEST_CASE(
    "[Q7] top-level groups of a game run in the step, between simulation and transforms unless they say "
    "more") {
    CHECK(order_of({{"zoom", "step", true}, {"ai", "step", true}}).value() ==
          Names{"initialization", "simulation", "ai", "zoom", "transforms"});
    CHECK(order_of({{"last", "step", true, {}, {"transforms"}},
                    {"first", "step", true, {"initialization"}},
                    {"inside", "first", true},
                    {"late", "step", true, {}, {"last"}}})
              .value() ==
          Names{"first", "inside", "initialization", "simulation", "transforms", "last", "late"});
    CHECK(order_of({{"wrong", "step", true, {"initialization"}, {"simulation"}}}).error().message ==
          "systems wait for each other: initialization -> simulation -> wrong -> initialization (the engine "
          "runs 'initialization' before 'simulation')");
    // What is inside a group decides where it goes; a group that names no other waits for simulation.
    CHECK(
        order_of({{"ai", "step", true}, {"think", "ai", false, {"move"}}, {"move", "simulation"}}).value() ==
        Names{"initialization", "ai", "think", "simulation", "move", "transforms"});
    CHECK(order_of({{"ai", "step", true}, {"early", "initialization", false, {}, {"think"}}, {"think", "ai"}})
              .error()
              .message ==
          "systems wait for each other: ai -> initialization -> simulation -> ai ('early' is after 'think'; "
          "the engine runs 'initialization' before 'simulation'; 'ai' names no other group, so it is after "
          "'simulation')");
    World world(tiny_chunks());
    Schedule schedule(world);
    SystemDesc direct;
    direct.name = "a";
    direct.group = kStep;
    direct.run = nothing;
    CHECK_THAT(schedule.add(direct).error().message, Contains("unknown group 'step'"));
    CHECK_FALSE(schedule.add_group({.name = "simulation", .group = "step"}).ok());
}

TEST_CASE("[Q7] run_step runs the groups of a step, and those of a game when they are due") {
    World world(tiny_chunks());
    Schedule schedule(world);
    Names ran;
    const auto add = [&](std::string name, std::string group) {
        SystemDesc desc;
        desc.name = name;
        desc.group = std::move(group);
        desc.run = [&ran, name](SystemContext&) -> Result<void> {
            ran.push_back(name);
            return {};
        };
        schedule.add(std::move(desc)).value();
    };
    bool is_open = false;
    const SystemId own = schedule
                             .add_group({.name = "own",
                                         .group = "step",
                                         .every = 2.0,
                                         .run_if = [&](const SystemContext&) { return is_open; }})
                             .value();
    add("a", "initialization");
    add("b", "own");
    add("c", "transforms");
    add("d", "presentation");
    TickTime time;
    time.dt = 1;
    const auto step = [&] {
        ran.clear();
        schedule.run_step(time).value();
        ++time.tick;
        return ran;
    };
    CHECK(step() == Names{"a", "c"});
    CHECK(step() == Names{"a", "c"});
    is_open = true;
    CHECK(step() == Names{"a", "c"});
    CHECK(step() == Names{"a", "b", "c"});
    schedule.set_enabled(own, false);
    step();
    CHECK(step() == Names{"a", "c"});
    schedule.run_later(own);
    CHECK(step() == Names{"a", "b", "c"});
    CHECK_FALSE(schedule.is_engine_group(own));
    CHECK(schedule.is_engine_group(*schedule.find("simulation")));
    CHECK_THAT(order_report(schedule).value(),
               Contains("simulation\n     no systems\nown\n  1  b\ntransforms\n"));
}

TEST_CASE("[Q7] a top-level group becomes an inner one when it is renewed, and back") {
    World world(tiny_chunks());
    Schedule schedule(world);
    const SystemId group = schedule.add_group({.name = "own", .group = "step"}).value();
    CHECK(schedule.step_groups() == Names{"initialization", "simulation", "own", "transforms"});
    schedule.renew_group(group, {.name = "own", .group = "simulation"}).value();
    CHECK(schedule.step_groups() == Names{"initialization", "simulation", "transforms"});
    CHECK(schedule.order("simulation") == Names{"own"});
    schedule.renew_group(group, {.name = "own", .group = "step", .after = {"transforms"}}).value();
    CHECK(schedule.step_groups() == Names{"initialization", "simulation", "transforms", "own"});
    CHECK(schedule.order("simulation").empty());
}

}  // namespace
}  // namespace perigee
