// Where the commands of systems are played back: named points, sync points before exclusive systems.
#include "ecs/parallel/jobs.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/typed_system.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;

// ---- a model ----------------------------------------------------------------------------------------------

// Random groups and systems that log what they do, and the log that the rules promise.
class Model {
public:
    explicit Model(std::uint32_t seed) : random_(seed), world_(tiny_chunks()), schedule_(world_, seed) {
        declare_test_components(world_);
        for (const std::string_view name : kStepGroups) groups_.emplace_back(name);
        for (int i = 0; i < 5; ++i) {
            const std::string name = "g" + std::to_string(i);
            const SystemId id = schedule_.add_group({.name = name, .group = pick(groups_)}).value();
            if (one_in(4)) schedule_.set_enabled(id, false), off_.insert(name);
            groups_.push_back(name);
        }
        for (int i = 0; i < 12; ++i) add_system("s" + std::to_string(i));
    }

    void check_step() {
        log_.clear();
        expected_.clear();
        for (std::size_t place = 0; place < kStepGroups.size(); ++place) {
            schedule_.run_group(kStepGroups[place], time_).value();
            run(std::string(kStepGroups[place]));
            for (const std::string& name : walk())
                if (place_of(point_of(name)) <= place) play(name);
        }
        ++time_.tick;
        CHECK(log_ == expected_);
        CHECK(waiting_.empty());
    }

private:
    bool one_in(int n) { return random_() % static_cast<std::uint32_t>(n) == 0; }
    const std::string& pick(const Names& names) { return names[random_() % names.size()]; }

    void add_system(const std::string& name) {
        SystemDesc desc;
        desc.name = name;
        desc.group = pick(groups_);
        desc.access.read = {world_.id<Position>()};
        desc.is_exclusive = one_in(4);
        if (one_in(3)) desc.commands = "end of " + pick(groups_);
        desc.run = [this, name, is_exclusive = desc.is_exclusive](SystemContext& context) -> Result<void> {
            if (is_exclusive) log_.push_back(name + "!");
            context.commands.call([this, name](World&) {
                log_.push_back(name);
                return true;
            });
            return {};
        };
        const SystemId id = schedule_.add(desc).value();
        if (!schedule_.resolve_order().ok()) {  // the point comes before the system
            desc.commands.clear();
            schedule_.renew(id, desc).value();
        }
        descs_.emplace(name, desc);
    }

    std::string point_of(const std::string& name) const {
        const SystemDesc& desc = descs_.at(name);
        return desc.commands.empty() ? desc.group : std::string(playback_group(desc.commands));
    }
    std::size_t place_of(std::string group) const {
        for (;;) {
            const auto top = std::ranges::find(kStepGroups, group);
            if (top != kStepGroups.end()) return static_cast<std::size_t>(top - kStepGroups.begin());
            group = schedule_.description(*schedule_.find(group)).group;
        }
    }
    // All systems in the order of a step.
    Names walk() {
        Names names;
        const std::function<void(const std::string&)> add = [&](const std::string& group) {
            for (const std::string& member : schedule_.order(group))
                descs_.contains(member) ? names.push_back(member) : add(member);
        };
        for (const std::string_view group : kStepGroups) add(std::string(group));
        return names;
    }
    void play(const std::string& name) {
        for (; waiting_[name] > 0; --waiting_[name]) expected_.push_back(name);
        waiting_.erase(name);
    }
    void synchronise(const std::string& group) {
        const std::string around = schedule_.description(*schedule_.find(group)).group;
        if (!around.empty()) synchronise(around);
        for (const std::string& member : schedule_.order(group))
            if (descs_.contains(member) && descs_.at(member).commands.empty()) play(member);
    }
    void run(const std::string& group) {
        for (const std::string& member : schedule_.order(group)) {
            if (off_.contains(member)) continue;
            if (!descs_.contains(member)) {
                run(member);
                continue;
            }
            if (descs_.at(member).is_exclusive) {
                synchronise(group);
                expected_.push_back(member + "!");
            }
            ++waiting_[member];
        }
        for (const std::string& name : walk())
            if (point_of(name) == group) play(name);
    }

    std::mt19937 random_;
    World world_;
    Schedule schedule_;
    TickTime time_;
    Names groups_, log_, expected_;
    std::set<std::string> off_;
    std::map<std::string, SystemDesc> descs_;
    std::map<std::string, int> waiting_;
};

TEST_CASE("[C1] [C5] random groups play their commands back where a model says") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        Model model(seed);
        for (int step = 0; step < 3; ++step) model.check_step();
    }
}

// ---- examples ---------------------------------------------------------------------------------------------

struct Stage {
    Stage() : world(tiny_chunks()), schedule(world, 1) {
        declare_test_components(world);
        schedule.on_error([this](const SystemStatus& status) { errors.push_back(status.error); });
    }
    // A system that does this with a world on which nothing else happens.
    SystemDesc desc(const std::string& name, SystemFunction function,
                    const std::string& group = "simulation") {
        SystemDesc made;
        made.name = name;
        made.group = group;
        made.run = std::move(function);
        return made;
    }
    void run() {
        for (const std::string_view group : kStepGroups) schedule.run_group(group, time).value();
        ++time.tick;
    }

    World world;
    Schedule schedule;
    TickTime time;
    Names errors;
};

TEST_CASE("[C1] commands for the end of an outer group are played back there, and not before") {
    Stage s;
    s.schedule.add_group({.name = "inner"}).value();
    std::vector<std::size_t> seen;
    const auto look = [&](SystemContext& context) -> Result<void> {
        seen.push_back(context.world.entity_count());
        return {};
    };
    SystemDesc maker = system<>(s.world, "maker")
                           .group("inner")
                           .commands("end of simulation")
                           .run([](SystemContext& context) { context.commands.spawn(); });
    s.schedule.add(maker).value();
    SystemDesc later = s.desc("later", look);
    later.after = {"inner"};
    s.schedule.add(later).value();
    s.schedule.add(s.desc("last", look, "transforms")).value();
    s.run();
    CHECK(seen == std::vector<std::size_t>{0, 1});
}

TEST_CASE(
    "[C1] commands whose group does not run are played back at the end of the group of the step around it") {
    Stage s;
    const SystemId rare = s.schedule.add_group({.name = "rare", .after = {"maker"}}).value();
    s.schedule.set_enabled(rare, false);
    SystemDesc maker = s.desc("maker", [](SystemContext& context) -> Result<void> {
        context.commands.spawn();
        return {};
    });
    maker.commands = "end of rare";
    s.schedule.add(maker).value();
    s.schedule.run_group(kSimulation, s.time).value();
    CHECK(s.world.entity_count() == 1);
}

TEST_CASE("[C1] a system that fails drops commands that still wait for their group") {
    Stage s;
    SystemDesc maker = s.desc(
        "maker",
        [](SystemContext& context) -> Result<void> {
            context.commands.spawn();
            return Error{"no"};
        },
        "initialization");
    maker.commands = "end of transforms";
    s.schedule.add(maker).value();
    s.run();
    CHECK(s.world.entity_count() == 0);
    CHECK(s.errors == Names{"no"});
}

TEST_CASE("[C1] a point must be the end of a group of the step that comes after the system") {
    Stage s;
    const auto refusal = [&](const std::string& point, const std::string& group = "simulation",
                             bool is_reaction = false) -> std::string {
        SystemDesc desc = s.desc(
            "x", [](SystemContext&) -> Result<void> { return {}; }, group);
        desc.commands = point;
        if (is_reaction) desc.reacts_to = Trigger{Trigger::Kind::added, s.world.id<Position>()};
        const Result<SystemId> added = s.schedule.add(desc);
        return added ? "" : added.error().message;
    };
    CHECK(refusal("end of simulatoin") ==
          "system 'x': expected 'end of' and a group of the step for commands, such as 'end of simulation', "
          "got 'end of simulatoin'; did you mean 'end of simulation'?");
    CHECK_THAT(refusal("simulation"), Contains("expected 'end of' and a group of the step"));
    CHECK_THAT(refusal("end of presentation"), Contains("expected 'end of' and a group of the step"));
    CHECK(refusal("end of simulation", "presentation") ==
          "system 'x': a presentation system has no commands; leave out 'commands'");
    CHECK(refusal("end of simulation", "", true) ==
          "reaction 'x': its commands are played back after its round; leave out 'commands'");
    CHECK(refusal("end of initialization") == "");
    CHECK(
        s.schedule.resolve_order().error().message ==
        "system 'x': its commands wait for the end of initialization, which comes before the system; name a "
        "group that ends after it");
    CHECK_FALSE(s.schedule.run_group(kSimulation, s.time).ok());
    s.schedule.remove(*s.schedule.find("x"));
    s.run();
}

TEST_CASE(
    "[C5] an exclusive system changes the world at once, and sees the commands of the systems before it") {
    Stage s;
    s.schedule.add_group({.name = "inner", .after = {"before"}}).value();
    Entity made;
    s.schedule
        .add(s.desc("before",
                    [&](SystemContext& context) -> Result<void> {
                        made = context.commands.spawn(Position{3, 4});
                        return {};
                    }))
        .value();
    std::size_t seen = 0;
    s.schedule
        .add(system<>(s.world, "now").group("inner").exclusive().run([&](SystemContext& context) {
            REQUIRE(context.world.get<Position>(made) != nullptr);
            const Entity mine = context.world.spawn(Position{1, 2});
            context.world.add<Velocity>(made);
            REQUIRE(context.world.get<Position>(mine)->y == 2);
            context.world.destroy(mine);
            context.world.query<Position, Velocity>().each([&](Position&, Velocity&) { ++seen; });
        }))
        .value();
    s.run();
    CHECK(seen == 1);
    CHECK(s.errors.empty());
}

TEST_CASE(
    "[C5] inside a visit an exclusive system may not change structure either, and its jobs are waited for") {
    WorkerPool pool(2);
    Stage s;
    s.schedule.use_workers(&pool, 0);
    for (int i = 0; i < 8; ++i) s.world.spawn(Position{1, 0});
    s.schedule
        .add(system<>(s.world, "now").exclusive().run([](SystemContext& context) {
            const Query& query =
                *context.world.query({{{context.world.id<Position>(), Access::write}}, {}, {}}).value();
            context.world.each_chunk(query, [&](ChunkView&) {
                const ContractWatch watch;
                CHECK_THROWS_AS(static_cast<void>(context.world.spawn()), BrokenContract);
            });
            context.jobs->schedule_chunks(query, [](ChunkView& chunk) {
                for (Position& position : chunk.column<Position>(0)) position.x += 1;
            });
            context.world.spawn(Position{2, 0});  // waits
            context.world.query<const Position>().each(
                [](const Position& position) { CHECK(position.x == 2); });
        }))
        .value();
    s.run();
    CHECK(s.errors.empty());
    CHECK(s.world.entity_count() == 9);
}

TEST_CASE("[C5] the changes of an exclusive system that fails stay, its commands are dropped") {
    Stage s;
    s.schedule
        .add(system<>(s.world, "now").exclusive().run([](SystemContext& context) -> Result<void> {
            context.world.spawn();
            context.commands.spawn();
            return Error{"no"};
        }))
        .value();
    s.run();
    CHECK(s.world.entity_count() == 1);
    CHECK(s.errors == Names{"no"});
}

TEST_CASE("[C5] presentation systems and reactions are never exclusive") {
    Stage s;
    SystemDesc desc = s.desc(
        "x", [](SystemContext&) -> Result<void> { return {}; }, "presentation");
    desc.is_exclusive = true;
    CHECK(s.schedule.add(desc).error().message ==
          "system 'x': a presentation system sees a finished world and cannot be exclusive; change the world "
          "in a "
          "system of another group");
    desc.reacts_to = Trigger{Trigger::Kind::added, s.world.id<Position>()};
    CHECK(s.schedule.add(desc).error().message ==
          "reaction 'x': a reaction cannot be exclusive, since its batch lists what is in the world; use its "
          "commands");
}

TEST_CASE("[C5] changes by an exclusive system trigger reactions at the end of its group") {
    Stage s;
    s.schedule
        .add(system<>(s.world, "now").exclusive().run([](SystemContext& context) {
            context.world.spawn(Position{1, 2});
        }))
        .value();
    std::size_t added = 0;
    SystemDesc reaction = s.desc("count", [&](SystemContext& context) -> Result<void> {
        added += context.batch->observed.entities.size();
        return {};
    });
    reaction.reacts_to = Trigger{Trigger::Kind::added, s.world.id<Position>()};
    s.schedule.add(reaction).value();
    s.run();
    s.run();
    CHECK(added == 2);
}

}  // namespace
}  // namespace perigee
