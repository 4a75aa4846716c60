// Iterating over columns: typed loops in C++, types that exist only at run time, many small archetypes, and
// wide rows with few columns in use. Baseline: the same arithmetic over plain 64-byte aligned arrays.
#include "bench/support/bench_world.h"
#include "bench/support/big_array.h"
#include "bench/support/harness.h"
#include "bench/support/plain_move.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/typed_system.h"
#include "ecs/world/bulk.h"

#include <memory>
#include <string>
#include <vector>

namespace perigee::bench {
namespace {

constexpr const char* kPlainArrays = "loop over plain 64-byte aligned arrays";

// ---- position += velocity * dt ----

std::shared_ptr<World> moving_world(std::size_t n) {
    std::shared_ptr<World> world = make_world();
    spawn_many(*world, world->archetype<Position, Velocity>(), n);
    world->each<Velocity>([](Velocity& velocity) { velocity = Velocity{1, 2}; });
    return world;
}

Sample move_with_each(std::size_t n) {
    auto world = moving_world(n);
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, n, [&] {
            world->each<Position, const Velocity>([dt](Position& position, const Velocity& velocity) {
                position.x += velocity.x * dt;
                position.y += velocity.y * dt;
            });
        });
    };
}

Sample move_with_chunks(std::size_t n) {
    auto world = moving_world(n);
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        const auto query = world->query<Position, const Velocity>();
        return time_loop(effort, n, [&] {
            query.each_chunk(
                [dt](ChunkView&, std::span<Position> position, std::span<const Velocity> velocity) {
                    for (std::size_t row = 0; row < position.size(); ++row) {
                        position[row].x += velocity[row].x * dt;
                        position[row].y += velocity[row].y * dt;
                    }
                });
        });
    };
}

struct ModPosition : Position {};
struct ModVelocity : Velocity {};

// Native code with components that a script declared: columns by term, read as a known struct.
Sample move_runtime_types(std::size_t n) {
    std::shared_ptr<World> world = make_world();
    const ComponentId position = declare_floats(*world, "mod:Position", 2);
    const ComponentId velocity = declare_floats(*world, "mod:Velocity", 2);
    world->bind<ModPosition>("mod:Position", field("f0", &ModPosition::x), field("f1", &ModPosition::y))
        .value();
    world->bind<ModVelocity>("mod:Velocity", field("f0", &ModVelocity::x), field("f1", &ModVelocity::y))
        .value();
    const std::vector<ComponentId> both{position, velocity};
    spawn_many(*world, *world->archetype(both).value(), n);
    QueryDesc desc;
    desc.terms = {QueryTerm{position, Access::write, false}, QueryTerm{velocity, Access::read, false}};
    const Query* query = world->query(desc).value();
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, n, [&] {
            world->each_chunk(*query, [dt](ChunkView& chunk) {
                move_plain(chunk.column<ModPosition>(0).data(), chunk.column<const ModVelocity>(1).data(),
                           chunk.row_count(), dt);
            });
        });
    };
}

// ---- a system whose row is a function with a name, and the same one of a lambda ----

void fall(Position& position, const Velocity& velocity) {
    position.x += velocity.x / 60;
    position.y += velocity.y / 60;
}

const auto fall_as_lambda = [](Position& position, const Velocity& velocity) {
    position.x += velocity.x / 60;
    position.y += velocity.y / 60;
};

struct FallStage {
    std::unique_ptr<World> world = make_world();
    Schedule schedule{*world};
};

template <typename Describe> Sample run_system(std::size_t n, Describe describe) {
    auto stage = std::make_shared<FallStage>();
    spawn_many(*stage->world, stage->world->archetype<Position, Velocity>(), n);
    stage->world->each<Velocity>([](Velocity& velocity) { velocity = Velocity{1, 2}; });
    stage->schedule.add(describe(system<Position, const Velocity>(*stage->world, "fall"))).value();
    return [stage, n](const Effort& effort) {
        return time_loop(effort, n, [&] { stage->schedule.run_group("simulation", {}).value(); });
    };
}

Sides system_of_function(std::size_t n) {
    return {run_system(n, [](const auto& moving) { return moving.template each<fall>(); }),
            run_system(n, [](const auto& moving) { return moving.each(fall_as_lambda); })};
}

Sides parallel_system_of_function(std::size_t n) {
    return {run_system(n, [](const auto& moving) { return moving.template each_parallel<fall>(); }),
            run_system(n, [](const auto& moving) { return moving.each_parallel(fall_as_lambda); })};
}

// ---- many small archetypes ----

constexpr std::size_t kLetters = 26;

struct Data {
    float value = 1;
};

[[gnu::noinline]] void scale_plain(Data* data, std::size_t n, float factor) {
    for (std::size_t i = 0; i < n; ++i) data[i].value *= factor;
}

Sample plain_fragments(std::size_t per_archetype) {
    // Parts of one block: arrays that each start on a page would compete for the same cache sets.
    const std::size_t padded = (per_archetype * sizeof(Data) + 63) / 64 * 64 / sizeof(Data);
    auto block = std::make_shared<BigArray<Data>>(kLetters * padded);
    std::vector<Data*> fragments;
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
        fragments.push_back(block->data() + letter * padded);
        std::fill_n(fragments.back(), per_archetype, Data{});
    }
    return [block, fragments, per_archetype](const Effort& effort) {
        const float factor = opaque(1.0f);
        return time_loop(effort, kLetters * per_archetype, [&] {
            for (Data* fragment : fragments) scale_plain(fragment, per_archetype, factor);
        });
    };
}

Sample fragments(std::size_t per_archetype) {
    std::shared_ptr<World> world = make_world();
    const ComponentId scaled = world->declare<Data>("Data", field("value", &Data::value)).value();
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
        const ComponentId id = declare_floats(*world, std::string(1, static_cast<char>('A' + letter)), 1);
        const std::vector<ComponentId> components{scaled, id};
        spawn_many(*world, *world->archetype(components).value(), per_archetype);
    }
    return [=](const Effort& effort) {
        const float factor = opaque(1.0f);
        return time_loop(effort, kLetters * per_archetype,
                         [&] { world->each<Data>([factor](Data& data) { data.value *= factor; }); });
    };
}

// ---- seven components, three touched ----

template <int number> struct Other { float a = 0, b = 0; };

[[gnu::noinline]] void push_plain(Position* __restrict position, const Velocity* __restrict velocity,
                                  const Mass* __restrict mass, std::size_t n, float dt) {
    for (std::size_t i = 0; i < n; ++i) {
        position[i].x += velocity[i].x * dt + mass[i].value;
        position[i].y += velocity[i].y * dt + mass[i].inverse;
    }
}

Sample plain_wide(std::size_t n) {
    auto position = std::make_shared<BigArray<Position>>(n);
    auto velocity = std::make_shared<BigArray<Velocity>>(n);
    auto mass = std::make_shared<BigArray<Mass>>(n);
    for (std::size_t i = 0; i < n; ++i) {
        (*position)[i] = Position{};
        (*velocity)[i] = Velocity{};
        (*mass)[i] = Mass{};
    }
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, n,
                         [&] { push_plain(position->data(), velocity->data(), mass->data(), n, dt); });
    };
}

template <int number> void declare_other(World& world) {
    using Type = Other<number>;
    world.declare<Type>("Other" + std::to_string(number), field("a", &Type::a), field("b", &Type::b)).value();
}

Sample wide(std::size_t n) {
    std::shared_ptr<World> world = make_world();
    declare_other<1>(*world);
    declare_other<2>(*world);
    declare_other<3>(*world);
    declare_other<4>(*world);
    spawn_many(*world, world->archetype<Position, Velocity, Mass, Other<1>, Other<2>, Other<3>, Other<4>>(),
               n);
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, n, [&] {
            world->each<Position, const Velocity, const Mass>(
                [dt](Position& position, const Velocity& velocity, const Mass& mass) {
                    position.x += velocity.x * dt + mass.value;
                    position.y += velocity.y * dt + mass.inverse;
                });
        });
    };
}

}  // namespace

std::vector<Case> iterate_cases() {
    std::vector<Case> cases;
    const auto add = [&](const char* row, std::size_t n, auto ours, auto baseline, std::size_t argument) {
        cases.push_back(Case{row, n, "c++", kPlainArrays, [=] {
                                 return Sides{ours(argument), baseline(argument)};
                             }});
    };
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
        add("iterate, chunk API", n, move_with_chunks, plain_move, n);
    }
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
        add("iterate, each", n, move_with_each, plain_move, n);
    }
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
        add("iterate, runtime-defined types", n, move_runtime_types, plain_move, n);
    }
    for (const std::size_t n : {10'000u, 1'000'000u}) {
        cases.push_back(Case{"iterate, each of a function", n, "c++", "each of a lambda, ours",
                             [n] { return system_of_function(n); }});
        cases.push_back(Case{"iterate, each_parallel of a function", n, "c++",
                             "each_parallel of a lambda, ours",
                             [n] { return parallel_system_of_function(n); }});
    }
    add("26 archetypes x 20", kLetters * 20, fragments, plain_fragments, 20);
    add("26 archetypes x 1000", kLetters * 1000, fragments, plain_fragments, 1000);
    for (const std::size_t n : {100'000u, 1'000'000u}) {
        add("7 components, 3 touched", n, wide, plain_wide, n);
    }
    return cases;
}

}  // namespace perigee::bench
