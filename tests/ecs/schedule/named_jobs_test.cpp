// Jobs that systems start by name: what is refused, that they run in the order of their dependencies, and
// that the result does not depend on the number of threads.
#include "ecs/schedule/named_jobs.h"

#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/resource_access.h"
#include "ecs/schedule/schedule.h"
#include "tests/support/test_components.h"
#include "tests/support/test_events.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

constexpr int kRows = 50;

struct Total {
    double x = 0;
};

// Position += Velocity in `move`, then the sum of all positions into Total in `sum`.
struct Stage {
    explicit Stage(WorkerPool* workers = nullptr) : world(tiny_chunks(4)), schedule(world, 5) {
        declare_test_components(world);
        declare_test_events(world);
        total = world.declare_resource<Total>("Total", field("x", &Total::x)).value();
        position = world.registry().find("Position").value();
        velocity = world.registry().find("Velocity").value();
        schedule.use_workers(workers, 0);
        for (int i = 0; i < kRows; ++i)
            world.spawn(Position{static_cast<float>(i), 0}, Velocity{1, static_cast<float>(i)});
        JobDesc move{.name = "move"};
        move.query.terms = {{position, Access::write}, {velocity, Access::read}};
        move.run_chunk = [](const JobContext&, ChunkView& chunk) -> Result<void> {
            const std::span<Position> places = chunk.column<Position>(0);
            const std::span<const Velocity> speeds = chunk.column<const Velocity>(1);
            for (std::size_t i = 0; i < places.size(); ++i)
                places[i].x += speeds[i].x, places[i].y += speeds[i].y;
            return {};
        };
        REQUIRE(jobs().add(world, std::move(move)).ok());
        JobDesc sum{.name = "sum"};
        sum.query.terms = {{position, Access::read}};
        sum.access.write = {total};
        sum.run = [this](const JobContext& given) -> Result<void> {
            auto* const all = reinterpret_cast<Total*>(resource_of(given.world, total, Access::write));
            all->x = 0;
            given.world.each_chunk(*given.query, [&](ChunkView& chunk) {
                for (const Position& place : chunk.column<const Position>(0)) all->x += place.x;
            });
            return {};
        };
        REQUIRE(jobs().add(world, std::move(sum)).ok());
    }
    NamedJobs& jobs() { return NamedJobs::of(world); }
    // The error of a system that runs this, and declares what both jobs access.
    std::string run(SystemFunction function, bool is_declared = true) {
        SystemDesc desc;
        desc.name = "starter";
        if (is_declared) desc.access = {{velocity}, {position, total}};
        if (!is_declared) desc.access = {{position}, {total}};
        desc.run = std::move(function);
        const SystemId id = schedule.add(std::move(desc)).value();
        REQUIRE(schedule.run_group(kSimulation, TickTime{}).ok());
        std::string error = schedule.status(id).error;
        schedule.remove(id);
        return error;
    }
    double sum() { return world.resource<Total>().x; }

    World world;
    Schedule schedule;
    ComponentId position, velocity, total;
};

Result<void> nothing(const JobContext&) { return {}; }

}  // namespace

TEST_CASE("a system starts jobs by name, one after the other, and waits for the last [Q8]") {
    std::uint64_t hash = 0;
    for (const std::uint32_t threads : {0u, 1u, 3u}) {
        std::unique_ptr<WorkerPool> workers;
        if (threads != 0) workers = std::make_unique<WorkerPool>(threads);
        Stage stage(workers.get());
        CHECK(stage.run([&](SystemContext& context) -> Result<void> {
            const std::array moved{stage.jobs().start("move", context).value()};
            const std::array again{stage.jobs().start("move", context, moved).value()};
            context.jobs->complete(stage.jobs().start("sum", context, again).value());
            CHECK(context.world.resource<Total>().x == kRows * (kRows - 1) / 2 + 2 * kRows);
            return {};
        }) == "");
        CHECK((hash == 0 || hash == world_hash(stage.world)));
        hash = world_hash(stage.world);
    }
}

TEST_CASE("a job that is not waited for ends with the system that started it") {
    WorkerPool workers(3);
    Stage stage(&workers);
    CHECK(stage.run([&](SystemContext& context) -> Result<void> {
        stage.jobs().start("sum", context).value();
        return {};
    }) == "");
    CHECK(stage.sum() == kRows * (kRows - 1) / 2);
}

TEST_CASE("a system starts only jobs whose accesses it declares") {
    Stage stage;
    std::vector<std::string> errors;
    CHECK(stage.run(
              [&](SystemContext& context) -> Result<void> {
                  CHECK(stage.jobs().start("sum", context).ok());
                  for (const char* name : {"move", "mvoe", "nothing like it"})
                      errors.push_back(stage.jobs().start(name, context).error().message);
                  return {};
              },
              false) == "");
    CHECK(errors == std::vector<std::string>{
                        "job 'move' writes 'Position', which system 'starter' did not declare; name it in "
                        "access.write of the system",
                        "unknown job 'mvoe'; did you mean 'move'?", "unknown job 'nothing like it'"});
    // A filter by enabled rows or by changes reads them, and one by components does not.
    JobDesc filtered{.name = "filtered"};
    filtered.query.terms = {{stage.position, Access::read}};
    filtered.query.without = {stage.world.registry().find("Frozen").value()};
    filtered.run = nothing;
    REQUIRE(stage.jobs().add(stage.world, filtered).ok());
    filtered.name = "changed";
    filtered.query.changed = {stage.velocity};
    filtered.query.terms.push_back({stage.velocity, Access::read});
    REQUIRE(stage.jobs().add(stage.world, filtered).ok());
    CHECK(stage.run(
              [&](SystemContext& context) -> Result<void> {
                  CHECK(stage.jobs().start("filtered", context).ok());
                  CHECK_THAT(stage.jobs().start("changed", context).error().message,
                             Contains("reads 'Velocity'") && Contains("access.read"));
                  return {};
              },
              false) == "");
}

TEST_CASE("a job that fails suspends its system, and the jobs after it do not run") {
    for (const bool is_chunk : {false, true}) {
        Stage stage;
        JobDesc failing{.name = "failing"};
        failing.query.terms = {{stage.position, Access::write}};
        if (!is_chunk) failing.run = [](const JobContext&) -> Result<void> { return Error{"too dark"}; };
        if (is_chunk)
            failing.run_chunk = [](const JobContext&, ChunkView& chunk) -> Result<void> {
                return Error{"too dark in chunk " + std::to_string(chunk.index_in_query())};
            };
        REQUIRE(stage.jobs().add(stage.world, std::move(failing)).ok());
        CHECK_THAT(stage.run([&](SystemContext& context) -> Result<void> {
            const std::array failed{stage.jobs().start("failing", context).value()};
            stage.jobs().start("sum", context, failed).value();
            return {};
        }),
                   Contains("job 'failing': too dark" + std::string(is_chunk ? " in chunk 0" : "")));
        CHECK(stage.sum() == 0);
    }
}

TEST_CASE("a job that cannot run is refused, and a removed one is unknown") {
    Stage stage;
    const auto refusal = [&](JobDesc desc) {
        const Result<void> added = stage.jobs().add(stage.world, std::move(desc));
        return added ? std::string() : added.error().message;
    };
    const auto job = [&](std::string name) {
        JobDesc desc{.name = std::move(name)};
        desc.run = nothing;
        return desc;
    };
    CHECK(refusal(job("")) == "a job needs a name");
    CHECK(refusal(job("move")) == "job 'move' already exists");
    CHECK(refusal({.name = "idle"}) == "job 'idle' has nothing to run");
    JobDesc chunks{.name = "chunks"};
    chunks.run_chunk = [](const JobContext&, ChunkView&) -> Result<void> { return {}; };
    CHECK(refusal(chunks) == "job 'chunks' runs for each chunk, and so needs a query with components");
    chunks.query.terms = {{stage.position, Access::read}, {stage.position, Access::read}};
    CHECK_THAT(refusal(chunks), Contains("job 'chunks', query: "));
    JobDesc sends = job("sends");
    sends.access.write = {stage.world.registry().find("Damage").value()};
    CHECK_THAT(refusal(sends), Contains("job 'sends' uses 'Damage', but jobs run on any thread"));

    CHECK(stage.jobs().find("move") != nullptr);
    CHECK(stage.jobs().remove("move"));
    CHECK_FALSE(stage.jobs().remove("move"));
    CHECK(stage.jobs().find("move") == nullptr);
    CHECK(refusal(job("move")) == "");
}

}  // namespace perigee
