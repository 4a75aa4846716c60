// Memory runs out in every possible place: a scenario over all kinds and commands is run again and again, and
// each time another request fails, from the first to the last. The step with the failure is complete or has
// no effect, the world is valid, the step succeeds when it is repeated, and the rest of the scenario gives
// the same result.
//
// Requests are those to operator new, for pages of reserved address space, and for units of chunk memory.
#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"
#include "ecs/world/objects.h"
#include "ecs/world/prefab.h"
#include "ecs/world/reserved.h"
#include "ecs/world/world.h"
#include "ecs/world/world_config.h"
#include "tests/ecs/check_world.h"
#include "tests/support/agree.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {
namespace {

// ---- a world and the state of the scenario

struct Stage {
    explicit Stage(const WorldConfig& config) : world(config), commands(world) {}

    Entity entity(std::size_t number) const { return entities.at(number); }
    void remember(Entity made) {
        if (made) entities.push_back(made);
    }

    World world;
    CommandBuffer commands;
    std::vector<Entity> entities;  ///< in order of creation; has capacity for all
    std::vector<PrefabId> prefabs;
    std::vector<const Query*> queries;
    std::size_t done = 0;  ///< by a step that may stop half-way
    int removals = 0;      ///< calls of the handler
};

// All visible state that a step can change.
struct Snapshot {
    std::uint64_t hash;
    std::size_t entity_count, reserved, types, prefabs, commands, entities, queries;
    std::uint32_t slots, used;
    bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot_of(const Stage& stage) {
    const World& world = stage.world;
    std::size_t reserved = 0;
    for (const Entity entity : stage.entities) reserved += is_reserved(world, entity) ? 1 : 0;
    return {world_hash(world),
            world.entity_count(),
            reserved,
            world.registry().size(),
            world.prefabs().size(),
            stage.commands.command_count(),
            stage.entities.size(),
            stage.queries.size(),
            world.entities().slot_count(),
            world.entities().used_count()};
}

void check(const Stage& stage) { check_world(stage.world, snapshot_of(stage).reserved, stage.queries); }

// ---- the scenario

/// True when it is done. False when memory was refused: then nothing changed, and it is repeated.
struct Step {
    const char* name;
    bool is_partial;  ///< changes many entities, and may stop after some of them
    std::function<bool(Stage&)> run;
};

using Scenario = std::vector<Step>;

Step single(const char* name, std::function<bool(Stage&)> run) { return {name, false, std::move(run)}; }
Step partial(const char* name, std::function<bool(Stage&)> run) { return {name, true, std::move(run)}; }

// Creates one more entity, which later steps use.
Step making(const char* name, std::function<Entity(Stage&)> make) {
    return single(name, [make = std::move(make)](Stage& stage) {
        const Entity made = make(stage);
        stage.remember(made);
        return static_cast<bool>(made);
    });
}

// ---- types

Schema schema_of(const char* name, ComponentKind kind, FieldType type) {
    Schema schema;
    schema.name = name;
    schema.kind = kind;
    schema.fields.resize(1);
    schema.fields[0].name = "value";
    schema.fields[0].type = type;
    return schema;
}

struct Point {
    float value = 0;
};
struct Wired {};

template <typename T, typename... Fields>
Step declaring(const char* name, ComponentKind kind, Fields... fields) {
    return single(name, [=](Stage& stage) { return stage.world.declare<T>(name, kind, fields...).ok(); });
}

Step declaring(Schema schema) {
    return single("declare",
                  [schema = std::move(schema)](Stage& stage) { return stage.world.declare(schema).ok(); });
}

void add_types(Scenario& steps) {
    using Kind = ComponentKind;
    steps.push_back(
        declaring<Position>("Position", Kind::component, field("x", &Position::x), field("y", &Position::y)));
    steps.push_back(
        declaring<Velocity>("Velocity", Kind::component, field("x", &Velocity::x), field("y", &Velocity::y)));
    steps.push_back(declaring<Health>("Health", Kind::component, field("current", &Health::current),
                                      field("max", &Health::max)));
    steps.push_back(declaring<Frozen>("Frozen", Kind::tag));
    steps.push_back(declaring<Wired>("Wired", Kind::tag));
    steps.push_back(
        declaring<Team>("Team", Kind::shared, field("id", &Team::id), field("weight", &Team::weight)));
    steps.push_back(declaring<Voice>("Voice", Kind::cleanup, field("channel", &Voice::channel)));
    steps.push_back(declaring<Squad>("Squad", Kind::shared_cleanup, field("number", &Squad::number)));
    steps.push_back(declaring<Shield>("Shield", Kind::enableable, field("power", &Shield::power)));
    steps.push_back(declaring<Visible>("Visible", Kind::enableable));
    steps.push_back(
        declaring<Bounds>("Bounds", Kind::chunk, field("low", &Bounds::low), field("high", &Bounds::high)));
    Schema armed = schema_of("Armed", Kind::component, FieldType::i32);
    armed.required = {"Position", "Health"};
    steps.push_back(declaring(armed));
    Schema path = schema_of("Path", Kind::buffer, FieldType::f32);
    path.buffer_capacity = 2;
    steps.push_back(declaring(path));
    steps.push_back(single("bind", [](Stage& stage) {
        return stage.world.bind<Point>("Path", field("value", &Point::value)).ok();
    }));
    Schema brain;
    brain.name = "Brain";
    brain.kind = Kind::object;
    steps.push_back(declaring(brain));
    Schema label = schema_of("Label", Kind::component, FieldType::text);
    label.fields[0].default_value.data = std::string("a text that is too long to lie in a string itself");
    steps.push_back(declaring(label));
    steps.push_back(declaring(schema_of("Clock", Kind::resource, FieldType::f64)));
    steps.push_back(declaring(schema_of("Curve", Kind::blob, FieldType::f32)));
    steps.push_back(single("handler", [](Stage& stage) {
        stage.world.on_remove(stage.world.id<Wired>(), [&stage](World&, Entity) { ++stage.removals; });
        return true;
    }));
}

ComponentId id_of(const Stage& stage, std::string_view name) {
    return stage.world.registry().find(name).value();
}

// ---- prefabs and queries

Step adding_prefab(const char* name, bool is_special) {
    return single("add_prefab", [=](Stage& stage) {
        Prefab prefab;
        prefab.name = name;
        prefab.components.push_back({stage.world.id<Position>(), {}});
        prefab.components.push_back({stage.world.id<Health>(), std::vector<std::byte>(sizeof(Health))});
        if (is_special) {
            prefab.components.push_back({stage.world.id<Team>(), std::vector<std::byte>(sizeof(Team))});
            prefab.components.back().value[0] = std::byte{9};
            prefab.components.push_back({stage.world.id<Shield>(), {}});
            prefab.components.push_back({id_of(stage, "Armed"), {}});
        }
        stage.prefabs.reserve(10);
        const Result<PrefabId> id = add_prefab(stage.world, std::move(prefab));
        if (id) stage.prefabs.push_back(id.value());
        return id.ok();
    });
}

template <typename With, typename Without> Step querying() {
    return single("query", [](Stage& stage) {
        QueryDesc desc;
        desc.terms = {QueryTerm{stage.world.id<With>()}};
        desc.without = {stage.world.id<Without>()};
        stage.queries.reserve(20);
        const Result<Query*> query = stage.world.query(desc);
        if (query) stage.queries.push_back(query.value());
        return query.ok();
    });
}

// ---- entities

Step spawning_many(const char* name, std::size_t count,
                   std::function<std::size_t(Stage&, std::size_t, Entity*)> spawn) {
    return partial(name, [count, spawn = std::move(spawn)](Stage& stage) {
        std::array<Entity, 16> made;
        const std::size_t born = spawn(stage, count - stage.done, made.data());
        for (std::size_t i = 0; i < born; ++i) stage.remember(made[i]);
        stage.done += born;
        return stage.done == count;
    });
}

bool fill(ChunkView& chunk, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t row = first; row < last; ++row) chunk.column<Position>(0)[row] = {1, 2};
    return true;
}

// Creates entities 0 … 4, one of each kind, then 16 more.
void add_entities(Scenario& steps) {
    steps.push_back(making("spawn", [](Stage& stage) { return stage.world.spawn(); }));
    steps.push_back(making("spawn typed", [](Stage& stage) {
        return stage.world.spawn(Position{1, 2}, Velocity{3, 4});
    }));
    steps.push_back(making("spawn typed, special", [](Stage& stage) {
        return stage.world.spawn(Team{3, 1}, Voice{4}, Shield{2}, Bounds{1, 2});
    }));
    steps.push_back(making("spawn prefab", [](Stage& stage) { return stage.world.spawn(stage.prefabs[0]); }));
    steps.push_back(
        making("spawn special prefab", [](Stage& stage) { return stage.world.spawn(stage.prefabs[1]); }));
    steps.push_back(spawning_many("spawn_many", 5, [](Stage& stage, std::size_t count, Entity* out) {
        return spawn_many(stage.world, stage.prefabs[0], count, {}, out);
    }));
    steps.push_back(spawning_many("spawn_many special", 5, [](Stage& stage, std::size_t count, Entity* out) {
        return spawn_many(stage.world, stage.prefabs[1], count, {}, out);
    }));
    steps.push_back(
        spawning_many("spawn_many with initialiser", 3, [](Stage& stage, std::size_t count, Entity* out) {
            return spawn_many(stage.world, stage.prefabs[1], count, fill, out);
        }));
    steps.push_back(
        spawning_many("spawn_many of an archetype", 3, [](Stage& stage, std::size_t count, Entity* out) {
            return spawn_many(stage.world, stage.world.archetype<Health, Squad>(), count, {}, out);
        }));
    steps.push_back(making("reserve", [](Stage& stage) { return reserve_entity(stage.world); }));
    steps.push_back(single("place_reserved", [](Stage& stage) {
        const Entity reserved = stage.entities.back();
        if (place_reserved(stage.world, reserved, stage.prefabs[1])) return true;
        // After a failure the id is released. The next attempt uses a new id at the same place in the list.
        stage.entities.back() = reserve_entity(stage.world);
        return false;
    }));
}

// ---- changes to one entity

template <typename T> Step adding(std::size_t number, const T& value) {
    return single("add", [=](Stage& stage) { return stage.world.add(stage.entity(number), value); });
}
Step adding(std::size_t number, const char* name) {
    return single(name,
                  [=](Stage& stage) { return stage.world.add(stage.entity(number), id_of(stage, name)); });
}
template <typename T> Step removing(std::size_t number) {
    return single("remove", [=](Stage& stage) { return stage.world.remove<T>(stage.entity(number)); });
}
template <typename T> Step setting(std::size_t number, const T& value) {
    return single("set", [=](Stage& stage) { return stage.world.set(stage.entity(number), value); });
}

void add_additions(Scenario& steps) {
    steps.push_back(adding(0, Position{5, 6}));
    steps.push_back(adding(0, Frozen{}));
    steps.push_back(adding(0, Team{7, 0}));
    steps.push_back(adding(0, Team{8, 0}));
    steps.push_back(adding(0, Voice{7}));
    steps.push_back(adding(0, Squad{7}));
    steps.push_back(adding(0, Shield{7}));
    steps.push_back(adding(0, Visible{}));
    steps.push_back(adding(0, Bounds{7, 8}));
    steps.push_back(adding(0, Wired{}));
    steps.push_back(adding(0, "Armed"));
    steps.push_back(adding(0, "Path"));
    steps.push_back(adding(0, "Brain"));
    steps.push_back(adding(0, "Label"));
    steps.push_back(adding(1, "Armed"));
    steps.push_back(adding(1, "Path"));
    steps.push_back(adding(5, Wired{}));
    steps.push_back(adding(6, Wired{}));
    steps.push_back(adding(7, Voice{2}));
    steps.push_back(adding(8, Voice{3}));
}

void add_values(Scenario& steps) {
    steps.push_back(setting(0, Position{7, 8}));
    steps.push_back(setting(0, Team{1, 0}));
    steps.push_back(setting(0, Team{9, 0}));  // which others have
    steps.push_back(setting(0, Bounds{3, 4}));
    steps.push_back(setting(10, Team{1, 0}));
    for (int i = 0; i < 20; ++i) {
        steps.push_back(single("push", [i](Stage& stage) {
            return stage.world.has(stage.entity(0), id_of(stage, "Path")) &&
                   stage.world.buffer<Point>(stage.entity(0)).push(Point{static_cast<float>(i)});
        }));
    }
    steps.push_back(single("insert", [](Stage& stage) {
        return stage.world.has(stage.entity(1), id_of(stage, "Path")) &&
               stage.world.buffer<Point>(stage.entity(1)).resize(9);
    }));
    steps.push_back(single("object", [](Stage& stage) {
        return set_object(stage.world, stage.entity(0), id_of(stage, "Brain"), std::make_shared<int>(3));
    }));
    steps.push_back(single("text", [](Stage& stage) {
        const auto text = stage.world.texts().intern("another text that is too long to lie in a string");
        return text.ok() && stage.world.set(stage.entity(0), id_of(stage, "Label"), &text.value());
    }));
    steps.push_back(single("blob", [](Stage& stage) {
        constexpr std::array<float, 3> kRows{1, 2, 3};
        return stage.world.blobs().build(id_of(stage, "Curve"), std::as_bytes(std::span(kRows))).ok();
    }));
    steps.push_back(single("set_enabled", [](Stage& stage) {
        return stage.world.set_enabled(stage.entity(0), stage.world.id<Shield>(), false);
    }));
}

void add_moves(Scenario& steps) {
    steps.push_back(single("change", [](Stage& stage) {
        World& world = stage.world;
        const Team team{5, 5};
        const Velocity velocity{1, 1};
        const ComponentValue add[] = {{world.id<Team>(), reinterpret_cast<const std::byte*>(&team)},
                                      {world.id<Velocity>(), reinterpret_cast<const std::byte*>(&velocity)},
                                      {id_of(stage, "Armed"), nullptr}};
        const ComponentId remove[] = {world.id<Health>(), world.id<Shield>()};
        return world.change(stage.entity(4), add, remove);
    }));
    steps.push_back(making("clone", [](Stage& stage) { return stage.world.clone(stage.entity(0)); }));
    steps.push_back(spawning_many("clone_many", 6, [](Stage& stage, std::size_t count, Entity* out) {
        return clone_many(stage.world, stage.entity(0), count, out);
    }));
    steps.push_back(making("clone plain", [](Stage& stage) { return stage.world.clone(stage.entity(3)); }));
    steps.push_back(removing<Position>(1));
    steps.push_back(removing<Team>(10));
    steps.push_back(removing<Shield>(0));
    steps.push_back(removing<Squad>(0));
    steps.push_back(removing<Wired>(5));
}

// ---- changes to many

Step to_all(const char* name, std::size_t query, std::function<std::size_t(Stage&, const Query&)> change) {
    return partial(name, [=](Stage& stage) {
        const Query& all = *stage.queries.at(query);
        const std::size_t wanted = all.entity_count();
        return change(stage, all) == wanted;
    });
}

template <typename T> Step adding_all(std::size_t query, const T& value) {
    return to_all("add_all", query, [=](Stage& stage, const Query& all) {
        return add_all(stage.world, all, stage.world.id<T>(), &value);
    });
}
template <typename T> Step removing_all(std::size_t query) {
    return to_all("remove_all", query, [=](Stage& stage, const Query& all) {
        return remove_all(stage.world, all, stage.world.id<T>());
    });
}
template <typename T> Step setting_all(std::size_t query, const T& value) {
    return to_all("set_all", query, [=](Stage& stage, const Query& all) {
        return set_all(stage.world, all, stage.world.id<T>(), &value);
    });
}

// Query 0: Position without Velocity; 1: Voice without Velocity; 2: Team without Wired; 3: Health without
// Team.
void add_changes_to_all(Scenario& steps) {
    steps.push_back(adding_all(0, Frozen{}));
    steps.push_back(adding_all(0, Squad{4}));
    steps.push_back(adding_all(0, Bounds{4, 5}));
    steps.push_back(adding_all(0, Voice{4}));
    steps.push_back(setting_all(2, Team{4, 0}));
    steps.push_back(setting_all(1, Voice{9}));
    steps.push_back(removing_all<Frozen>(0));
    steps.push_back(removing_all<Shield>(0));
    steps.push_back(adding_all(3, Team{6, 0}));
    steps.push_back(removing_all<Squad>(0));
    steps.push_back(removing_all<Wired>(0));
    steps.push_back(adding_all(2, Velocity{3, 3}));
}

void add_ends(Scenario& steps) {
    const auto destroy = [](std::size_t number) {
        return single("destroy", [=](Stage& stage) { return stage.world.destroy(stage.entity(number)); });
    };
    for (const std::size_t number : {0, 1, 2, 3, 6, 7}) steps.push_back(destroy(number));
    steps.push_back(removing<Voice>(2));  // awaited cleanup until now
    steps.push_back(to_all("destroy_all", 2,
                           [](Stage& stage, const Query& all) { return destroy_all(stage.world, all); }));
    steps.push_back(making("spawn again", [](Stage& stage) { return stage.world.spawn(Team{200, 0}); }));
    steps.push_back(single("clear", [](Stage& stage) {
        stage.world.clear();
        return true;
    }));
    steps.push_back(
        making("spawn at last", [](Stage& stage) { return stage.world.spawn(stage.prefabs[1]); }));
}

Scenario whole_scenario() {
    Scenario steps;
    add_types(steps);
    steps.push_back(querying<Position, Velocity>());
    steps.push_back(adding_prefab("plain", false));
    steps.push_back(adding_prefab("special", true));
    add_entities(steps);
    steps.push_back(querying<Voice, Velocity>());
    add_additions(steps);
    add_values(steps);
    add_moves(steps);
    steps.push_back(querying<Team, Wired>());
    steps.push_back(querying<Health, Team>());
    add_changes_to_all(steps);
    add_ends(steps);
    return steps;
}

// Runs a step while memory is refused from the request `first` on, `count` times.
bool run_refused(const Step& step, Stage& stage, std::uint64_t first, std::uint64_t count) {
    const RefusedMemory refused(first, count);
    try {
        return step.run(stage);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

struct Trace {
    std::vector<std::uint64_t> requests;  ///< of each step
    std::vector<Snapshot> after;
};

Trace trace_of(const Scenario& steps) {
    Trace trace;
    Stage stage(tiny_chunks(3));
    stage.entities.reserve(100);
    for (const Step& step : steps) {
        INFO(step.name);
        stage.done = 0;
        REQUIRE(run_refused(step, stage, RefusedMemory::kNever, 1));
        trace.requests.push_back(RefusedMemory::requests());
        trace.after.push_back(snapshot_of(stage));
        check(stage);
    }
    return trace;
}

// Runs everything, with requests of step `refused` failing from the request `first` on, `count` times.
void run_with_refusal(const Scenario& steps, const Trace& trace, std::size_t refused, std::uint64_t first,
                      std::uint64_t count) {
    Stage stage(tiny_chunks(3));
    stage.entities.reserve(100);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        stage.done = 0;
        if (i == refused) {
            const Snapshot before = snapshot_of(stage);
            const bool is_done = run_refused(steps[i], stage, first, count);
            AGREE(RefusedMemory::was_refused());
            check(stage);
            if (is_done) continue;
            if (!steps[i].is_partial) AGREE(snapshot_of(stage) == before);
        }
        AGREE(steps[i].run(stage));
    }
    check(stage);
    AGREE(snapshot_of(stage) == trace.after.back());
}

TEST_CASE("wherever memory runs out, an operation is complete or has no effect, and the world stays usable") {
    const Scenario steps = whole_scenario();
    const Trace trace = trace_of(steps);
    const std::uint64_t count = GENERATE(std::uint64_t{1}, RefusedMemory::kNever);
    for (std::size_t step = 0; step < steps.size(); ++step) {
        for (std::uint64_t first = 0; first < trace.requests[step]; ++first) {
            INFO("step " << step << ", " << steps[step].name << ", request " << first);
            run_with_refusal(steps, trace, step, first, count);
        }
    }
}

// All chunks of a small pool go to one archetype, until the last row is taken.
std::size_t fill_up(World& world, Archetype& filler) {
    std::size_t made = 0;
    while (world.spawn(filler)) ++made;
    return made;
}

TEST_CASE("without free chunk memory an operation is complete or has no effect, and no chunk is lost") {
    WorldConfig config = tiny_chunks(3);
    config.reserved_chunk_bytes = std::size_t{128} * config.shape.unit_bytes;
    const Scenario steps = whole_scenario();
    Stage stage(config);
    stage.entities.reserve(100);
    std::size_t first_full = 0;
    while (std::string_view(steps[first_full].name) != "place_reserved") ++first_full;
    for (std::size_t i = 0; i <= first_full; ++i) {
        stage.done = 0;
        REQUIRE(steps[i].run(stage));
    }
    const ComponentId only =
        stage.world.declare(schema_of("Filler", ComponentKind::component, FieldType::f32)).value();
    Archetype& filler = *stage.world.archetype({&only, 1}).value();
    fill_up(stage.world, filler);
    std::size_t refused = 0;
    for (std::size_t i = first_full + 1; i < steps.size(); ++i) {
        INFO(steps[i].name);
        if (std::string_view(steps[i].name) == "clear") break;
        stage.done = 0;
        const Snapshot before = snapshot_of(stage);
        const bool is_done = steps[i].run(stage);
        check(stage);
        if (is_done) continue;
        ++refused;
        if (!steps[i].is_partial) AGREE(snapshot_of(stage) == before);
    }
    CHECK(refused > 10);
    stage.world.clear();
    check(stage);
    CHECK(fill_up(stage.world, filler) == 128 * 3);
}

}  // namespace
}  // namespace perigee
