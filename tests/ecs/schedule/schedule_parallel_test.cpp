// The result of a schedule does not depend on the number of threads: random schedules compared with
// themselves.
#include "ecs/inspect/world_hash.h"
#include "ecs/parallel/parallel_query.h"
#include "ecs/schedule/schedule.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

using Names = std::vector<std::string>;
constexpr std::uint32_t kComponents = 7;

// A random system depends on its seed alone, so two runs of a plan build the same one.
struct SystemPlan {
    std::string name;
    std::string group;
    Names after;
    std::vector<QueryTerm> terms;
    std::vector<ComponentId> without;
    std::vector<ComponentId> changed;
    std::string serial_key;
    double every = 0;
    std::uint64_t skips = 0;         // runs only when the tick is no multiple
    std::uint64_t fails_at = ~0ull;  // tick
    std::uint32_t spawns = 0;
    bool destroys = false;
    bool adds = false;
    bool is_alone = false;
    bool is_exclusive = false;
    std::string commands;
    bool splits_chunks = false;
};

struct Plan {
    std::vector<GroupDesc> groups;
    std::vector<SystemPlan> systems;
    std::uint32_t entities = 0;
};

void declare_components(World& world) {
    for (std::uint32_t i = 0; i < kComponents; ++i) {
        Schema schema;
        schema.name = std::string("C") + static_cast<char>('0' + i);
        schema.fields.resize(1);
        schema.fields[0].name = "value";
        schema.fields[0].type = FieldType::u32;
        world.declare(schema).value();
    }
}

class Planner {
public:
    explicit Planner(std::uint32_t seed) : random_(seed) {}

    Plan plan() {
        Plan plan;
        plan.entities = below(60);
        for (std::uint32_t i = 0, count = below(3); i < count; ++i) {
            GroupDesc group;
            group.name = "group" + std::to_string(i);
            if (i > 0 && chance(2)) group.group = "group" + std::to_string(i - 1);
            plan.groups.push_back(group);
        }
        for (std::uint32_t i = 0, count = 2 + below(9); i < count; ++i)
            plan.systems.push_back(system(i, plan));
        return plan;
    }

private:
    std::uint32_t below(std::uint32_t limit) { return random_() % limit; }
    bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
    ComponentId component() { return ComponentId{static_cast<std::uint16_t>(first_ + below(kComponents))}; }

    SystemPlan system(std::uint32_t number, const Plan& plan) {
        SystemPlan system;
        system.name = static_cast<char>('a' + below(26)) + std::to_string(number);
        const std::uint32_t group = below(static_cast<std::uint32_t>(plan.groups.size()) + 1);
        system.group = group == 0 ? std::string(kSimulation) : plan.groups[group - 1].name;
        for (const SystemPlan& earlier : plan.systems) {
            if (earlier.group == system.group && chance(5)) system.after.push_back(earlier.name);
        }
        for (std::uint32_t i = 0, count = 1 + below(3); i < count; ++i) {
            const ComponentId id = component();
            const bool is_there = std::any_of(system.terms.begin(), system.terms.end(),
                                              [&](const QueryTerm& term) { return term.component == id; });
            if (!is_there) system.terms.push_back({id, chance(3) ? Access::write : Access::read, false});
        }
        const auto is_free = [&](ComponentId id) {
            return std::none_of(system.terms.begin(), system.terms.end(),
                                [&](const QueryTerm& term) { return term.component == id; });
        };
        if (const ComponentId id = component(); chance(4) && is_free(id)) system.without.push_back(id);
        if (chance(5)) system.changed.push_back(system.terms.front().component);
        if (chance(6)) system.serial_key = chance(2) ? "mod" : "other mod";
        if (chance(6)) system.every = 1.0 / 30.0;
        if (chance(6)) system.skips = 2 + below(2);
        if (chance(12)) system.fails_at = below(6);
        if (chance(3)) system.spawns = 1 + below(8);
        system.destroys = chance(6);
        system.adds = chance(4);
        system.is_alone = chance(10);
        system.is_exclusive = chance(8);
        if (chance(4)) system.commands = "end of simulation";
        system.splits_chunks = chance(3);
        return system;
    }

    std::mt19937 random_;
    std::uint32_t first_ = 0;

public:
    void components_start_at(std::uint32_t first) { first_ = first; }
};

void mix(std::uint32_t& value, std::uint32_t with) { value = (value ^ with) * 2654435761u + 1; }

SystemFunction body_of(const SystemPlan& plan) {
    return [plan](SystemContext& context) -> Result<void> {
        const std::uint32_t drawn = static_cast<std::uint32_t>(context.random.next());
        const auto visit = [&](ChunkView& view) {
            for (std::uint32_t row = 0; row < view.row_count(); ++row) {
                std::uint32_t read = drawn + static_cast<std::uint32_t>(context.time.tick);
                const auto cell = [&](std::size_t term) {
                    return reinterpret_cast<std::uint32_t*>(view.column_data(term)) + row;
                };
                for (std::size_t term = 0; term < plan.terms.size(); ++term) mix(read, *cell(term));
                for (std::size_t term = 0; term < plan.terms.size(); ++term) {
                    if (plan.terms[term].access == Access::write) mix(*cell(term), read);
                }
            }
        };
        if (plan.splits_chunks && context.workers != nullptr) {
            each_chunk_parallel(context.world, *context.query, *context.workers, visit,
                                {.min_rows = 0, .task_rows = 4});
        } else {
            context.world.each_chunk(*context.query, visit);
        }
        Entity some;
        context.world.each_chunk(*context.query, [&](ChunkView& view) {
            if (!some && drawn % 3 == 0) some = view.entities()[drawn % view.row_count()];
        });
        for (std::uint32_t i = 0; i < plan.spawns; ++i) {
            const Entity made = context.commands.spawn();
            for (const QueryTerm& term : plan.terms) context.commands.add(made, term.component, &drawn);
            if (i % 3 == 2) context.commands.destroy(made);
        }
        if (plan.is_exclusive && some) {
            context.world.add(context.world.clone(some), plan.terms.front().component, &drawn);
            if (drawn % 2 == 0) context.world.destroy(some);
        }
        if (some && plan.destroys) context.commands.destroy(some);
        if (some && plan.adds) {
            context.commands.add(some, plan.terms.front().component, &drawn);
            context.commands.remove(some, plan.terms.back().component);
        }
        if (context.time.tick == plan.fails_at) return Error{plan.name + " fails"};
        return {};
    };
}

// The whole visible result of a run.
struct Outcome {
    std::vector<std::uint64_t> hashes;  // per tick
    std::vector<std::uint64_t> runs;
    Names errors;
    bool operator==(const Outcome&) const = default;
};

Outcome run(std::uint32_t seed, WorkerPool* workers, int ticks) {
    World world(tiny_chunks(1 + seed % 7));
    const std::uint32_t first = static_cast<std::uint32_t>(world.registry().size());
    declare_components(world);
    Planner planner(seed);
    planner.components_start_at(first);
    const Plan plan = planner.plan();
    for (std::uint32_t i = 0; i < plan.entities; ++i) {
        const Entity entity = world.spawn();
        for (std::uint32_t bit = 0; bit < kComponents; ++bit) {
            if (((i * 7 + seed) >> (bit % 5) & 1) != 0)
                world.add(entity, ComponentId{static_cast<std::uint16_t>(first + bit)}, &i);
        }
    }
    Outcome outcome;
    Schedule schedule(world, seed);
    schedule.use_workers(workers, 0);
    schedule.record_access(true);
    schedule.on_error([&](const SystemStatus& status) { outcome.errors.push_back(status.error); });
    for (const GroupDesc& group : plan.groups) schedule.add_group(group).value();
    std::vector<SystemId> ids;
    for (const SystemPlan& system : plan.systems) {
        SystemDesc desc;
        desc.name = system.name;
        desc.group = system.group;
        desc.after = system.after;
        desc.query.terms = system.terms;
        desc.query.without = system.without;
        desc.query.changed = system.changed;
        desc.serial_key = system.serial_key;
        desc.every = system.every;
        desc.is_alone = system.is_alone;
        desc.is_exclusive = system.is_exclusive;
        desc.commands = system.commands;
        if (system.skips != 0) {
            desc.run_if = [skips = system.skips](const SystemContext& context) {
                return context.time.tick % skips != 0;
            };
        }
        desc.run = body_of(system);
        ids.push_back(schedule.add(std::move(desc)).value());
    }
    TickTime time;
    for (int tick = 0; tick < ticks; ++tick) {
        schedule.run_group(kSimulation, time).value();
        outcome.hashes.push_back(world_hash(world));
        ++time.tick;
    }
    for (const SystemId id : ids) outcome.runs.push_back(schedule.status(id).run_count);
    return outcome;
}

void compare_with_workers(std::uint32_t first_seed, std::uint32_t last_seed) {
    WorkerPool one(1), two(2), eight(8);
    for (std::uint32_t seed = first_seed; seed < last_seed; ++seed) {
        INFO("seed " << seed);
        const Outcome serial = run(seed, nullptr, 6);
        WorkerPool& pool = seed % 3 == 0 ? one : seed % 3 == 1 ? two : eight;
        REQUIRE(run(seed, &pool, 6) == serial);
    }
}

TEST_CASE("[Q2] a random schedule gives the same result with 1, 2 and 8 workers as on one thread") {
    compare_with_workers(0, 600);
}

TEST_CASE("[Q2] twenty thousand random schedules give the same result with workers as on one thread",
          "[.long]") {
    compare_with_workers(600, 20'600);
}

}  // namespace
}  // namespace perigee
