// Changing the declaration of a system or group in a running world.
#include "ecs/events/system_events.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/observers.h"
#include "ecs/world/world.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using Catch::Contains;
using namespace perigee;

namespace {

struct Hit {
    float amount;
};

struct Fixture {
    std::vector<std::string> log;  // systems write to it until the schedule is gone
    World world;
    Schedule schedule{world};
    std::uint64_t tick = 0;
    ComponentId hit;
    ComponentId mark;

    Fixture() {
        Schema event;
        event.name = "Hit";
        event.kind = ComponentKind::event;
        Field amount;
        amount.name = "amount";
        event.fields = {amount};
        hit = world.declare(event).value();
        Schema tag;
        tag.name = "Mark";
        tag.kind = ComponentKind::tag;
        mark = world.declare(tag).value();
    }

    SystemFunction writes(const std::string& line) {
        return [this, line](SystemContext&) -> Result<void> {
            log.push_back(line);
            return {};
        };
    }
    SystemDesc living(const std::string& line) {
        SystemDesc desc;
        desc.name = "s";
        desc.run = writes(line);
        desc.on_create = writes(line + " create");
        desc.on_start = writes(line + " start");
        desc.on_stop = writes(line + " stop");
        desc.on_destroy = writes(line + " destroy");
        return desc;
    }
    void step() {
        REQUIRE(schedule.run_group(kSimulation, {1.0, tick, static_cast<double>(tick), 1.0}));
        ++tick;
    }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("renewing a system changes its declaration without lifecycle callbacks") {
    Fixture f;
    const SystemId id = f.schedule.add(f.living("old")).value();
    f.step();
    REQUIRE(f.schedule.renew(id, f.living("new")));
    CHECK(f.schedule.status(id).run_count == 0);
    f.step();
    f.schedule.remove(id);
    CHECK(f.log == Lines{"old create", "old start", "old", "new", "new stop", "new destroy"});
}

TEST_CASE("a renewed system keeps its random stream, its timers and its unread events") {
    const auto run = [](bool renews) {
        Fixture f;
        SystemDesc desc;
        desc.name = "reader";
        desc.every = 3;
        desc.access.read = {f.hit};
        desc.run = [&f](SystemContext& context) -> Result<void> {
            f.log.push_back(std::to_string(context.events.read(f.hit).count) + " " +
                            std::to_string(context.random.integer(0, 1000000)) + " " +
                            std::to_string(context.elapsed));
            return {};
        };
        SystemDesc sender;
        sender.name = "sender";
        sender.access.write = {f.hit};
        sender.run = [&f](SystemContext& context) -> Result<void> {
            const Hit hit{1};
            context.events.send(f.hit, &hit);
            return {};
        };
        const SystemId id = f.schedule.add(desc).value();
        f.schedule.add(std::move(sender)).value();
        for (int i = 0; i < 20; ++i) {
            f.step();
            if (renews) REQUIRE(f.schedule.renew(id, desc));
        }
        return f.log;
    };
    CHECK(run(true) == run(false));
    CHECK(run(true).size() == 6);
}

TEST_CASE("a renewed reaction still gets its pending batch") {
    Fixture f;
    std::size_t seen = 0;
    SystemDesc desc;
    desc.name = "on mark";
    desc.reacts_to = Trigger{Trigger::Kind::added, f.mark};
    desc.run = [&seen](SystemContext& context) -> Result<void> {
        seen += context.batch->observed.entities.size();
        return {};
    };
    const SystemId id = f.schedule.add(desc).value();
    const Entity entity = f.world.spawn();
    REQUIRE(f.world.add(entity, f.mark));
    REQUIRE(f.schedule.renew(id, desc));
    f.step();
    CHECK(seen == 1);
    desc.reacts_to->kind = Trigger::Kind::removed;
    REQUIRE(f.schedule.renew(id, desc));
    f.world.remove(entity, f.mark);
    f.step();
    CHECK(seen == 2);
}

TEST_CASE("a refused renewal changes nothing, and a successful one ends a suspension") {
    Fixture f;
    SystemDesc failing = f.living("old");
    failing.run = [](SystemContext&) -> Result<void> { return Error{"no"}; };
    const SystemId id = f.schedule.add(std::move(failing)).value();
    f.step();
    REQUIRE(f.schedule.status(id).is_suspended);
    SystemDesc wrong = f.living("wrong");
    wrong.group = "nowhere";
    CHECK_THAT(std::string(f.schedule.renew(id, std::move(wrong)).error().message), Contains("nowhere"));
    CHECK(f.schedule.status(id).is_suspended);
    REQUIRE(f.schedule.renew(id, f.living("new")));
    CHECK_FALSE(f.schedule.status(id).is_suspended);
    CHECK(f.schedule.status(id).error.empty());
    f.step();
    CHECK(f.log.back() == "new");
}

TEST_CASE("a renewed group uses its new condition and may move to another group") {
    Fixture f;
    const SystemId group = f.schedule.add_group({.name = "g"}).value();
    SystemDesc member = f.living("member");
    member.group = "g";
    REQUIRE(f.schedule.add(std::move(member)));
    GroupDesc closed{.name = "g"};
    closed.run_if = [](const SystemContext&) { return false; };
    REQUIRE(f.schedule.renew_group(group, std::move(closed)));
    f.step();
    CHECK(f.log == Lines{"member create"});
    REQUIRE(f.schedule.renew_group(group, {.name = "g", .group = std::string(kTransforms)}));
    f.step();
    CHECK(f.log == Lines{"member create"});
    REQUIRE(f.schedule.run_group(kTransforms, {}));
    CHECK(f.log.back() == "member");
    const Result<void> refused = f.schedule.renew_group(group, {.name = "g", .group = "nowhere"});
    CHECK_THAT(refused.error().message, Contains("nowhere"));
}
