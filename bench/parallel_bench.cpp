// The same typed loop on two threads and on one, in wall time: the total processor time is not the
// question. Only a machine with two idle cores shows the gain; a busy one shows that the second thread
// costs nothing.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "ecs/parallel/parallel_query.h"
#include "ecs/world/bulk.h"

#include <cmath>
#include <memory>
#include <vector>

namespace perigee::bench {
namespace {

struct Arena {
    std::unique_ptr<World> world = make_world();
    WorkerPool pool{1};

    explicit Arena(std::size_t n) {
        spawn_many(*world, world->archetype<Position, Velocity>(), n);
        world->each<Velocity>([](Velocity& velocity) { velocity = Velocity{1, 2}; });
    }
};

constexpr auto move(float dt) {
    return [dt](Position& position, const Velocity& velocity) {
        position.x += velocity.x * dt;
        position.y += velocity.y * dt;
    };
}

// A row that is worth a few dozen nanoseconds, as in most games.
constexpr auto steer(float dt) {
    return [dt](Position& position, const Velocity& velocity) {
        const float angle = std::atan2(velocity.y, velocity.x) + dt;
        position.x += std::cos(angle) * dt;
        position.y += std::sin(angle) * dt;
    };
}

template <typename Row> Sample by_two(std::size_t n, Row row) {
    auto arena = std::make_shared<Arena>(n);
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        const auto query = arena->world->query<Position, const Velocity>();
        return time_loop<kWallClock>(effort, n, [&] { query.each_parallel(arena->pool, row(dt)); });
    };
}

template <typename Row> Sample by_one(std::size_t n, Row row) {
    auto arena = std::make_shared<Arena>(n);
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        const auto query = arena->world->query<Position, const Velocity>();
        return time_loop<kWallClock>(effort, n, [&] { query.each(row(dt)); });
    };
}

}  // namespace

std::vector<Case> parallel_cases() {
    std::vector<Case> cases;
    for (const std::size_t n : {100'000u, 1'000'000u}) {
        cases.push_back(Case{"each by two threads", n, "c++", "each by one thread, ours", [n] {
                                 return Sides{by_two(n, move), by_one(n, move)};
                             }});
    }
    cases.push_back(Case{"each by two threads, heavy rows", 100'000, "c++", "each by one thread, ours", [] {
                             return Sides{by_two(100'000, steer), by_one(100'000, steer)};
                         }});
    return cases;
}

}  // namespace perigee::bench
