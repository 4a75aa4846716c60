// Scripts of different mods in parallel: that they run in parallel, and that the result does not depend on
// it.
#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/query/internal/access_log.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/run_scope.h"
#include "ecs/world/world_config.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

constexpr int kMods = 4;

// In place of the engine's sounds: stopping the music waits until `missing` systems do so.
struct Meeting {
    std::atomic<int> missing{0};
    std::atomic<int> alone{0};

    static void meet(void* context, double) noexcept {
        auto& self = *static_cast<Meeting*>(context);
        --self.missing;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (self.missing > 0) {
            if (std::chrono::steady_clock::now() > end) {
                ++self.alone;
                return;
            }
            std::this_thread::yield();
        }
    }
};

// Each mod has a component of its own, reads those of the game, spawns, logs, makes texts, draws numbers and
// now and then fails.
constexpr const char* kModSchema = R"(
local ecs = require "ecs"
ecs.component("Thing", { { "value", "f64" }, { "label", "text" }, { "image", "asset" } })
)";
constexpr const char* kModMain = R"(
local ecs = require "ecs"
local C = ecs.components
local made = 0
ecs.system("work", {
  query = { write = { C.Thing }, read = { C.Shared } },
  run = function(chunk, ctx)
    local value, x = chunk.Thing.value, chunk.Shared.x
    for i = 1, chunk.count do
      value[i] = value[i] * 0.5 + x[i] + ctx.random:unit()
      if value[i] > 20 then chunk.Thing.label[i] = "big " .. math.floor(value[i]) end
    end
  end,
})
ecs.system("make", {
  access = { read = { C.Thing } },
  after = "work",
  run = function(_, ctx)
    for i = 1, ctx.random:integer(1, 5) do
      made = made + 1
      local e = ctx.commands:spawn(C.Thing { value = made, label = NAME .. made, image = "assets/" .. NAME .. made },
        C.Shared { x = made })
      if made % 3 == 0 then ctx.commands:destroy(e) end
    end
    print(NAME .. " at " .. ctx.tick .. " has made " .. made)
    if ctx.tick == FAILS_AT then error("enough") end
  end,
})
ecs.system("count", {
  query = { read = { C.Thing } },
  run = function(chunk, ctx) if chunk.index == 1 then print(NAME, ctx:entity_count()) end end,
})
)";

struct Outcome {
    std::vector<std::uint64_t> hashes;
    std::vector<std::string> log;
    std::vector<std::string> errors;
    std::vector<std::string> assets;
    bool operator==(const Outcome&) const = default;
};

Outcome play(WorkerPool* workers) {
    WorldConfig config;
    config.shape = {.unit_bytes = 4096, .max_rows = 8};
    ScriptWorld game(config);
    game.schedule.use_workers(workers, 0);
    Outcome outcome;
    game.schedule.on_error([&](const SystemStatus& status) { outcome.errors.push_back(status.error); });
    REQUIRE(game.load("require('ecs').component('Shared', { { 'x', 'f32' } })", "") == "");
    for (int mod = 0; mod < kMods; ++mod) {
        const std::string name = "mod" + std::to_string(mod);
        const std::string head =
            "local NAME, FAILS_AT = '" + name + "', " + std::to_string(mod % 2 == 0 ? 15 + mod : -1) + "\n";
        REQUIRE(game.load(kModSchema, head + kModMain, name) == "");
    }
    for (int tick = 0; tick < 30; ++tick) {
        game.step();
        outcome.hashes.push_back(world_hash(game.world));
    }
    outcome.log = game.log;
    outcome.assets = game.assets;
    return outcome;
}

TEST_CASE("scripts of different mods run at the same time, those of one mod one after the other [Q2]") {
    Meeting meeting;
    WorkerPool pool(2);
    ScriptWorld game;
    game.schedule.use_workers(&pool, 0);
    const MemorySource files(MemorySource::Files{{"main.lua", R"(
        local audio = require("audio")
        require("ecs").system("meet", { run = function() audio.stop_music() end })
    )"}});
    for (const char* name : {"one", "two"}) {
        ModConfig mod;
        mod.name = name;
        mod.files = &files;
        mod.modules = {{"audio", &meeting, {native_function<&Meeting::meet>("stop_music")}}};
        REQUIRE(ScriptWorld::text_of(game.runtime->load(std::move(mod))) == "");
    }
    meeting.missing = 2;
    CHECK(game.step() == "");
    CHECK(meeting.alone == 0);
    CHECK(meeting.missing == 0);
}

#if PERIGEE_DEBUG_CHECKS
TEST_CASE(
    "what scripts read and write of resources is noted, so that a system that sneaks in is found [Q2]") {
    for (const bool is_written : {false, true}) {
        WorkerPool pool(2);
        ScriptWorld game;
        game.schedule.use_workers(&pool, 0);
        game.schedule.record_access(true);
        std::vector<std::string> errors;
        game.schedule.on_error([&](const SystemStatus& status) { errors.push_back(status.error); });
        REQUIRE(game.load("require('ecs').resource('Wave', { { 'number', 'f64' } })\n"
                          "require('ecs').component('Other', { { 'x', 'f32' } })",
                          "local ecs = require 'ecs'  local C = ecs.components\n"
                          "ecs.system('waves', { access = { " +
                              std::string(is_written ? "write" : "read") +
                              " = { C.Wave } }, run = function(_, ctx) local n = "
                              "ctx:resource(C.Wave).number end })") == "");
        const ComponentId wave = *game.world.registry().find("Wave");
        // Reads, and in the last round writes, without having declared it.
        bool is_writer = false;
        SystemDesc sneak;
        sneak.name = "sneak";
        sneak.access.read = {*game.world.registry().find("Other")};
        sneak.run = [&](SystemContext& context) -> Result<void> {
            run_scope(context.world)->log->add(context.world.resources().data(wave), 8, wave, is_writer);
            return {};
        };
        REQUIRE(game.schedule.add(std::move(sneak)).ok());
        CHECK(game.step() == "");
        CHECK(errors.empty() != is_written);
        if (is_written) continue;
        is_writer = true;
        game.step();
        CHECK(errors ==
              std::vector<std::string>{
                  "system 'waves' touched memory of 'Wave' that system 'sneak' used at the same time"});
    }
}
#endif

TEST_CASE("with 1, 2 and 8 workers, mods give the same world, log, errors and assets [Q2]") {
    const Outcome serial = play(nullptr);
    for (const std::string& error : serial.errors) UNSCOPED_INFO(error);
    CHECK(serial.errors.size() == 2);
    CHECK(serial.log.size() > 100);
    CHECK(serial.assets.size() > 50);
    for (const std::uint32_t workers : {1u, 2u, 8u}) {
        WorkerPool pool(workers);
        const Outcome parallel = play(&pool);
        CHECK(parallel.hashes == serial.hashes);
        CHECK(parallel.log == serial.log);
        CHECK(parallel.errors == serial.errors);
        CHECK(parallel.assets == serial.assets);
    }
}

}  // namespace
}  // namespace perigee
