// Relations as a host uses them: look-ups, queries, what follows the death of a target, and what is refused.
#include "ecs/relations/sources.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/inspect/schema_json.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/migrate/world_transfer.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/tree_clone.h"
#include "ecs/schedule/lookup.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/bulk.h"
#include "ecs/world/internal/follow_up_work.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Entities = std::vector<Entity>;

struct Likes {
    float strength = 1;
    Entity target;
};
struct Guards {
    Entity target;
};

void declare_relations(World& world) {
    declare_test_components(world);
    world
        .declare<Likes>("Likes", {.index = true}, field("strength", &Likes::strength),
                        field("target", &Likes::target))
        .value();
    world
        .declare<Guards>("Guards", {.index = true, .on_target_destroyed = OnTargetDestroyed::destroy},
                         field("target", &Guards::target))
        .value();
}

struct Fixture {
    World world{tiny_chunks(3)};
    Fixture() { declare_relations(world); }
    Entity target_of(Entity entity) { return world.get<Likes>(entity)->target; }
};

Field field_of(std::string name, FieldType type) {
    Field field;
    field.name = std::move(name);
    field.type = type;
    return field;
}

TEST_CASE("the sources of an entity are found by type and by id, in order of their index") {
    Fixture f;
    const Entity bob = f.world.spawn();
    Entities fans;
    for (int i = 0; i < 7; ++i) fans.push_back(f.world.spawn(Likes{1, bob}));
    CHECK(sources_of<Likes>(f.world, bob) == fans);
    CHECK(sources_of(f.world, f.world.id<Likes>(), bob) == fans);
    CHECK(source_count<Likes>(f.world, bob) == 7);
    f.world.edit<Likes>(fans[2])->target = fans[0];
    f.world.set(fans[3], Likes{2, Entity{}});
    CHECK(sources_of<Likes>(f.world, bob) == Entities{fans[0], fans[1], fans[4], fans[5], fans[6]});
    CHECK(sources_of<Likes>(f.world, fans[0]) == Entities{fans[2]});
    CHECK(sources_of<Likes>(f.world, Entity{}).empty());
    CHECK(sources_of<Position>(f.world, bob).empty());
    CHECK(sources_of<Guards>(f.world, bob).empty());
    f.world.remove<Likes>(fans[0]);
    CHECK(source_count<Likes>(f.world, bob) == 4);
    CHECK(sources_of<Likes>(f.world, f.world.clone(bob)).empty());
    const Entity copy = f.world.clone(fans[6]);  // points where the original does
    CHECK(sources_of<Likes>(f.world, bob) == Entities{fans[1], fans[4], fans[5], fans[6], copy});
}

TEST_CASE("a query visits the rows whose relation points at one entity, together with other filters") {
    Fixture f;
    const Entity bob = f.world.spawn(), eve = f.world.spawn();
    Entities of_bob;
    for (int i = 0; i < 9; ++i) {
        const Entity made =
            f.world.spawn(Position{static_cast<float>(i), 0}, Likes{1, i % 3 == 0 ? bob : eve});
        if (i % 3 == 0) of_bob.push_back(made);
        if (i == 3) f.world.add<Frozen>(made);
    }
    const auto query = f.world.query<Position>().related<Likes>(bob).build();
    Entities visited;
    query.each([&](Entity entity, Position& position) {
        visited.push_back(entity);
        position.y = 5;
    });
    CHECK(query.query().entity_count() == 3);
    CHECK(visited.size() == 3);
    for (const Entity entity : of_bob) CHECK(f.world.get<Position>(entity)->y == 5);
    CHECK(f.world.query<const Position>().related<Likes>(bob).without<Frozen>().query().entity_count() == 2);
    CHECK(f.world.query<const Position>().related<Likes>(Entity{}).query().entity_count() == 0);
    CHECK(destroy_all(f.world, query.query()) == 3);
    CHECK(source_count<Likes>(f.world, bob) == 0);
    CHECK(source_count<Likes>(f.world, eve) == 6);
}

TEST_CASE("when a target dies, its sources forget it or die too, before the change returns") {
    Fixture f;
    World& world = f.world;
    SECTION("World::destroy") {
        const Entity bob = world.spawn(Position{});
        const Entity fan = world.spawn(Likes{3, bob});
        const Entity guard = world.spawn(Guards{bob});
        const Entity guard_of_guard = world.spawn(Guards{guard}, Position{});
        const Entity fan_of_guard = world.spawn(Likes{1, guard_of_guard});
        const Entity ring = world.spawn(Guards{guard_of_guard});
        world.set(guard, Guards{bob});
        CHECK(world.destroy(bob));
        CHECK(f.target_of(fan) == Entity{});
        CHECK(world.get<Likes>(fan)->strength == 3);
        for (const Entity dead : {guard, guard_of_guard, ring}) CHECK_FALSE(world.is_alive(dead));
        CHECK(f.target_of(fan_of_guard) == Entity{});
        CHECK(world.entity_count() == 2);
    }
    SECTION("entities that guard each other") {
        const Entity a = world.spawn(Guards{}), b = world.spawn(Guards{a}), c = world.spawn(Guards{b});
        world.edit<Guards>(a)->target = c;
        const Entity self = world.spawn(Guards{});
        world.edit<Guards>(self)->target = self;
        CHECK(world.destroy(b));
        CHECK(world.entity_count() == 1);
        CHECK(world.destroy(self));
        CHECK(world.entity_count() == 0);
    }
    SECTION("with children and handlers") {
        const Entity ship = world.spawn(), turret = world.spawn(Position{});
        set_parent(world, turret, ship).value();
        const Entity fan = world.spawn(Likes{1, turret});
        CHECK(world.destroy(ship));
        CHECK(f.target_of(fan) == Entity{});
    }
    SECTION("destroy_all") {
        const Entity bob = world.spawn(Position{});
        const Entity fan = world.spawn(Likes{1, bob});
        const Entity guard = world.spawn(Guards{bob});
        CHECK(destroy_all(world, world.query<const Position>().query()) == 1);
        CHECK(f.target_of(fan) == Entity{});
        CHECK_FALSE(world.is_alive(guard));
    }
    SECTION("World::clear") {
        world.spawn(Guards{world.spawn()});
        world.clear();
        CHECK(world.entity_count() == 0);
        CHECK(sources_of<Guards>(world, world.spawn()).empty());
    }
    SECTION("a move to another world") {
        World other(tiny_chunks(3));
        declare_relations(other);
        const Entity bob = world.spawn(Position{});
        const Entity fan = world.spawn(Likes{1, bob});
        CHECK(move_entities(world, world.query<const Position>().query(), other).value() == 1);
        CHECK(f.target_of(fan) == Entity{});
    }
}

TEST_CASE("a chain of 100,000 entities dies link by link with its root") {
    // Looking at all targets again for each link took half a minute.
    World world;
    declare_relations(world);
    const Entity root = world.spawn(Position{});
    Entity last = root;
    for (int i = 0; i < 100'000; ++i) last = world.spawn(Guards{last});
    CHECK(world.destroy(root));
    CHECK(world.entity_count() == 0);
}

TEST_CASE("commands see the fields as they are, and dead targets are followed up at the end of a playback") {
    Fixture f;
    CommandBuffer commands(f.world);
    const Entity bob = f.world.spawn(), eve = f.world.spawn();
    const Entity fan = f.world.spawn(Likes{1, bob});
    const Entity guard = f.world.spawn(Guards{bob}), moved = f.world.spawn(Guards{bob});
    commands.destroy(bob);
    commands.set(moved, Guards{eve});  // survives: it points elsewhere when the playback ends
    const Entity made = commands.spawn(Position{});
    commands.spawn(Likes{1, made});
    f.world.edit<Likes>(fan)->target = made;  // not alive yet, and not dead
    f.world.store().settle_relations();
    CHECK(f.target_of(fan) == made);
    commands.play_back();
    CHECK(f.target_of(fan) == made);
    CHECK_FALSE(f.world.is_alive(guard));
    CHECK(f.world.is_alive(moved));
    CHECK(source_count<Likes>(f.world, made) == 2);
}

TEST_CASE("a system looks up what it declared, and a dead target that it writes is gone after its group") {
    Fixture f;
    Schedule schedule(f.world);
    const Entity bob = f.world.spawn();
    const Entity dead = f.world.spawn();
    f.world.destroy(dead);
    const Entity fan = f.world.spawn(Likes{1, bob}), other = f.world.spawn(Likes{1, bob});
    SystemDesc desc;
    desc.name = "write";
    desc.access.write = {f.world.id<Likes>()};
    desc.run = [&](SystemContext& context) -> Result<void> {
        if (context.time.tick != 0) return {};
        CHECK(sources_of<Likes>(context, bob) == Entities{fan, other});
        Lookup<Likes>(context)[fan].target = dead;  // seen at once
        CHECK(sources_of<Likes>(context, bob) == Entities{other});
        CHECK(sources_of<Likes>(context, dead) == Entities{fan});
        Lookup<Likes>(context)[other].target = fan;
        CHECK(sources_of<Likes>(context, fan) == Entities{other});
        return {};
    };
    schedule.add(desc).value();
    schedule.run_group(kSimulation, {}).value();
    CHECK(f.target_of(fan) == Entity{});
    CHECK(f.target_of(other) == fan);

    desc.name = "undeclared";
    desc.access.write = {f.world.id<Position>()};
    std::string broken;
    desc.run = [&](SystemContext& context) -> Result<void> {
        const ContractWatch watch;
        try {
            static_cast<void>(sources_of<Likes>(context, bob));
        } catch (const BrokenContract& contract) {
            broken = contract.what();
        }
        return {};
    };
    schedule.add(desc).value();
    schedule.run_group(kSimulation, {TickTime{.tick = 1}}).value();
    CHECK_THAT(broken, Contains("access that the system did not declare"));
}

TEST_CASE("a system with a filter by relation does not run beside one that writes the relation") {
    Fixture f;
    Schedule schedule(f.world);
    const Entity bob = f.world.spawn();
    const auto add = [&](const char* name, QueryDesc query) {
        SystemDesc desc;
        desc.name = name;
        desc.query = std::move(query);
        desc.run = [](SystemContext&) -> Result<void> { return {}; };
        schedule.add(std::move(desc)).value();
    };
    QueryDesc filter;
    filter.terms = {{f.world.id<Position>(), Access::write}};
    filter.related = {{f.world.id<Likes>(), bob}};
    add("filter", filter);
    QueryDesc writer;
    writer.terms = {{f.world.id<Likes>(), Access::write}};
    add("writer", writer);
    CHECK(schedule.stages(kSimulation).size() == 2);
}

TEST_CASE("a clone of a tree points at clones, and equal worlds hash the same whenever the index was read") {
    Fixture f;
    const Entity top = f.world.spawn(), child = f.world.spawn(Likes{1, top});
    set_parent(f.world, child, top).value();
    const std::uint64_t before = world_hash(f.world);
    CHECK(sources_of<Likes>(f.world, top) == Entities{child});
    CHECK(world_hash(f.world) == before);
    const Entity copy = clone_tree(f.world, top);
    CHECK(source_count<Likes>(f.world, top) == 1);
    CHECK(source_count<Likes>(f.world, copy) == 1);
}

TEST_CASE("a reloaded schema makes a component a relation, and the rows that exist count") {
    World world(tiny_chunks(3));
    Schema schema;
    schema.name = "Owes";
    schema.fields = {field_of("amount", FieldType::f32), field_of("to", FieldType::entity)};
    const ComponentId owes = world.declare(schema).value();
    const Entity bank = world.spawn();
    const Entity debtor = world.spawn();
    world.add(debtor, owes);
    std::memcpy(world.edit(debtor, owes) + 8, &bank, sizeof bank);
    CHECK(sources_of(world, owes, bank).empty());
    schema.index = true;
    schema.on_target_destroyed = OnTargetDestroyed::destroy;
    std::vector<SchemaEdit> edits(1);
    edits[0].schema = schema;
    REQUIRE(change_schemas(world, std::move(edits)).ok());
    CHECK(sources_of(world, owes, bank) == Entities{debtor});
    CHECK_THAT(schema_json(world.registry(), owes),
               Contains("\"index\"") && Contains("\"on_target_destroyed\"") && Contains("destroy"));
    world.destroy(bank);
    CHECK_FALSE(world.is_alive(debtor));
}

TEST_CASE("the target of a relation may be inside a struct") {
    World world(tiny_chunks(3));
    Schema schema;
    schema.name = "Task";
    schema.index = true;
    Field inner = field_of("goal", FieldType::structure);
    inner.nested = {field_of("urgency", FieldType::f64), field_of("whom", FieldType::entity)};
    schema.fields = {field_of("kind", FieldType::u8), inner};
    const ComponentId task = world.declare(schema).value();
    CHECK(target_offset(world.registry().info(task).schema) == 16);
    const Entity goal = world.spawn(), worker = world.spawn();
    world.add(worker, task);
    std::memcpy(world.edit(worker, task) + 16, &goal, sizeof goal);
    CHECK(sources_of(world, task, goal) == Entities{worker});
}

TEST_CASE("what cannot be a relation is refused") {
    World world(tiny_chunks(3));
    declare_test_components(world);
    const auto refusal = [&](ComponentKind kind, std::vector<Field> fields,
                             OnTargetDestroyed word = OnTargetDestroyed::clear, bool index = true) {
        Schema schema;
        schema.name = "Bad";
        schema.kind = kind;
        schema.fields = std::move(fields);
        schema.index = index;
        schema.on_target_destroyed = word;
        const Result<ComponentId> made = world.declare(schema);
        return made ? std::string() : made.error().message;
    };
    const Field to = field_of("to", FieldType::entity), number = field_of("n", FieldType::i32);
    Field list = field_of("all", FieldType::entity);
    list.array_length = 3;
    CHECK_THAT(refusal(ComponentKind::shared, {to}), Contains("index makes no sense for kind 'shared'"));
    CHECK_THAT(refusal(ComponentKind::buffer, {to}), Contains("index makes no sense for kind 'buffer'"));
    CHECK_THAT(refusal(ComponentKind::component, {number}),
               Contains("a relation has one field of type entity, its target; this one has 0"));
    CHECK_THAT(refusal(ComponentKind::component, {to, list}), Contains("this one has 4"));
    CHECK_THAT(refusal(ComponentKind::component, {to}, OnTargetDestroyed::destroy, false),
               Contains("on_target_destroyed is for relations, which have 'index = true'"));
    CHECK(refusal(ComponentKind::component, {to}).empty());
    CHECK_THAT(refusal(ComponentKind::component, {to}, OnTargetDestroyed::destroy),
               Contains("'Bad' is already declared with another index or on_target_destroyed"));

    QueryDesc desc;
    desc.related = {{world.id<Position>(), Entity{}}};
    CHECK_THAT(world.query(desc).error().message,
               Contains("filter by the target of 'Position': expected a relation, which has 'index = true'"));
    const ComponentId bad = world.registry().find("Bad").value();
    desc.related = {{bad, Entity{}}, {bad, Entity{}}};
    CHECK_THAT(world.query(desc).error().message, Contains("a query names 'Bad' twice"));
}

}  // namespace
}  // namespace perigee
