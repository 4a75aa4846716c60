// Events between systems: delivered at the end of the group in system order, for any number of threads.
#include "ecs/events/parallel_events.h"
#include "ecs/events/system_events.h"
#include "ecs/inspect/world_stats.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/world/content_sweep.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Amounts = std::vector<float>;

struct Fixture {
    explicit Fixture(std::size_t max_event_bytes = 1 << 20)
        : world(config(max_event_bytes)), schedule(world) {
        declare_test_components(world);
        declare_test_events(world);
        schedule.on_error([this](const SystemStatus& status) { errors.push_back(status.error); });
    }
    static WorldConfig config(std::size_t max_event_bytes) {
        WorldConfig config = tiny_chunks();
        config.max_event_bytes = max_event_bytes;
        return config;
    }
    template <typename Function>
    SystemDesc system(std::string name, Function fn, std::string group = "simulation") {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.group = std::move(group);
        desc.run = [fn](SystemContext& context) -> Result<void> { return fn(context); };
        return desc;
    }
    SystemDesc sender(std::string name, Amounts amounts) {
        SystemDesc desc = system(std::move(name), [amounts](SystemContext& context) -> Result<void> {
            for (const float amount : amounts) context.events.send(Damage{Entity{}, amount});
            return {};
        });
        desc.access.write = {world.id<Damage>()};
        return desc;
    }
    SystemDesc reader(std::string name, Amounts& seen, std::string group = "simulation") {
        SystemDesc desc = system(
            std::move(name),
            [&seen](SystemContext& context) -> Result<void> {
                for (const Damage& hit : context.events.read<Damage>()) seen.push_back(hit.amount);
                return {};
            },
            std::move(group));
        desc.access.read = {world.id<Damage>()};
        return desc;
    }
    void run(std::string_view group = kSimulation) { schedule.run_group(group, time).value(); }
    void tick() {
        run();
        run(kPresentation);
        ++time.tick;
    }

    World world;
    Schedule schedule;
    TickTime time;
    std::vector<std::string> errors;
};

TEST_CASE("events are delivered at the end of the group, in the order of the sending systems") {
    Fixture f;
    Amounts seen, shown;
    f.schedule.add(f.sender("z", {5, 6})).value();
    f.schedule.add(f.sender("b", {1, 2})).value();
    f.schedule.add(f.reader("reader", seen)).value();
    f.schedule.add(f.reader("shower", shown, "presentation")).value();
    f.run();
    CHECK(seen.empty());
    f.run(kPresentation);
    CHECK(shown == Amounts{1, 2, 5, 6});
    f.run(kPresentation);
    CHECK(shown.size() == 4);
    ++f.time.tick;
    f.run();
    CHECK(seen == Amounts{1, 2, 5, 6});
}

TEST_CASE("systems that share only events run in parallel, and a nested group delivers at its end") {
    Fixture f;
    Amounts seen, late;
    f.schedule.add(f.sender("a", {1})).value();
    f.schedule.add(f.sender("b", {2})).value();
    f.schedule.add(f.reader("c", seen)).value();
    CHECK(f.schedule.stages("simulation").size() == 1);
    CHECK(f.schedule.unordered_writes().empty());
    f.schedule.add_group({.name = "inner", .group = "simulation", .before = {"after"}}).value();
    SystemDesc inner = f.sender("d", {3});
    inner.group = "inner";
    f.schedule.add(std::move(inner)).value();
    f.schedule.add(f.reader("after", late)).value();
    f.run();
    CHECK(seen.empty());
    CHECK(late == Amounts{3});
    ++f.time.tick;
    f.run();
    CHECK(seen == Amounts{3, 1, 2});
}

TEST_CASE("a system that sent many events and no longer runs releases the memory") {
    Fixture f;
    const EventWriter* writer = nullptr;
    SystemDesc desc = f.system("wave", [&writer](SystemContext& context) -> Result<void> {
        writer = &context.events;
        for (int i = 0; i < 20'000; ++i) context.events.send(Damage{});
        return {};
    });
    // Its group no longer runs either.
    desc.group = "waves";
    GroupDesc group;
    group.name = "waves";
    group.run_if = [](const SystemContext& context) { return context.time.tick == 0; };
    static_cast<void>(f.schedule.add_group(std::move(group)).value());
    static_cast<void>(f.schedule.add(std::move(desc)).value());
    f.tick();
    REQUIRE(writer != nullptr);
    CHECK(writer->capacity_bytes() > 64 * 1024);
    for (int i = 0; i < 3; ++i) f.tick();
    CHECK(writer->capacity_bytes() == 0);
}

TEST_CASE("a system that fails sends nothing") {
    Fixture f;
    SystemDesc desc = f.system("bad", [](SystemContext& context) -> Result<void> {
        context.events.send(Damage{});
        context.commands.spawn();
        return Error{"ouch"};
    });
    const SystemId bad = f.schedule.add(std::move(desc)).value();
    f.run();
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 0);
    CHECK(f.schedule.status(bad).is_suspended);
}

TEST_CASE(
    "a system that sends too many events fails and loses its commands, and other systems' events arrive") {
    Fixture f(20 * sizeof(Damage));
    Amounts seen;
    SystemDesc flood = f.system("flood", [](SystemContext& context) -> Result<void> {
        context.commands.spawn();
        for (int i = 0; i < 1000; ++i) context.events.send(Damage{});
        return {};
    });
    f.schedule.add(std::move(flood)).value();
    f.schedule.add(f.sender("good", {1})).value();
    f.run();
    REQUIRE(f.errors.size() == 1);
    CHECK(f.errors[0] ==
          "system 'flood': too many events 'Damage': 20 of them may wait at a time, which fill 0 KiB; events "
          "wait until the end of the next tick");
    CHECK(stats_of(f.world).entities == 0);
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 1);
}

TEST_CASE("when all systems together send too many events, the later ones fail") {
    Fixture f(20 * sizeof(Damage));
    f.schedule.add(f.sender("a", Amounts(12, 1))).value();
    const SystemId second = f.schedule.add(f.sender("b", Amounts(12, 2))).value();
    f.schedule.add(f.sender("c", Amounts(8, 3))).value();
    f.run();
    REQUIRE(f.errors.size() == 1);
    CHECK_THAT(f.errors[0], Contains("system 'b': too many events"));
    CHECK(f.schedule.status(second).is_suspended);
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 20);
}

TEST_CASE("systems in presentation read events and cannot send any") {
    Fixture f;
    SystemDesc declared = f.sender("declared", {1});
    declared.group = "presentation";
    CHECK_THAT(f.schedule.add(std::move(declared)).error().message,
               Contains("'Damage' is declared as written"));
    f.schedule
        .add(f.system(
            "silent",
            [](SystemContext& context) -> Result<void> {
                context.events.send(Damage{});
                return {};
            },
            "presentation"))
        .value();
    f.run(kPresentation);
    REQUIRE(f.errors.size() == 1);
    CHECK(f.errors[0] ==
          "system 'silent': presentation systems see a finished world and may not send events; send them in "
          "simulation");
}

TEST_CASE("events sent in on_create are delivered at once, and a failing start sends nothing") {
    Fixture f;
    SystemDesc desc = f.sender("a", {2});
    desc.on_create = [](SystemContext& context) -> Result<void> {
        context.events.send(Damage{Entity{}, 1});
        return {};
    };
    f.schedule.add(std::move(desc)).value();
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 1);
    SystemDesc bad = f.sender("b", {2});
    bad.on_create = [](SystemContext& context) -> Result<void> {
        context.events.send(Damage{});
        return Error{"no"};
    };
    CHECK_FALSE(f.schedule.add(std::move(bad)).ok());
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 1);
    f.schedule.reset(1);
    CHECK(f.world.events().kept(f.world.id<Damage>()).count == 0);
}

TEST_CASE("texts in pending events are not swept") {
    Fixture f;
    Schema said;
    said.name = "Said";
    said.kind = ComponentKind::event;
    said.fields.resize(1);
    said.fields[0].name = "what";
    said.fields[0].type = FieldType::text;
    const ComponentId id = f.world.declare(said).value();
    EventWriter writer(f.world);
    const TextHandle text = f.world.texts().intern("a text that only an event has").value();
    writer.send(id, &text);
    writer.deliver();
    collect_texts(f.world);
    CHECK(f.world.texts().text(text) == "a text that only an event has");
    f.world.events().clear();
    CHECK(collect_texts(f.world) == 1);
}

// Systems that send, forward and read at random agree with lists, with and without threads.
struct Program {
    explicit Program(std::uint32_t seed, WorkerPool* pool) : f(1 << 16) {
        f.schedule.use_workers(pool);
        std::mt19937 random(seed);
        const char* const groups[] = {"initialization", "simulation", "simulation", "transforms"};
        for (int i = 0; i < 12; ++i) {
            auto log = std::make_shared<Amounts>();
            logs.push_back(log);
            const bool reads = random() % 3 != 0, sends = random() % 3 != 0;
            const std::uint32_t own = random();
            SystemDesc desc = f.system("s" + std::to_string(i), [=](SystemContext& context) -> Result<void> {
                std::mt19937 local(own + static_cast<std::uint32_t>(context.time.tick));
                if (reads) {
                    for (const Damage& hit : context.events.read<Damage>()) log->push_back(hit.amount);
                }
                if (!sends) return {};
                const std::uint32_t lanes = context.workers == nullptr ? 1 : context.workers->lane_count();
                ParallelEvents parallel(context.events, lanes);
                const std::uint32_t tasks = local() % 5;
                const auto task = [&](std::uint32_t number, std::uint32_t worker) {
                    parallel.at(worker, number).send(Damage{Entity{}, static_cast<float>(100 * i + number)});
                };
                if (context.workers != nullptr) {
                    context.workers->run(tasks, task);
                } else {
                    for (std::uint32_t number = 0; number < tasks; ++number) task(number, 0);
                }
                parallel.finish();
                if (local() % 11 == 0) return Error{"now and then"};
                return {};
            });
            desc.group = groups[random() % 4];
            desc.every = random() % 4 == 0 ? 3.0 / 60.0 : 0;
            desc.access.read = {f.world.id<Health>()};
            if (reads) desc.access.read.push_back(f.world.id<Damage>());
            if (sends) desc.access.write = {f.world.id<Damage>()};
            ids.push_back(f.schedule.add(std::move(desc)).value());
        }
    }
    void tick() {
        for (const char* group : {"initialization", "simulation", "transforms"}) f.run(group);
        ++f.time.tick;
        for (const SystemId id : ids) f.schedule.resume(id);
    }

    Fixture f;
    std::vector<std::shared_ptr<Amounts>> logs;
    std::vector<SystemId> ids;
};

TEST_CASE("the events that systems read do not depend on the number of threads") {
    WorkerPool pool(3);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        Program alone(seed, nullptr), shared(seed, &pool);
        std::size_t total = 0;
        for (int tick = 0; tick < 40; ++tick) {
            alone.tick();
            shared.tick();
        }
        for (std::size_t i = 0; i < alone.logs.size(); ++i) {
            REQUIRE(*alone.logs[i] == *shared.logs[i]);
            total += alone.logs[i]->size();
        }
        CHECK(total > 0);
    }
}

}  // namespace
}  // namespace perigee
