// A host of a whole game without a window: a system in Lua over a component that C++ writes and reads, and
// then the engine, which plays the folder that the command line names.
#include "ecs/world/world.h"
#include "engine/engine.h"
#include "perigee/ecs/schedule/schedule.h"
#include "perigee/ecs/world/world.h"
#include "perigee/engine/engine.h"
#include "perigee/scripting/mods/runtime.h"

#include <cstdio>

constexpr const char* kSchema = R"lua(
local ecs = require "ecs"
ecs.component("Health", { { "points", "f32", 10 } })
)lua";

constexpr const char* kMain = R"lua(
local ecs = require "ecs"
local C = ecs.components
ecs.system("heal", {
  query = { write = { C.Health } },
  run = function(chunk)
    for i = 1, chunk.count do chunk.Health.points[i] = chunk.Health.points[i] + 1 end
  end,
})
)lua";

struct Health {
    float points = 10;
};

float healed_in_lua() {
    perigee::World world;
    perigee::Schedule schedule(world);
    perigee::ScriptRuntime scripts(world, schedule);
    const perigee::MemorySource files({{"schema.lua", kSchema}, {"main.lua", kMain}});
    perigee::ModConfig game;
    game.files = &files;
    for (const perigee::ScriptError& error : scripts.load(game))
        std::fprintf(stderr, "%s\n", error.text().c_str());
    world.bind<Health>("Health", perigee::field("points", &Health::points)).value();
    const perigee::Entity entity = world.spawn(Health{5});
    for (perigee::TickTime time; time.tick < 10; ++time.tick) schedule.run_group("simulation", time).value();
    return world.get<Health>(entity)->points;
}

int main(int count, char** words) {
    if (count != 2) return 2;
    const float points = healed_in_lua();

    perigee::EngineConfig config;
    config.game = words[1];
    config.log = [](const perigee::LogEntry& entry) {
        std::fprintf(stderr, "%s\n", std::string(entry.text).c_str());
    };
    auto engine = perigee::Engine::create(config);
    if (!engine.ok()) {
        std::fprintf(stderr, "%s\n", engine.error().message.c_str());
        return 1;
    }
    perigee::FrameInput frame;
    frame.exact_steps = 1;
    for (int i = 0; i < 60; ++i) engine.value()->step(frame);
    std::printf("game: health %g, errors %d, tick %d, own headers: %d %d\n", static_cast<double>(points),
                static_cast<int>(engine.value()->error_count()), static_cast<int>(engine.value()->tick()),
                host::World{}.continents, host::Engine{}.cylinders);
    return points == 15 && engine.value()->error_count() == 0 ? 0 : 1;
}
