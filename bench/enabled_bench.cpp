// Iterating over rows when half of them are disabled, in several patterns. Baseline: the same typed loop over
// a world that contains only the enabled rows, packed. Figures are per enabled row.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "ecs/world/bulk.h"

#include <memory>
#include <utility>
#include <vector>

namespace perigee::bench {
namespace {

struct Awake {};

using Pattern = bool (*)(std::size_t row);

std::shared_ptr<World> half_disabled(std::size_t enabled, Pattern is_enabled) {
    std::shared_ptr<World> world = make_world();
    const ComponentId awake = world->declare<Awake>("Awake", ComponentKind::enableable).value();
    std::vector<Entity> all(enabled * 2);
    spawn_many(*world, world->archetype<Position, Velocity, Awake>(), all.size(), {}, all.data());
    for (std::size_t row = 0; row < all.size(); ++row) world->set_enabled(all[row], awake, is_enabled(row));
    return world;
}

auto move(float dt) {
    return [dt](Position& position, const Velocity& velocity) {
        position.x += velocity.x * dt;
        position.y += velocity.y * dt;
    };
}

Sample move_enabled(std::size_t n, Pattern is_enabled) {
    auto world = half_disabled(n, is_enabled);
    const std::uint64_t enabled = world->query<const Awake>().query().entity_count();
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, enabled, [&] {
            world->each<Position, const Velocity, const Awake>(
                [row = move(dt)](Position& position, const Velocity& velocity, const Awake&) {
                    row(position, velocity);
                });
        });
    };
}

Sample move_packed(std::size_t n) {
    std::shared_ptr<World> world = make_world();
    spawn_many(*world, world->archetype<Position, Velocity>(), n);
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, n, [&] { world->each<Position, const Velocity>(move(dt)); });
    };
}

// A hash of the row number: like a coin toss, but the same in every run.
bool by_coin(std::size_t row) { return (row * 0x9E3779B97F4A7C15ull >> 40 & 1) != 0; }

}  // namespace

std::vector<Case> enabled_cases() {
    const std::pair<const char*, Pattern> patterns[] = {
        {"each, half disabled, 256 in a row", [](std::size_t row) { return row / 256 % 2 == 0; }},
        {"each, half disabled, 64 in a row", [](std::size_t row) { return row / 64 % 2 == 0; }},
        {"each, half disabled, every second", [](std::size_t row) { return row % 2 == 0; }},
        {"each, half disabled, by coin", by_coin},
    };
    std::vector<Case> cases;
    for (const std::size_t n : {10'000u, 1'000'000u}) {
        for (const auto& [name, pattern] : patterns) {
            cases.push_back(Case{name, n, "c++", "the same rows packed, ours", [n, pattern = pattern] {
                                     return Sides{move_enabled(n, pattern), move_packed(n)};
                                 }});
        }
    }
    return cases;
}

}  // namespace perigee::bench
