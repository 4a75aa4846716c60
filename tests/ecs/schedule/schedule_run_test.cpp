// Systems that run in parallel: when they do, that it is safe, and the statistics.
#include "ecs/parallel/worker_pool.h"
#include "ecs/query/internal/access_log.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/run_scope.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Names = std::vector<std::string>;
using namespace std::chrono_literals;

struct Threads {
    explicit Threads(std::uint32_t workers = 2) : world(tiny_chunks()), pool(workers), schedule(world, 1) {
        declare_test_components(world);
        world.spawn(Position{}, Velocity{}, Health{});
        schedule.use_workers(&pool, 0);
        schedule.on_error([this](const SystemStatus& status) { errors.push_back(status.error); });
    }
    template <typename Function> SystemDesc system(std::string name, ComponentId writes, Function body) {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.query.terms = {{writes, Access::write}};
        desc.run = [body](SystemContext& context) -> Result<void> {
            body(context);
            return {};
        };
        return desc;
    }
    void run() {
        schedule.run_group(kSimulation, time).value();
        ++time.tick;
    }

    World world;
    WorkerPool pool;
    Schedule schedule;
    TickTime time;
    Names errors;
};

// True once `count` systems run at the same time; false if that takes longer than some seconds.
class Meeting {
public:
    explicit Meeting(int count) : missing_(count) {}
    bool meet() {
        --missing_;
        const auto end = std::chrono::steady_clock::now() + 10s;
        while (missing_ > 0) {
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::yield();
        }
        return true;
    }

private:
    std::atomic<int> missing_;
};

TEST_CASE("systems without a conflict run at the same time [Q2]") {
    Threads t;
    Meeting meeting(2);
    std::atomic<int> met = 0;
    const auto meet = [&](SystemContext&) { met += meeting.meet() ? 1 : 0; };
    t.schedule.add(t.system("a", t.world.id<Position>(), meet)).value();
    t.schedule.add(t.system("b", t.world.id<Velocity>(), meet)).value();
    t.run();
    CHECK(met == 2);
}

TEST_CASE("readers run in parallel; writers, equal serial keys and declared orders do not [Q2]") {
    Threads t;
    const auto nothing = [](SystemContext&) {};
    const auto add = [&](std::string name, ComponentId component, Access access, std::string key = "",
                         Names after = {}) {
        SystemDesc desc = t.system(std::move(name), component, nothing);
        desc.query.terms[0].access = access;
        desc.serial_key = std::move(key);
        desc.after = std::move(after);
        t.schedule.add(desc).value();
    };
    const ComponentId position = t.world.id<Position>(), velocity = t.world.id<Velocity>();
    const ComponentId health = t.world.id<Health>(), wide = t.world.id<Wide>();
    add("a reads", position, Access::read);
    add("b reads", position, Access::read);
    add("c writes", position, Access::write);
    add("d of mod", velocity, Access::write, "mod");
    add("e of mod", health, Access::write, "mod");
    add("f later", wide, Access::write, "", {"c writes"});
    CHECK(t.schedule.stages(kSimulation) ==
          std::vector<Names>{{"a reads", "b reads", "d of mod"}, {"c writes", "e of mod"}, {"f later"}});
}

TEST_CASE("systems that access objects run alone [Q2]") {
    Threads t;
    Schema schema;
    schema.name = "Image";
    schema.kind = ComponentKind::object;
    const ComponentId image = t.world.declare(schema).value();
    const auto nothing = [](SystemContext&) {};
    SystemDesc desc = t.system("a", image, nothing);
    desc.query.terms[0].access = Access::read;
    t.schedule.add(desc).value();
    t.schedule.add(t.system("b", t.world.id<Velocity>(), nothing)).value();
    CHECK(t.schedule.stages(kSimulation) == std::vector<Names>{{"a"}, {"b"}});
}

TEST_CASE("pairs that write the same component are listed, unless they are ordered directly or indirectly") {
    Threads t;
    const auto nothing = [](SystemContext&) {};
    const ComponentId position = t.world.id<Position>();
    for (const char* name : {"a", "b", "c", "d"}) {
        SystemDesc desc = t.system(name, position, nothing);
        if (*name == 'b') desc.after = {"a"};
        if (*name == 'c') desc.after = {"b"};
        t.schedule.add(desc).value();
    }
    Names pairs;
    for (const UnorderedWrites& pair : t.schedule.unordered_writes())
        pairs.push_back(pair.first + " " + pair.second + " " + pair.component);
    CHECK(pairs == Names{"a d Position", "b d Position", "c d Position"});
}

TEST_CASE("a stage waits for a slow system while its other systems run") {
    Threads t(1);
    std::atomic<int> done = 0;
    t.schedule
        .add(t.system("a slow", t.world.id<Position>(),
                      [&](SystemContext& context) {
                          const auto end = std::chrono::steady_clock::now() + 10s;
                          while (done < 2 && std::chrono::steady_clock::now() < end)
                              std::this_thread::sleep_for(1ms);
                          context.commands.spawn();
                          ++done;
                      }))
        .value();
    t.schedule.add(t.system("b", t.world.id<Velocity>(), [&](SystemContext&) { ++done; })).value();
    t.schedule.add(t.system("c", t.world.id<Health>(), [&](SystemContext&) { ++done; })).value();
    t.run();
    CHECK(done == 3);
    CHECK(t.world.entity_count() == 2);
}

TEST_CASE("failures and exceptions on other threads are handled in system order") {
    Threads t;
    for (int i = 0; i < 20; ++i) {
        Threads f;
        const auto fail = [](SystemContext& context) {
            context.commands.spawn();
            throw std::runtime_error("oh");
        };
        f.schedule.add(f.system("a", f.world.id<Position>(), fail)).value();
        f.schedule.add(f.system("b", f.world.id<Velocity>(), fail)).value();
        f.schedule.add(f.system("c", f.world.id<Health>(), fail)).value();
        f.run();
        REQUIRE(f.errors == Names{"system 'a' threw an exception: oh", "system 'b' threw an exception: oh",
                                  "system 'c' threw an exception: oh"});
        REQUIRE(f.world.entity_count() == 1);
    }
}

TEST_CASE("a system that runs in parallel with others may not change the schedule") {
    Threads t;
    ContractWatch watch;
    std::atomic<int> refused = 0;
    const auto steer = [&](SystemContext&) {
        try {
            t.schedule.remove(*t.schedule.find("a"));
        } catch (const BrokenContract&) {
            ++refused;
        }
    };
    t.schedule.add(t.system("a", t.world.id<Position>(), steer)).value();
    t.schedule.add(t.system("b", t.world.id<Velocity>(), steer)).value();
    t.run();
    CHECK(refused == 2);
}

TEST_CASE("presentation runs one system after another on the caller's thread") {
    Threads t(3);
    std::vector<std::thread::id> threads;
    for (const char* name : {"a", "b", "c"}) {
        SystemDesc desc = t.system(name, t.world.id<Position>(),
                                   [&](SystemContext&) { threads.push_back(std::this_thread::get_id()); });
        desc.query.terms[0].access = Access::read;
        desc.group = kPresentation;
        t.schedule.add(desc).value();
    }
    t.schedule.run_group(kPresentation, t.time).value();
    CHECK(threads == std::vector<std::thread::id>(3, std::this_thread::get_id()));
}

TEST_CASE("times, rows and chunks are counted for systems and groups, and slow runs are reported") {
    Threads t;
    bool is_slow = false;
    const SystemId id = t.schedule
                            .add(t.system("a", t.world.id<Position>(),
                                          [&](SystemContext&) {
                                              if (is_slow) std::this_thread::sleep_for(12ms);
                                          }))
                            .value();
    Names slow;
    t.schedule.on_slow(10, [&](const SystemStatus& status) { slow.push_back(status.name); });
    for (int i = 0; i < 9; ++i) t.run();
    CHECK(slow.empty());
    is_slow = true;
    t.run();
    CHECK(slow == Names{"a"});
    const SystemStatus status = t.schedule.status(id);
    CHECK(status.rows == 1);
    CHECK(status.chunks == 1);
    CHECK(status.times.count() == 10);
    CHECK(status.times.worst() >= 12);
    CHECK(status.times.median() < 6);
    CHECK(status.times.total() >= 12);
    CHECK(t.schedule.status(*t.schedule.find("simulation")).times.worst() >= 12);
}

TEST_CASE("each run, playback and group is a span of the trace") {
    Threads t;
    const auto nothing = [](SystemContext&) {};
    t.schedule.add(t.system("a", t.world.id<Position>(), nothing)).value();
    t.schedule.add(t.system("b", t.world.id<Velocity>(), nothing)).value();
    Names spans;
    t.schedule.on_trace([&](const TraceSpan& span) {
        CHECK(span.end_nanoseconds >= span.start_nanoseconds);
        CHECK(span.lane < t.pool.lane_count());
        const char* kind = span.kind == TraceSpan::Kind::system     ? "system "
                           : span.kind == TraceSpan::Kind::playback ? "playback "
                                                                    : "group ";
        spans.push_back(kind + std::string(span.name));
    });
    t.run();
    CHECK(spans == Names{"system a", "system b", "playback simulation", "group simulation"});
}

#if PERIGEE_DEBUG_CHECKS
TEST_CASE("with access checks on, a conflict over memory fails the later system") {
    Threads t;
    t.schedule.record_access(true);
    std::uint64_t shared = 0;
    const auto sneak = [&](SystemContext& context) {
        run_scope(context.world)
            ->log->add(reinterpret_cast<const std::byte*>(&shared), 8, context.world.id<Wide>(), true);
    };
    t.schedule.add(t.system("a", t.world.id<Position>(), sneak)).value();
    t.schedule.add(t.system("b", t.world.id<Velocity>(), sneak)).value();
    t.schedule.add(t.system("c", t.world.id<Velocity>(), sneak)).value();
    t.run();
    CHECK(t.errors == Names{"system 'b' touched memory of 'Wide' that system 'a' used at the same time"});
}
#endif

}  // namespace
}  // namespace perigee
