// What the structural rows start from: a world of a million moving entities, and the same as plain tables.
//
// Set-ups are functions that make a fresh state, as `once` expects. Not here: the work that is measured.
#pragma once

#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "bench/support/least_work.h"
#include "ecs/world/bulk.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perigee::bench {

inline constexpr std::size_t kMillion = 1'000'000;
inline constexpr std::size_t kHundredThousand = 100'000;
inline constexpr const char* kLeastWork = "least memory work: plain copies and records";

/// A sample of work on a fresh state: set_up() returns a (smart) pointer that body gets.
template <typename SetUp, typename Body> Sample once(std::size_t n, SetUp set_up, Body body) {
    return [=](const Effort& effort) { return time_once(effort, n, set_up, body); };
}

struct Populated {
    std::unique_ptr<World> world = make_world();
    Archetype* two = &world->archetype<Position, Velocity>();
    std::vector<Entity> entities;

    explicit Populated(std::size_t n) : entities(n) { spawn_many(*world, *two, n, {}, entities.data()); }
};
using PopulatedPtr = std::unique_ptr<Populated>;

inline auto populated(std::size_t n) {
    return [n] { return std::make_unique<Populated>(n); };
}

using LeastPtr = std::unique_ptr<LeastStore>;

inline auto least(std::size_t capacity, std::size_t n) {
    return [=] {
        auto store = std::make_unique<LeastStore>(capacity);
        store->create_many(static_cast<std::uint32_t>(n));
        return store;
    };
}

/// 0 .. n - 1 in a random order that is the same each time.
std::vector<std::uint32_t> shuffled(std::size_t n);

}  // namespace perigee::bench
