// Jobs of plugins: systems start them by name, they cannot do what only systems can, and they go with the
// plugin.
#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/named_jobs.h"
#include "ecs/schedule/schedule.h"
#include "engine/plugin/plugin.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <utility>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Stage {
    explicit Stage(std::uint32_t workers = 0) : pool(workers) {
        declare_test_components(world);
        schedule.use_workers(&pool);
        for (int i = 0; i < 30; ++i) entity = world.spawn(Position{static_cast<float>(i), 0});
        plugin = Plugin::load(PERIGEE_BINARY_DIR "/plugins/plugin_jobs.so", world, schedule, {}).value();
    }
    // The error of a system that starts the job and waits for it.
    std::string start(const std::string& job) {
        SystemDesc desc;
        desc.name = "starter";
        desc.access.write = {world.id<Position>(), world.registry().find("Sum").value()};
        desc.run = [&](SystemContext& context) -> Result<void> {
            const Result<JobHandle> started = NamedJobs::of(world).start(job, context);
            if (!started) return started.error();
            context.jobs->complete(started.value());
            return {};
        };
        const SystemId id = schedule.add(std::move(desc)).value();
        schedule.run_group(kSimulation, TickTime{}).value();
        std::string error = schedule.status(id).error;
        schedule.remove(id);
        return error;
    }

    World world{tiny_chunks(4)};
    WorkerPool pool;
    Schedule schedule{world, 3};
    Entity entity;
    std::unique_ptr<Plugin> plugin;
};

}  // namespace

TEST_CASE("a job of a plugin visits chunks and changes resources, with any number of workers [Q8]") {
    for (const std::uint32_t workers : {0u, 3u}) {
        Stage stage(workers);
        CHECK(stage.start("jobs:push") == "");
        CHECK(stage.start("jobs:push") == "");
        CHECK(stage.world.get<Position>(stage.entity)->x == 31);
        CHECK(stage.start("jobs:clear") == "");
    }
}

TEST_CASE("a job of a plugin has no commands, no random numbers and no undeclared access") {
    Stage stage;
    const std::size_t before = stage.world.entity_count();
    CHECK_THAT(stage.start("jobs:spawn"), Contains("'jobs:spawn' records commands, which a job cannot"));
    CHECK_THAT(stage.start("jobs:look"), Contains("job 'jobs:look': ") && Contains("'Sum'"));
    CHECK_THAT(stage.start("jobs:random"), Contains("no luck in a job"));
    CHECK(stage.world.entity_count() == before);
}

TEST_CASE("the jobs of a plugin go when it is unloaded") {
    Stage stage;
    stage.plugin.reset();
    CHECK_THAT(stage.start("jobs:push"), Contains("unknown job 'jobs:push'"));
}

}  // namespace perigee
