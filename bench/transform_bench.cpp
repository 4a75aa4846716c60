// Transforms of 100,000 children that follow 100,000 parents, in 2D and in 3D, when all moved and when none
// did. Baseline: one pass over plain arrays in which every child knows the place of its parent.
#include "bench/support/bench_world.h"
#include "bench/support/big_array.h"
#include "bench/support/harness.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/schedule/schedule.h"
#include "ecs/transform/transform.h"
#include "ecs/transform/transform_3d.h"
#include "ecs/world/bulk.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kPairs = 100'000;

// Each row of the children is below the same row of the parents.
struct Pairs {
    std::unique_ptr<World> world = make_world();
    Schedule schedule{*world};

    void spawn(Archetype& placed) {
        std::vector<Entity> parents(kPairs), children(kPairs);
        spawn_many(*world, placed, kPairs, {}, parents.data());
        spawn_many(*world, placed, kPairs, {}, children.data());
        for (std::size_t i = 0; i < kPairs; ++i) set_parent(*world, children[i], parents[i]).value();
        step();
    }
    void step() { schedule.run_group(kTransforms, TickTime{}).value(); }
};

struct Pairs2D : Pairs {
    Pairs2D() {
        add_transform_system(*world, schedule).value();
        spawn(world->archetype<LocalTransform>());
    }
    void touch() {
        world->each<LocalTransform>([](LocalTransform& local) { local.x += 1; });
    }
};

struct Pairs3D : Pairs {
    Pairs3D() {
        add_transform_3d_system(*world, schedule).value();
        spawn(world->archetype<Translation, Rotation, Scale>());
    }
    void touch() {
        world->each<Translation>([](Translation& translation) { translation.value.x += 1; });
    }
};

template <typename Moved> Sample propagate(bool is_moving) {
    auto pairs = std::make_shared<Moved>();
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

struct PlainPairs3D {
    BigArray<Translation> translation{2 * kPairs};
    BigArray<Rotation> rotation{2 * kPairs};
    BigArray<Scale> scale{2 * kPairs};
    BigArray<LocalToWorld> world{2 * kPairs};
    BigArray<std::uint32_t> parent{kPairs};

    PlainPairs3D() {
        for (std::size_t i = 0; i < 2 * kPairs; ++i) {
            translation[i] = Translation{};
            rotation[i] = Rotation{};
            scale[i] = Scale{};
        }
        for (std::uint32_t i = 0; i < kPairs; ++i) parent[i] = i;
    }
};

[[gnu::noinline]] void touch_plain(Translation* translation, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) translation[i].value.x += 1;
}

[[gnu::noinline]] void propagate_plain(const Translation* __restrict translation,
                                       const Rotation* __restrict rotation, const Scale* __restrict scale,
                                       LocalToWorld* __restrict world,
                                       const std::uint32_t* __restrict parent) {
    const auto own = [&](std::size_t i) {
        return matrix_from(translation[i].value, rotation[i].value, scale[i].value);
    };
    for (std::size_t i = 0; i < kPairs; ++i) world[i].value = own(i);
    for (std::size_t i = 0; i < kPairs; ++i)
        world[kPairs + i].value = combined(world[parent[i]].value, own(kPairs + i));
}

Sample propagate_in_arrays_3d() {
    auto pairs = std::make_shared<PlainPairs3D>();
    return [=](const Effort& effort) {
        return time_loop(effort, kPairs, [&] {
            touch_plain(pairs->translation.data(), 2 * kPairs);
            propagate_plain(pairs->translation.data(), pairs->rotation.data(), pairs->scale.data(),
                            pairs->world.data(), pairs->parent.data());
        });
    };
}

}  // namespace

std::vector<Case> transform_cases() {
    constexpr const char* kArrays = "one pass over plain arrays, all moved";
    return {Case{"transforms of parent and child, all moved", kPairs, "c++", kArrays,
                 [] {
                     return Sides{propagate<Pairs2D>(true), propagate_in_arrays()};
                 }},
            Case{"transforms of parent and child, none moved", kPairs, "c++", kArrays,
                 [] {
                     return Sides{propagate<Pairs2D>(false), propagate_in_arrays()};
                 }},
            Case{"3D transforms of parent and child, all moved", kPairs, "c++", kArrays,
                 [] {
                     return Sides{propagate<Pairs3D>(true), propagate_in_arrays_3d()};
                 }},
            Case{"3D transforms of parent and child, none moved", kPairs, "c++", kArrays, [] {
                     return Sides{propagate<Pairs3D>(false), propagate_in_arrays_3d()};
                 }}};
}

}  // namespace perigee::bench
