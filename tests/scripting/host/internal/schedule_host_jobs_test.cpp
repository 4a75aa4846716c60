// Jobs of C++ that Lua systems start: their order, and that a script cannot reach the world while they are
// open.
#include "scripting/host/internal/schedule_host.h"

#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/named_jobs.h"
#include "ecs/schedule/resource_access.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

constexpr char kTypes[] = R"(
local ecs = require "ecs"
ecs.component("Cell", { { "x", "f64" }, { "n", "i32" } })
ecs.component("Seen", { { "n", "i32" } })
ecs.resource("Total", { { "n", "i32" } })
ecs.component("Path", { kind = "buffer", { "n", "i32" } })
)";

constexpr char kHead[] = R"(
local ecs = require "ecs"
local C = ecs.components
for i = 1, 40 do ecs.world:spawn(C.Cell { x = i }, C.Seen, C.Path { { n = 1 } }) end
local access = { write = { C.Cell, C.Total, C.Path }, read = { C.Seen } }
local function sum(ctx)
  local total = 0
  for chunk in ctx.queries.cells:chunks() do
    for i = 1, chunk.count do total = total + chunk.Cell.n[i] end
  end
  return total
end
)";

// "add" adds 1 to each Cell.n, "double" doubles it, "total" writes the sum to Total, "fail" fails, and
// "forge" writes a float with the bits of another type.
struct JobWorld : ScriptWorld {
    explicit JobWorld(WorkerPool* workers = nullptr) { schedule.use_workers(workers, 0); }

    // Loads a system with this body, and named queries.
    std::string start(const std::string& body, const std::string& more = "") {
        std::string errors = load(kTypes, kHead + more + R"(
ecs.system("starter", { access = access, queries = { cells = { write = { C.Cell } } }, run = function(_, ctx)
)" + body + "\nend })");
        add_jobs();
        return errors;
    }
    void add_jobs() {
        const ComponentId cell = world.registry().find("Cell").value();
        const ComponentId total = world.registry().find("Total").value();
        const auto each = [&](const char* name, auto change) {
            JobDesc job{.name = name};
            job.query.terms = {{cell, Access::write}};
            job.run_chunk = [change](const JobContext&, ChunkView& chunk) -> Result<void> {
                for (std::uint32_t i = 0; i < chunk.row_count(); ++i) {
                    std::byte* const row = chunk.column_data(0) + std::size_t{i} * chunk.row_bytes(0);
                    change(*reinterpret_cast<std::uint64_t*>(row), *reinterpret_cast<std::int32_t*>(row + 8));
                }
                return {};
            };
            REQUIRE(NamedJobs::of(world).add(world, std::move(job)).ok());
        };
        each("add", [](std::uint64_t&, std::int32_t& n) { ++n; });
        each("double", [](std::uint64_t&, std::int32_t& n) { n *= 2; });
        each("forge", [](std::uint64_t& x, std::int32_t&) { x = 0xFFFE'8000'1234'5678; });
        JobDesc sums{.name = "total"};
        sums.query.terms = {{cell, Access::read}};
        sums.access.write = {total};
        sums.run = [total](const JobContext& given) -> Result<void> {
            auto* const sum = reinterpret_cast<std::int32_t*>(resource_of(given.world, total, Access::write));
            *sum = 0;
            given.world.each_chunk(*given.query, [&](ChunkView& chunk) {
                for (std::uint32_t i = 0; i < chunk.row_count(); ++i)
                    *sum += *reinterpret_cast<const std::int32_t*>(chunk.column_data(0) +
                                                                   std::size_t{i} * chunk.row_bytes(0) + 8);
            });
            return {};
        };
        REQUIRE(NamedJobs::of(world).add(world, std::move(sums)).ok());
        JobDesc fails{.name = "fail"};
        fails.run = [](const JobContext&) -> Result<void> { return Error{"too dark"}; };
        REQUIRE(NamedJobs::of(world).add(world, std::move(fails)).ok());
    }
};

}  // namespace

TEST_CASE("a Lua system starts jobs of C++ after each other, waits for them and reads what they wrote [Q8]") {
    for (const std::uint32_t threads : {0u, 3u}) {
        std::unique_ptr<WorkerPool> workers;
        if (threads != 0) workers = std::make_unique<WorkerPool>(threads);
        JobWorld game(workers.get());
        REQUIRE(game.start(R"(
          print(sum(ctx))
          local add = ctx:start_job "add"
          local double = ctx:start_job("double", add)
          local again = ctx:start_job("add", double)
          local total = ctx:start_job("total", add, again)
          total:wait()
          total:wait()
          print(sum(ctx), ctx:resource(C.Total).n, tostring(total))
          ctx:wait_for_jobs()
        )") == "");
        CHECK(game.step() == "");
        CHECK(game.step() == "");
        CHECK(game.log == std::vector<std::string>{"0", "120\t120\tjob total", "120", "360\t360\tjob total"});
    }
}

TEST_CASE("a job that a Lua system does not wait for ends with its run, and its handle stays valid") {
    JobWorld game;
    REQUIRE(game.start(R"(
      if last then last:wait() print(sum(ctx)) return end
      last = ctx:start_job("add", last)
    )",
                       "local last\n") == "");
    for (int i = 0; i < 2; ++i) CHECK(game.step() == "");
    CHECK(game.log == std::vector<std::string>{"40"});
}

TEST_CASE("while jobs are open, nothing of the world can be reached, and what was lent has ended") {
    // Each line is tried with a proxy, a chunk and a buffer from before the start.
    const char* const tries[] = {
        "ctx:try_get(entity, C.Cell)",
        "ctx:has(entity, C.Cell)",
        "ctx:is_alive(entity)",
        "ctx:resource(C.Total)",
        "ctx:buffer(entity, C.Path)",
        "ctx:entity_count()",
        "ctx.queries.cells:chunks()",
        "ctx.queries.cells:entity_count()",
        "row.n",
        "row.n = 1",
        "total.n",
        "total.n = 1",
        "path[1].n",
        "path:push { n = 1 }",
        "kept.Cell.n[1]",
        "kept.Cell.n[1] = 1",
        "kept.count",
        "column[1]",
        "column[1] = 2",
        "ecs.world:get(entity, C.Cell)",
    };
    for (const std::string line : tries) {
        const bool is_assignment =
            line.find(" = ") != std::string::npos && line.find('{') == std::string::npos;
        for (const bool is_waited : {false, true}) {
            INFO(line << (is_waited ? ", after the wait" : ""));
            JobWorld game;
            REQUIRE(game.start(R"(
              local kept, column, entity
              for chunk in ctx.queries.cells:chunks() do kept, column, entity = chunk, chunk.Cell.n, chunk.entity[1] end
              local row, total, path = ctx:try_get(entity, C.Cell), ctx:resource(C.Total), ctx:buffer(entity, C.Path)
              row.n, total.n = 5, 5
              local job = ctx:start_job "add"
            )" + std::string(is_waited ? "job:wait()\n" : "") +
                               "print(pcall(function() " + (is_assignment ? "" : "return ") + line +
                               " end))\n") == "");
            CHECK(game.step() == "");
            REQUIRE(game.log.size() == 1);
            const bool is_of_ctx = line.starts_with("ctx");
            CHECK(game.log[0].starts_with(is_waited && is_of_ctx ? "true" : "false"));
            if (is_of_ctx && !is_waited) CHECK_THAT(game.log[0], Contains("wait for them first"));
        }
    }
}

TEST_CASE("a loop over chunks ends with an error when a job is started in it") {
    JobWorld game;
    REQUIRE(game.start(R"(
      for chunk in ctx.queries.cells:chunks() do ctx:start_job("add"):wait() end
    )") == "");
    CHECK_THAT(game.step(),
               Contains("this visit has ended, since the query was visited again, or a job was started"));
}

TEST_CASE("commands, events, random numbers and logs work while jobs are open") {
    JobWorld game;
    REQUIRE(game.start(R"(
      local job = ctx:start_job "add"
      ctx.commands:spawn(C.Seen { n = 7 })
      print(ctx.random:integer(1, 1), ctx.dt > 0)
      ctx:log("hello")
      job:wait()
    )") == "");
    const std::size_t before = game.world.entity_count();
    CHECK(game.step() == "");
    CHECK(game.world.entity_count() == before + 1);
    CHECK(game.log == std::vector<std::string>{"1\ttrue", "hello"});
}

TEST_CASE("floats that a job writes are checked before a script reads them again [H1]") {
    JobWorld game;
    REQUIRE(game.start(R"(
      for chunk in ctx.queries.cells:chunks() do
        for i = 1, chunk.count do chunk.Cell.x[i] = 1 end
      end
      ctx:start_job("forge"):wait()
      for chunk in ctx.queries.cells:chunks() do
        local x = chunk.Cell.x[1]
        print(type(x), x ~= x)
        break
      end
      ctx:start_job "forge"
    )") == "");
    for (int i = 0; i < 3; ++i) CHECK(game.step() == "");
    CHECK(game.log == std::vector<std::string>(3, "number\ttrue"));
}

TEST_CASE("a failed job is an error of the wait, and of the system in any case") {
    JobWorld game;
    REQUIRE(game.start("ctx:start_job('fail'):wait()") == "");
    CHECK_THAT(game.step(), Contains("job:wait: job 'fail': too dark"));

    JobWorld caught;
    REQUIRE(caught.start("print(pcall(function() ctx:start_job('fail') ctx:wait_for_jobs() end))") == "");
    CHECK_THAT(caught.step(), Contains("job 'fail': too dark"));
    REQUIRE(caught.log.size() == 1);
    CHECK_THAT(caught.log[0], Contains("ctx:wait_for_jobs: job 'fail': too dark"));
}

TEST_CASE("a wrong start of a job is an error that says what to do") {
    const auto error_of = [](const std::string& body) {
        JobWorld game;
        REQUIRE(game.start(body) == "");
        return game.step();
    };
    CHECK_THAT(error_of("ctx:start_job 'ad'"),
               Contains("ctx:start_job: unknown job 'ad'; did you mean 'add'?"));
    CHECK_THAT(error_of("ctx:start_job(5)"), Contains("ctx:start_job: expected a name, got 5"));
    CHECK_THAT(error_of("ctx:start_job('add', 'double')"),
               Contains("expected jobs to run after, got 'double'"));
    CHECK_THAT(error_of("ctx:start_job('add').state()"), Contains("a job has no 'state'"));
    CHECK_THAT(error_of("ctx:start_job('add').wait()"), Contains("call it as a method: job:wait()"));
    CHECK_THAT(error_of("ctx:start_job('add').wait = 1"), Contains("a job cannot be changed"));
    CHECK_THAT(error_of("ctx.start_job('add')"), Contains("call it as a method: ctx:start_job(…)"));
    CHECK_THAT(error_of("for _ = 1, 1001 do ctx:start_job('add') end"),
               Contains("more than 1000 jobs in one run"));

    const auto error_with = [](const std::string& declaration) {
        JobWorld game;
        REQUIRE(game.load(kTypes, kHead + declaration) == "");
        game.add_jobs();
        return game.step();
    };
    CHECK_THAT(
        error_with("ecs.system('x', { run = function(_, ctx) ctx:start_job 'add' end })"),
        Contains("job 'add' writes 'Cell', which system 'x' did not declare; name it in access.write"));
    for (const char* refused :
         {"ecs.system('x', { query = { write = { C.Cell } }, run = function(_, ctx) ctx:start_job 'add' end "
          "})",
          "ecs.system('x', { exclusive = true, run = function(_, ctx) ctx:start_job 'add' end })",
          "ecs.on_added(C.Seen, { access = access }, function(_, ctx) ctx:start_job \'add\' end)\n"
          "ecs.system('y', { run = function(_, ctx) ctx.commands:spawn(C.Seen) end })"})
        CHECK_THAT(error_with(refused), Contains("a system with a query of its own, an exclusive one"));
    CHECK_THAT(
        error_with("ecs.system('x', { access = access, on_start = function(ctx) ctx:start_job 'add' end, "
                   "run = function() end })"),
        Contains("jobs are started in 'run'"));
    CHECK_THAT(error_with("local old\necs.system('x', { access = access, run = function(_, ctx)\n"
                          "if not old then old = ctx end end })\n"
                          "ecs.system('y', { after = 'x', run = function() old:start_job 'add' end })"),
               Contains("ctx:start_job is used outside of its system's run"));
}

}  // namespace perigee
