// The cost of the schedule itself: systems without work, and one over many archetypes.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/typed_system.h"
#include "ecs/world/bulk.h"
#include "scripting/base/file_source.h"
#include "scripting/mods/runtime.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kSystems = 400;
constexpr std::size_t kArchetypes = 26;
constexpr std::size_t kScalers = 8;  // a group has more systems than one

struct Stage {
    std::unique_ptr<World> world = make_world();
    WorkerPool pool{1};
    Schedule schedule{*world};
    Stage() { schedule.use_workers(&pool); }

    void run() { schedule.run_group(kSimulation, {}).value(); }
};

// Archetypes without entities: Position, and Velocity or Mass in turn.
Sample idle_systems() {
    auto stage = std::make_shared<Stage>();
    stage->world->archetype<Position, Velocity>();
    stage->world->archetype<Position, Mass>();
    for (std::size_t i = 0; i < kSystems; ++i) {
        const std::string name = "system " + std::to_string(i);
        const auto add = [&](const SystemDesc& desc) { stage->schedule.add(desc).value(); };
        if (i % 2 == 0) {
            add(system<Position, const Velocity>(*stage->world, name).each([](Position&, const Velocity&) {
            }));
        } else {
            add(system<const Position, Mass>(*stage->world, name).each([](const Position&, Mass&) {}));
        }
    }
    return [stage](const Effort& effort) { return time_loop(effort, kSystems, [&] { stage->run(); }); };
}

Sample idle_scripts() {
    struct Game : Stage {
        MemorySource files{{{"main.lua", R"(
            local ecs = require("ecs")
            local C = ecs.components
            for i = 1, 400 do
              ecs.system("system " .. i, { query = { write = { C.Position }, read = { i % 2 == 0 and C.Velocity or C.Mass } },
                run = function() end })
            end)"}}};
        ScriptRuntime scripts{*world, schedule};
        Game() {
            ModConfig mod;
            mod.files = &files;
            if (!scripts.load(std::move(mod)).empty()) throw std::runtime_error("the script does not load");
        }
    };
    auto game = std::make_shared<Game>();
    game->world->archetype<Position, Velocity>();
    return [game](const Effort& effort) { return time_loop(effort, kSystems, [&] { game->run(); }); };
}

Sample plain_calls() {
    auto functions = std::make_shared<std::vector<std::function<void(float)>>>();
    for (std::size_t i = 0; i < kSystems; ++i) functions->emplace_back([](float dt) { keep(dt); });
    return [functions](const Effort& effort) {
        return time_loop(effort, kSystems, [&] {
            for (const auto& function : *functions) function(0.01f);
        });
    };
}

struct Data {
    float value = 1;
};

Sample over_archetypes() {
    auto stage = std::make_shared<Stage>();
    World& world = *stage->world;
    const ComponentId data = world.declare<Data>("Data", field("value", &Data::value)).value();
    for (std::size_t i = 0; i < kArchetypes; ++i) {
        const ComponentId id = declare_floats(world, std::string(1, static_cast<char>('A' + i)), 1);
        const std::vector<ComponentId> components{data, id};
        spawn_many(world, *world.archetype(components).value(), 1);
    }
    for (std::size_t i = 0; i < kScalers; ++i) {
        const std::string name = "scale " + std::to_string(i);
        stage->schedule
            .add(system<Data>(world, name).each([factor = opaque(1.0f)](Data& scaled) {
                scaled.value *= factor;
            }))
            .value();
    }
    return [stage](const Effort& effort) {
        return time_loop(effort, kScalers * kArchetypes, [&] { stage->run(); });
    };
}

[[gnu::noinline]] void scale(float* values, std::size_t count, float factor) {
    for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

Sample plain_arrays() {
    auto arrays = std::make_shared<std::vector<std::vector<float>>>(kArchetypes, std::vector<float>(1, 1.0f));
    return [arrays](const Effort& effort) {
        const float factor = opaque(1.0f);
        return time_loop(effort, kArchetypes, [&] {
            for (std::vector<float>& array : *arrays) scale(array.data(), array.size(), factor);
        });
    };
}

}  // namespace

std::vector<Case> schedule_cases() {
    return {
        Case{"systems that match nothing, each", kSystems, "c++", "calls of empty functions",
             [] {
                 return Sides{idle_systems(), plain_calls()};
             }},
        Case{"systems that match nothing, each", kSystems, "lua", "calls of empty functions",
             [] {
                 return Sides{idle_scripts(), plain_calls()};
             }},
        Case{"8 systems over 26 archetypes, each", kScalers * kArchetypes, "c++", "26 arrays of one float",
             [] {
                 return Sides{over_archetypes(), plain_arrays()};
             }},
    };
}

}  // namespace perigee::bench
