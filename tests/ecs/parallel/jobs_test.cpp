// Jobs end after their dependencies, with the same result for any number of threads; operations that wait for
// them.
#include "ecs/parallel/jobs.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"
#include "ecs/world/objects.h"
#include "tests/support/broken_contract.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

using Catch::Contains;

constexpr std::uint32_t kWorkerCounts[] = {0, 1, 2, 7};

void wait_for(const std::atomic<bool>& flag) {
    while (!flag.load()) std::this_thread::yield();
}

// ---- random jobs with dependencies ----

struct PlannedJob {
    std::uint32_t count = 1;  ///< of tasks; 0: a combined handle
    std::vector<std::size_t> after;
    std::uint32_t failing_task = ~0u;
};

std::vector<PlannedJob> random_plan(std::mt19937& random) {
    std::vector<PlannedJob> plan(random() % 40);
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const std::uint32_t kind = random() % 4;
        plan[i].count = kind == 0 ? 0 : kind == 1 ? 1 : random() % 30;
        for (std::size_t count = random() % 4; count > 0 && i > 0; --count)
            plan[i].after.push_back(random() % i);
        if (random() % 12 == 0 && plan[i].count != 0) plan[i].failing_task = random() % plan[i].count;
    }
    return plan;
}

struct Ran {
    std::vector<std::vector<std::uint64_t>> values;
    std::vector<std::string> errors;
    bool operator==(const Ran&) const = default;
};

// The result of a task: a number that depends on the results of all earlier jobs.
std::uint64_t task_value(const std::vector<PlannedJob>& plan, const Ran& ran, std::size_t job,
                         std::uint32_t task) {
    std::uint64_t value = job * 1000 + task;
    for (const std::size_t before : plan[job].after) {
        for (const std::uint64_t part : ran.values[before]) value = value * 31 + part;
    }
    return value;
}

Ran blank(const std::vector<PlannedJob>& plan) {
    Ran ran;
    for (const PlannedJob& job : plan) ran.values.emplace_back(job.count, 0);
    ran.errors.resize(plan.size());
    return ran;
}

// Runs one job after another, in the planned order.
Ran run_serially(const std::vector<PlannedJob>& plan) {
    Ran ran = blank(plan);
    std::vector<std::size_t> origin(plan.size());
    for (std::size_t job = 0; job < plan.size(); ++job) {
        std::size_t first = plan.size();
        for (const std::size_t before : plan[job].after) {
            if (!ran.errors[before].empty()) first = std::min(first, before);
        }
        if (first != plan.size()) {
            ran.errors[job] = ran.errors[first];
            continue;
        }
        for (std::uint32_t task = 0; task < plan[job].count; ++task) {
            if (task == plan[job].failing_task) {
                ran.errors[job] = "job " + std::to_string(job);
            } else {
                ran.values[job][task] = task_value(plan, ran, job, task);
            }
        }
    }
    return ran;
}

Ran run_as_jobs(const std::vector<PlannedJob>& plan, Jobs& jobs, std::mt19937& random) {
    Ran ran = blank(plan);
    std::vector<JobHandle> handles;
    for (std::size_t job = 0; job < plan.size(); ++job) {
        std::vector<JobHandle> after;
        for (const std::size_t before : plan[job].after) after.push_back(handles[before]);
        const JobHandle all = jobs.combine(after);
        const auto task = [&plan, &ran, job](std::uint32_t index) {
            if (index == plan[job].failing_task) throw std::runtime_error("job " + std::to_string(job));
            ran.values[job][index] = task_value(plan, ran, job, index);
        };
        if (plan[job].count == 0) {
            handles.push_back(all);
        } else if (plan[job].count == 1) {
            handles.push_back(jobs.schedule([task] { task(0); }, {all}));
        } else {
            handles.push_back(jobs.schedule_parallel(plan[job].count, task, {all}));
        }
        if (random() % 16 == 0) jobs.wait();
    }
    std::vector<std::size_t> order(plan.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t job : order) {
        try {
            jobs.complete(handles[job]);
        } catch (const std::runtime_error& error) {
            ran.errors[job] = error.what();
        }
        if (!jobs.is_done(handles[job])) throw std::logic_error("completed and not done");
    }
    return ran;
}

TEST_CASE("[Q8] random jobs with dependencies give the same result as running them one after the other") {
    World world;
    int failed = 0;
    for (const std::uint32_t workers : kWorkerCounts) {
        WorkerPool pool(workers);
        Jobs jobs(world, &pool);
        for (std::uint32_t seed = 0; seed < 120; ++seed) {
            std::mt19937 random(seed);
            const std::vector<PlannedJob> plan = random_plan(random);
            const Ran expected = run_serially(plan);
            const Ran ran = run_as_jobs(plan, jobs, random);
            INFO(workers << " workers, seed " << seed);
            REQUIRE(ran == expected);
            for (const std::string& error : expected.errors) failed += error.empty() ? 0 : 1;
        }
    }
    CHECK(failed > 500);
}

TEST_CASE("[Q8] a job schedules jobs and completes them") {
    for (const std::uint32_t workers : kWorkerCounts) {
        World world;
        WorkerPool pool(workers);
        Jobs jobs(world, &pool);
        std::atomic<int> count{0};
        for (int i = 0; i < 50; ++i) {
            jobs.schedule([&] {
                const JobHandle inner = jobs.schedule_parallel(8, [&](std::uint32_t) { ++count; });
                jobs.complete(inner);
                if (count < 8) throw std::logic_error("the inner job has not ended");
                jobs.schedule([&] { ++count; }, {inner});
            });
        }
        jobs.complete_all();
        CHECK(count == 50 * 9);
    }
}

TEST_CASE("complete_all throws the exception of the first failed job and forgets all jobs") {
    World world;
    WorkerPool pool(2);
    Jobs jobs(world, &pool);
    const JobHandle fine = jobs.schedule([] {});
    const JobHandle first = jobs.schedule_parallel(9, [](std::uint32_t task) {
        if (task % 2 == 1) throw std::runtime_error("task " + std::to_string(task));
    });
    jobs.schedule([] { throw std::runtime_error("second"); });
    CHECK_THROWS_WITH(jobs.complete_all(), "task 1");
    jobs.complete_all();
    jobs.complete(first);
    CHECK(jobs.is_done(fine));
    jobs.complete(JobHandle{});
    bool has_run = false;
    jobs.complete(jobs.schedule([&] { has_run = true; }, {fine, first, JobHandle{}}));
    CHECK(has_run);
    const ContractWatch watch;
    CHECK_THROWS_AS(jobs.complete(JobHandle{1000}), BrokenContract);
    CHECK_THROWS_AS(jobs.schedule([] {}, {JobHandle{1000}}), BrokenContract);
}

// ---- in systems ----

struct Stage {
    explicit Stage(std::uint32_t workers = 2) : pool(workers) {
        declare_test_components(world);
        declare_kind_components(world);
        schedule.use_workers(&pool);
        schedule.on_error(
            [this](const SystemStatus& status) { errors += status.name + ": " + status.error; });
    }
    SystemDesc system(std::string name, std::vector<QueryTerm> terms, SystemFunction run) const {
        SystemDesc desc;
        desc.name = std::move(name);
        desc.query.terms = std::move(terms);
        desc.run = std::move(run);
        return desc;
    }
    void run() { schedule.run_group(kSimulation, {}).value(); }

    World world{tiny_chunks(16)};
    WorkerPool pool;
    Schedule schedule{world, 1};
    std::string errors;
};

TEST_CASE("[Q8] a system may schedule jobs in its run and in its lifecycle callbacks") {
    for (const std::uint32_t workers : kWorkerCounts) {
        Stage stage(workers);
        const ComponentId position = stage.world.id<Position>();
        for (int i = 0; i < 500; ++i) stage.world.spawn(Position{static_cast<float>(i), 0});
        std::vector<std::string> life;
        SystemDesc desc = stage.system(
            "worker", {{position, Access::write, false}}, [&](SystemContext& context) -> Result<void> {
                context.world.each_chunk(*context.query, [](ChunkView& chunk) {
                    for (Position& place : chunk.column<Position>(0)) place.x += 1;
                });
                const JobHandle doubled = context.jobs->schedule_chunks(*context.query, [](ChunkView& chunk) {
                    for (Position& place : chunk.column<Position>(0)) place.x *= 2;
                });
                const JobHandle shifted =
                    context.jobs->schedule_chunks(*context.query,
                                                  [](ChunkView& chunk) {
                                                      for (Position& place : chunk.column<Position>(0))
                                                          place.y = place.x + 5;
                                                  },
                                                  {doubled});
                context.jobs->complete(doubled);
                life.emplace_back("update");
                context.jobs->schedule([&] { life.emplace_back("job"); }, {shifted});
                return {};  // the last jobs end with the system
            });
        desc.on_create = [&](SystemContext& context) -> Result<void> {
            context.jobs->schedule([&] { life.emplace_back("create"); });
            return {};
        };
        desc.on_destroy = [&](SystemContext&) -> Result<void> {
            life.emplace_back("destroy");
            return {};
        };
        const SystemId id = stage.schedule.add(std::move(desc)).value();
        stage.run();
        CHECK(stage.errors.empty());
        stage.schedule.remove(id);
        CHECK(life == std::vector<std::string>{"create", "update", "job", "destroy"});
        double sum = 0;
        stage.world.query<const Position>().each([&](const Position& place) { sum += place.x + place.y; });
        CHECK(sum == 2 * 2 * (500 * 499 / 2 + 500) + 5 * 500);
    }
}

TEST_CASE("[Q9] jobs per chunk fill a result array, and another job folds it in chunk order") {
    std::vector<float> sums;
    for (const std::uint32_t workers : kWorkerCounts) {
        Stage stage(workers);
        for (int i = 0; i < 4000; ++i) stage.world.spawn(Position{1.0f / static_cast<float>(i + 1), 0});
        for (int i = 0; i < 900; ++i) stage.world.spawn(Position{1e3f, 0}, Velocity{});
        float sum = 0;
        bool has_flags = true;
        stage.schedule
            .add(stage.system(
                "sum", {{stage.world.id<Position>(), Access::read, false}},
                [&](SystemContext& context) -> Result<void> {
                    ChunkResults<float> parts(context.world, *context.query);
                    ChunkResults<bool> flags(context.world, *context.query, false);
                    CHECK(parts.size() == context.query->chunk_count());
                    const JobHandle map =
                        context.jobs->schedule_chunks(*context.query, [&](ChunkView& chunk) {
                            for (const Position& place : chunk.column<const Position>(0))
                                parts[chunk] += place.x;
                            flags[chunk] = true;
                        });
                    const JobHandle fold = context.jobs->schedule(
                        [&] {
                            sum = parts.fold(0.0f, [](float total, float part) { return total + part; });
                            has_flags = flags.fold(true, [](bool all, bool one) { return all && one; });
                        },
                        {map});
                    context.jobs->complete(fold);
                    return {};
                }))
            .value();
        stage.run();
        CHECK(stage.errors.empty());
        CHECK(has_flags);
        sums.push_back(sum);
    }
    CHECK(sums[0] > 9e5f);
    CHECK(sums == std::vector<float>(std::size(kWorkerCounts), sums[0]));
}

TEST_CASE("an exception in a job suspends its system and drops the system's commands") {
    for (const std::uint32_t workers : kWorkerCounts) {
        Stage stage(workers);
        std::atomic<int> ended{0};
        stage.schedule
            .add(stage.system("thrower", {},
                              [&](SystemContext& context) -> Result<void> {
                                  context.commands.spawn();
                                  context.jobs->schedule_parallel(20, [&](std::uint32_t task) {
                                      ++ended;
                                      if (task == 11) throw std::runtime_error("task eleven");
                                  });
                                  return {};
                              }))
            .value();
        stage.schedule
            .add(stage.system("failer", {},
                              [&](SystemContext& context) -> Result<void> {
                                  context.jobs->schedule_parallel(20, [&](std::uint32_t) { ++ended; });
                                  return Error{"for other reasons"};
                              }))
            .value();
        stage.run();
        CHECK(ended == 40);
        CHECK_THAT(stage.errors, Contains("task eleven") && Contains("failer: for other reasons"));
        CHECK(stage.world.entity_count() == 0);
    }
}

TEST_CASE("a system is suspended by an exception in a job even if it catches it") {
    for (const std::uint32_t workers : kWorkerCounts) {
        Stage stage(workers);
        bool is_caught = false;
        stage.schedule
            .add(stage.system("catcher", {},
                              [&](SystemContext& context) -> Result<void> {
                                  const JobHandle job =
                                      context.jobs->schedule([] { throw std::runtime_error("in a job"); });
                                  try {
                                      context.jobs->complete(job);
                                  } catch (const std::runtime_error&) {
                                      is_caught = true;
                                  }
                                  return {};
                              }))
            .value();
        stage.run();
        CHECK(is_caught);
        CHECK_THAT(stage.errors, Contains("in a job"));
    }
}

TEST_CASE("writes of a system's jobs count as its own: others see them as changes, the system does not") {
    Stage stage;
    const ComponentId position = stage.world.id<Position>();
    for (int i = 0; i < 100; ++i) stage.world.spawn(Position{});
    int own_news = 0, others_news = 0;
    SystemDesc writer = stage.system(
        "a writer", {{position, Access::write, false}}, [&](SystemContext& context) -> Result<void> {
            context.world.each_chunk(*context.query, [&](const ChunkView& chunk) {
                own_news += chunk.changed_since(0, context.last_run_version);
            });
            context.jobs->schedule_chunks(*context.query, [](ChunkView&) {});
            return {};
        });
    writer.query.changed = {};
    stage.schedule.add(std::move(writer)).value();
    SystemDesc reader = stage.system(
        "b reader", {{position, Access::read, false}}, [&](SystemContext& context) -> Result<void> {
            context.world.each_chunk(*context.query, [&](const ChunkView&) { ++others_news; });
            return {};
        });
    reader.query.changed = {position};
    stage.schedule.add(std::move(reader)).value();
    for (int i = 0; i < 3; ++i) stage.run();
    const int chunks = static_cast<int>(stage.world.query<const Position>().query().chunk_count());
    CHECK(others_news == 3 * chunks);
    CHECK(stage.errors.empty());
}

// ---- sync points ----

struct Host {
    explicit Host(std::uint32_t workers) : pool(workers) {
        declare_test_components(world);
        declare_kind_components(world);
        for (int i = 0; i < 100; ++i) entities.push_back(world.spawn<Position, Waypoint>());
        query = &world.query<Position>().query();
    }
    // A job on all chunks that is still running when this returns.
    JobHandle begin() {
        done = 0;
        return jobs.schedule_chunks(*query, [this](ChunkView& chunk) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            for (Position& place : chunk.column<Position>(0)) place.x += 1;
            ++done;
        });
    }
    bool has_ended() const { return done == static_cast<int>(query->chunk_count()); }

    World world{tiny_chunks(16)};
    WorkerPool pool;
    Jobs jobs{world, &pool};
    std::vector<Entity> entities;
    const Query* query = nullptr;
    std::atomic<int> done{0};
};

TEST_CASE("[C5] a structural change waits for running jobs and makes references stale") {
    for (const std::uint32_t workers : {0u, 1u, 3u}) {
        Host host(workers);
        const auto changes_of = [&]() {
            return std::vector<std::function<void()>>{
                [&] { host.world.spawn(Velocity{}); },
                [&] { host.world.destroy(host.entities.back()); },
                [&] { host.world.add<Velocity>(host.entities[0]); },
                [&] { host.world.remove<Velocity>(host.entities[0]); },
                [&] { host.world.clone(host.entities[0]); },
                [&] { destroy_all(host.world, *host.query); },
            };
        };
        for (const std::function<void()>& change : changes_of()) {
            DynamicBuffer path = host.world.buffer(host.entities[0], host.world.id<Waypoint>());
            const std::uint32_t chunks = host.query->chunk_count();
            host.begin();
            CHECK(host.world.is_locked());
            change();
            CHECK(host.done == static_cast<int>(chunks));
            CHECK_FALSE(host.world.is_locked());
            CHECK(path.is_stale());
        }
    }
}

TEST_CASE("[C5] playback and a run of systems wait for a host's jobs too") {
    Host host(1);
    CommandBuffer commands(host.world);
    commands.destroy(host.entities[5]);
    host.begin();
    commands.play_back();
    CHECK(host.done == 7);
    CHECK_FALSE(host.world.is_locked());
    Schedule schedule(host.world);
    SystemDesc desc;
    desc.name = "look";
    bool has_ended = false;
    desc.run = [&](SystemContext&) -> Result<void> {
        has_ended = host.has_ended();
        return {};
    };
    schedule.add(std::move(desc)).value();
    host.begin();
    schedule.run_group(kSimulation, {}).value();
    CHECK(has_ended);
}

TEST_CASE("[C5] changing the value of an object component does not wait for jobs") {
    Host host(1);
    const ComponentId brain = host.world.id<Brain>();
    host.world.add(host.entities[0], brain);
    std::atomic<bool> may_end{false};
    const JobHandle job = host.jobs.schedule([&] { wait_for(may_end); });
    set_object(host.world, host.entities[0], brain, std::make_shared<std::int64_t>(7), 0,
               &typeid(std::int64_t));
    CHECK_FALSE(host.jobs.is_done(job));
    CHECK(host.world.is_locked());
    may_end = true;
    host.jobs.complete(job);
    CHECK_FALSE(host.world.is_locked());
    CHECK(*object_of<std::int64_t>(host.world, host.entities[0], brain) == 7);
}

TEST_CASE("[C5] a structural change inside a job breaks a contract and does not wait for the job itself") {
    Host host(1);
    const ContractWatch watch;
    const JobHandle job = host.jobs.schedule([&] { host.world.destroy(host.entities[0]); });
    CHECK_THROWS_AS(host.jobs.complete(job), BrokenContract);
    CHECK(host.world.is_alive(host.entities[0]));
}

TEST_CASE("destroying a Jobs object waits for jobs that were not completed") {
    std::atomic<int> count{0};
    World world;
    WorkerPool pool(2);
    {
        Jobs jobs(world, &pool);
        for (int i = 0; i < 200; ++i) jobs.schedule([&] { ++count; });
        jobs.schedule([] { throw std::runtime_error("nobody asks"); });
    }
    CHECK(count == 200);
    CHECK_FALSE(world.is_locked());
}

}  // namespace
}  // namespace perigee
