// The smallest program that embeds Perigee: no window, one component, one Lua system. Lua declares Body, C++
// binds a struct to it, 60 fixed steps run, and C++ reads where the body is. The README quotes this file.
#include "perigee/ecs/schedule/schedule.h"
#include "perigee/ecs/world/world.h"
#include "perigee/scripting/mods/runtime.h"

#include <cstdio>

constexpr const char* kSchema = R"lua(
local ecs = require "ecs"
ecs.component("Body", { { "height", "f32", unit = "m" }, { "speed", "f32", unit = "m/s" } })
)lua";

constexpr const char* kMain = R"lua(
local ecs = require "ecs"
local C = ecs.components
ecs.system("fall", {
  query = { write = { C.Body } },
  run = function(chunk, ctx)
    local body, dt = chunk.Body, ctx.dt
    for i = 1, chunk.count do
      body.speed[i] = body.speed[i] - 9.81 * dt
      body.height[i] = body.height[i] + body.speed[i] * dt
    end
  end,
})
)lua";

struct Body {
    float height = 0, speed = 0;
};

int main() {
    using namespace perigee;
    World world;
    Schedule schedule(world);
    ScriptRuntime scripts(world, schedule);

    const MemorySource files({{"schema.lua", kSchema}, {"main.lua", kMain}});
    ModConfig game;
    game.files = &files;
    for (const ScriptError& error : scripts.load(game)) {
        std::fprintf(stderr, "%s\n", error.text().c_str());
        return 1;
    }

    world.bind<Body>("Body", field("height", &Body::height), field("speed", &Body::speed)).value();
    const Entity body = world.spawn(Body{.height = 100});
    for (TickTime time; time.tick < 60; ++time.tick, time.time += time.dt) {
        schedule.run_group("simulation", time).value();
    }
    std::printf("after one second the body is at %.2f m\n", world.get<Body>(body)->height);
}
