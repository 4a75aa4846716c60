// Transforms of 100,000 children that follow 100,000 parents, when all moved and when none did.
// Baseline: one pass over plain arrays in which every child knows the place of its parent.
#include "bench/support/bench_world.h"
#include "bench/support/big_array.h"
#include "bench/support/harness.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/schedule/schedule.h"
#include "ecs/transform/transform.h"
#include "ecs/world/bulk.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kPairs = 100'000;

struct Pairs {
    std::unique_ptr<World> world = make_world();
    Schedule schedule{*world};

    Pairs() {
        add_transform_system(*world, schedule).value();
        std::vector<Entity> parents(kPairs), children(kPairs);
        Archetype& placed = world->archetype<LocalTransform>();
        spawn_many(*world, placed, kPairs, {}, parents.data());
        spawn_many(*world, placed, kPairs, {}, children.data());
        for (std::size_t i = 0; i < kPairs; ++i) set_parent(*world, children[i], parents[i]).value();
        step();
    }
    void step() { schedule.run_group(kTransforms, TickTime{}).value(); }
    void touch() {
        world->each<LocalTransform>([](LocalTransform& local) { local.x += 1; });
    }
};

Sample propagate(bool is_moving) {
    auto pairs = std::make_shared<Pairs>();
    return [=](const Effort& effort) {
        return time_loop(effort, kPairs, [&] {
            if (is_moving) pairs->touch();
            pairs->step();
        });
    };
}

struct PlainPairs {
    BigArray<LocalTransform> local{2 * kPairs};
    BigArray<WorldTransform> world{2 * kPairs};
    BigArray<std::uint32_t> parent{kPairs};

    PlainPairs() {
        for (std::size_t i = 0; i < 2 * kPairs; ++i) local[i] = LocalTransform{};
        for (std::uint32_t i = 0; i < kPairs; ++i) parent[i] = i;
    }
};

[[gnu::noinline]] void touch_plain(LocalTransform* local, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) local[i].x += 1;
}

[[gnu::noinline]] void propagate_plain(const LocalTransform* __restrict local,
                                       WorldTransform* __restrict world,
                                       const std::uint32_t* __restrict parent) {
    for (std::size_t i = 0; i < kPairs; ++i) world[i] = world_from_local(local[i]);
    for (std::size_t i = 0; i < kPairs; ++i) {
        world[kPairs + i] = combined(world[parent[i]], world_from_local(local[kPairs + i]));
    }
}

Sample propagate_in_arrays() {
    auto pairs = std::make_shared<PlainPairs>();
    return [=](const Effort& effort) {
        return time_loop(effort, kPairs, [&] {
            touch_plain(pairs->local.data(), 2 * kPairs);
            propagate_plain(pairs->local.data(), pairs->world.data(), pairs->parent.data());
        });
    };
}

}  // namespace

std::vector<Case> transform_cases() {
    constexpr const char* kArrays = "one pass over plain arrays, all moved";
    return {Case{"transforms of parent and child, all moved", kPairs, "c++", kArrays,
                 [] {
                     return Sides{propagate(true), propagate_in_arrays()};
                 }},
            Case{"transforms of parent and child, none moved", kPairs, "c++", kArrays, [] {
                     return Sides{propagate(false), propagate_in_arrays()};
                 }}};
}

}  // namespace perigee::bench
