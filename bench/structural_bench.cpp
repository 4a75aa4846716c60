// Creating, destroying, changing and looking up entities, one by one and in bulk.
// Baseline: the least memory work that each operation needs, see least_work.h.
#include "bench/support/populated.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/world/bulk.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

namespace perigee::bench {

std::vector<std::uint32_t> shuffled(std::size_t n) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
    return order;
}

namespace {

// A world whose memory has been used and given back once.
auto emptied(std::size_t n) {
    return [n] {
        auto state = std::make_unique<Populated>(n);
        destroy_all(*state->world, state->world->query<Position>().query());
        return state;
    };
}

auto empty_world() {
    return [] { return std::make_unique<Populated>(0); };
}

void spawn_bulk(const PopulatedPtr& state) { spawn_many(*state->world, *state->two, kMillion); }
void spawn_each(const PopulatedPtr& state) {
    for (std::size_t i = 0; i < kMillion; ++i) state->world->spawn(*state->two);
}
void spawn_values(const PopulatedPtr& state) {
    for (std::size_t i = 0; i < kMillion; ++i) {
        const auto x = static_cast<float>(i);
        state->world->spawn(Position{x, x}, Velocity{1, 1});
    }
}
void spawn_then_add(const PopulatedPtr& state) {
    for (std::size_t i = 0; i < kMillion; ++i) {
        const Entity entity = state->world->spawn();
        state->world->add<Position>(entity);
        state->world->add<Velocity>(entity);
    }
}
void destroy_each(const PopulatedPtr& state) {
    for (const Entity entity : state->entities) state->world->destroy(entity);
}
void destroy_bulk(const PopulatedPtr& state) {
    destroy_all(*state->world, state->world->query<Position>().query());
}
void add_each(const PopulatedPtr& state) {
    for (const Entity entity : state->entities) state->world->add<Mass>(entity);
}
void remove_each(const PopulatedPtr& state) {
    for (const Entity entity : state->entities) state->world->remove<Mass>(entity);
}

PopulatedPtr with_mass() {
    auto state = std::make_unique<Populated>(kHundredThousand);
    add_each(state);
    return state;
}
// All had one once: edges and chunks of both archetypes exist and have been written. Rows are in order again.
PopulatedPtr without_mass() {
    PopulatedPtr state = with_mass();
    remove_each(state);
    return state;
}

// ---- the least work ----

auto least_emptied(std::size_t n) {
    return [=] {
        LeastPtr store = least(n, n)();
        store->destroy_all();
        return store;
    };
}
void least_bulk(const LeastPtr& store) { store->create_many(kMillion); }
void least_each(const LeastPtr& store) {
    for (std::size_t i = 0; i < kMillion; ++i) store->create(Position{}, Velocity{});
}
void least_values(const LeastPtr& store) {
    for (std::size_t i = 0; i < kMillion; ++i) {
        const auto x = static_cast<float>(i);
        store->create(Position{x, x}, Velocity{1, 1});
    }
}
void least_destroy(const LeastPtr& store) {
    for (std::uint32_t id = 0; id < kMillion; ++id) store->destroy(id);
}
void least_destroy_all(const LeastPtr& store) { store->destroy_all(); }
void least_add(const LeastPtr& store) {
    for (std::uint32_t id = 0; id < kHundredThousand; ++id) store->add_mass(id);
}
void least_remove(const LeastPtr& store) {
    for (std::uint32_t id = 0; id < kHundredThousand; ++id) store->remove_mass(id);
}
LeastPtr least_with_mass() {
    LeastPtr store = least(kHundredThousand, kHundredThousand)();
    least_add(store);
    return store;
}
LeastPtr least_without_mass() {
    LeastPtr store = least_with_mass();
    least_remove(store);
    return store;
}

// ---- random access ----

template <typename Get> Sample random_get(Get get) {
    std::shared_ptr<Populated> state = populated(kMillion)();
    auto entities = std::make_shared<std::vector<Entity>>();
    for (const std::uint32_t i : shuffled(kMillion)) entities->push_back(state->entities[i]);
    return [=](const Effort& effort) {
        return time_loop(effort, kMillion, [&] {
            float sum = 0;
            for (const Entity entity : *entities) sum += get(*state->world, entity)->x;
            keep(float{sum});  // of a copy: the sum itself stays in a register
        });
    };
}

Sample least_random_get() {
    std::shared_ptr<LeastStore> store = least(kMillion, kMillion)();
    auto ids = std::make_shared<std::vector<std::uint64_t>>();
    for (const std::uint32_t i : shuffled(kMillion)) ids->push_back(std::uint64_t{i} << 32);
    return [=](const Effort& effort) {
        return time_loop(effort, kMillion, [&] {
            float sum = 0;
            for (const std::uint64_t id : *ids) {
                sum +=
                    store->position(static_cast<std::uint32_t>(id >> 32), static_cast<std::uint32_t>(id))->x;
            }
            keep(float{sum});  // of a copy: the sum itself stays in a register
        });
    };
}

// ---- deferred ----

struct Deferred : Populated {
    Deferred() : Populated(kHundredThousand), commands(*world) {
        for (const Entity entity : entities) world->add<Mass>(entity);
        for (const Entity entity : entities) world->remove<Mass>(entity);
        // The arena has grown before, as in any frame but the first.
        for (const Entity entity : entities) commands.add(entity, world->id<Mass>());
        commands.drop();
    }
    CommandBuffer commands;
};
void record(const std::unique_ptr<Deferred>& state) {
    const ComponentId mass = state->world->id<Mass>();
    for (const Entity entity : state->entities) state->commands.add(entity, mass);
}
void record_and_play_back(const std::unique_ptr<Deferred>& state) {
    record(state);
    state->commands.play_back();
}

struct LeastCommand {
    std::uint64_t what;
    std::uint64_t entity;
};
struct LeastDeferred {
    LeastPtr store = least_without_mass();
    BigArray<LeastCommand> commands{kHundredThousand};
    LeastDeferred() { std::fill_n(commands.data(), kHundredThousand, LeastCommand{}); }
};
[[gnu::noinline]] void least_command(LeastCommand* command, std::uint64_t entity) {
    *command = LeastCommand{1, entity};
}
void least_record(const std::unique_ptr<LeastDeferred>& state) {
    for (std::uint32_t id = 0; id < kHundredThousand; ++id) least_command(&state->commands[id], id);
}
void least_record_and_play_back(const std::unique_ptr<LeastDeferred>& state) {
    least_record(state);
    for (std::uint32_t i = 0; i < kHundredThousand; ++i) {
        state->store->add_mass(static_cast<std::uint32_t>(state->commands[i].entity));
    }
}

}  // namespace

std::vector<Case> structural_cases() {
    constexpr std::size_t kM = kMillion, kH = kHundredThousand;
    std::vector<Case> cases;
    const auto add = [&](const char* row, std::size_t n, auto ours, auto baseline) {
        cases.push_back(Case{row, n, "c++", kLeastWork, [=] { return Sides{ours(), baseline()}; }});
    };
    const auto add_once = [&](const char* row, std::size_t n, auto set_up, auto body, auto least_set_up,
                              auto least_body) {
        add(
            row, n, [=] { return once(n, set_up, body); }, [=] { return once(n, least_set_up, least_body); });
    };
    add_once("create bulk, cold", kM, empty_world(), spawn_bulk, least(kM, 0), least_bulk);
    add_once("create bulk, warm pool", kM, emptied(kM), spawn_bulk, least_emptied(kM), least_bulk);
    add_once("create one by one, prepared archetype, cold", kM, empty_world(), spawn_each, least(kM, 0),
             least_each);
    add_once("create one by one, prepared archetype, warm", kM, emptied(kM), spawn_each, least_emptied(kM),
             least_each);
    add_once("create one by one, from values, cold", kM, empty_world(), spawn_values, least(kM, 0),
             least_values);
    add_once("create empty, then add two, cold", kM, empty_world(), spawn_then_add, least(kM, 0), least_each);
    add_once("create empty, then add two, warm", kM, emptied(kM), spawn_then_add, least_emptied(kM),
             least_each);
    add_once("destroy one by one", kM, populated(kM), destroy_each, least(kM, kM), least_destroy);
    add_once("destroy bulk", kM, populated(kM), destroy_bulk, least(kM, kM), least_destroy_all);
    add_once("add one component", kH, without_mass, add_each, least_without_mass, least_add);
    add_once("remove one component", kH, with_mass, remove_each, least_with_mass, least_remove);
    add(
        "random get, by type", kM,
        [] { return random_get([](World& world, Entity entity) { return world.get<Position>(entity); }); },
        least_random_get);
    add(
        "random get, by id", kM,
        [] {
            return random_get([](World& world, Entity entity) {
                return reinterpret_cast<const Position*>(world.get(entity, world.id<Position>()));
            });
        },
        least_random_get);
    const auto deferred = [] { return std::make_unique<Deferred>(); };
    const auto least_deferred = [] { return std::make_unique<LeastDeferred>(); };
    add_once("deferred add, record", kH, deferred, record, least_deferred, least_record);
    add_once("deferred add, record and play back", kH, deferred, record_and_play_back, least_deferred,
             least_record_and_play_back);
    return cases;
}

}  // namespace perigee::bench
