// Typed functions: bindings, defaults, chunk values, handles, columns, buffers, commands.
#include "ecs/world/typed_world.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/events/event_writer.h"
#include "ecs/migrate/schema_change.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/bulk.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/typed_stage.h"

#include <catch2/catch.hpp>

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;
using Stage = TypedStage;

TEST_CASE("a struct is bound to one component, and another component of the same shape needs another type") {
    struct Shape {
        float x = 0, y = 0;
    };
    struct Speed : Shape {};
    World world;
    const auto declared = [&](const char* name) {
        Schema schema =
            schema_from_type(name, bound_type<Shape>(field("x", &Shape::x), field("y", &Shape::y)));
        return world.declare(std::move(schema)).value();
    };
    const ComponentId place = declared("Place"), speed = declared("Speed");
    REQUIRE(world.bind<Shape>("Place", field("x", &Shape::x), field("y", &Shape::y)).value() == place);
    const Entity entity = world.spawn(Shape{1, 2});

    const auto again = world.bind<Shape>("Speed", field("x", &Shape::x), field("y", &Shape::y));
    REQUIRE_FALSE(again.ok());
    CHECK_THAT(again.error().message, Contains("Shape' is bound to 'Place' already") && Contains("'Speed'") &&
                                          Contains("struct Another : "));
    const std::size_t types = world.registry().size();
    const auto third = world.declare<Shape>("Third", field("x", &Shape::x), field("y", &Shape::y));
    REQUIRE_FALSE(third.ok());
    CHECK(world.registry().size() == types);
    CHECK(world.has<Shape>(entity));

    REQUIRE(world.bind<Speed>("Speed", field("x", &Speed::x), field("y", &Speed::y)).value() == speed);
    CHECK(world.bind<Shape>("Place", field("x", &Shape::x), field("y", &Shape::y)).value() == place);
    const Entity mover = world.spawn(Shape{1, 2}, Speed{{3, 4}});
    CHECK(world.get<Shape>(mover)->x == 1);
    CHECK(world.get<Speed>(mover)->y == 4);
    int rows = 0;
    world.each<Shape, const Speed>([&](Shape& at, const Speed& by) {
        at.x += by.x;
        ++rows;
    });
    CHECK(rows == 1);
    CHECK(world.get<Shape>(mover)->x == 4);
}

TEST_CASE("adding without a value gives the defaults and keeps an existing value") {
    Stage stage;
    World& world = stage.world;
    const Entity entity = world.spawn(Position{});
    REQUIRE(world.add<Health>(entity));
    CHECK(*world.get<Health>(entity) == Health{100, 100});
    REQUIRE(world.set(entity, Health{55, 60}));
    REQUIRE(world.add<Health>(entity));
    CHECK(*world.get<Health>(entity) == Health{55, 60});
    REQUIRE(world.add(entity, Health{5, 6}));
    CHECK(*world.get<Health>(entity) == Health{5, 6});
    REQUIRE(world.add<Armed>(entity));
    CHECK(world.get<Armed>(entity)->rounds == 6);
    CHECK(*world.get<Health>(entity) == Health{5, 6});
    CHECK(world.get<Armed>(world.spawn<Armed>())->rounds == 6);
    CHECK_FALSE(world.add<Health>(Entity{}));
}

TEST_CASE("spawning from C++ values adds required components, also after a schema change") {
    Stage stage;
    World& world = stage.world;
    CHECK(world.has<Health>(world.spawn(Armed{})));
    Schema armed = world.registry().info(world.id<Armed>()).schema;
    armed.required.push_back("Wide");
    std::vector<SchemaEdit> edits(1);
    edits[0].schema = armed;
    REQUIRE(change_schemas(world, std::move(edits)).ok());
    CHECK(world.has<Wide>(world.spawn(Armed{})));
}

TEST_CASE("defaults of the C++ struct become the defaults of its schema") {
    struct Inner {
        std::uint8_t level = 7;
        double weight = 2.5;
    };
    struct Outer {
        Vec2 at{1, 2};
        bool is_on = true;
        std::array<char, 4> name{'a', 'b'};
        std::array<Inner, 2> inner{};
        std::int64_t big = 9'007'199'254'740'993;
        Entity who;
    };
    World world;
    const ComponentId id =
        world
            .declare<Outer>(
                "Outer", field("at", &Outer::at), field("is_on", &Outer::is_on), field("name", &Outer::name),
                field("inner", &Outer::inner, field("level", &Inner::level), field("weight", &Inner::weight)),
                field("big", &Outer::big), field("who", &Outer::who))
            .value();
    const Entity entity = world.spawn();
    REQUIRE(world.add(entity, id));
    const Outer& made = *world.get<Outer>(entity);
    CHECK(made.at == Vec2{1, 2});
    CHECK(made.is_on);
    CHECK(made.name == std::array<char, 4>{'a', 'b'});
    CHECK(made.inner[1].level == 7);
    CHECK(made.inner[1].weight == 2.5);
    CHECK(made.big == 9'007'199'254'740'993);
    CHECK(world.registry().info(id).schema.field("inner")->nested.size() == 2);
}

TEST_CASE("declare takes the capacity, the owner and the requirements of a component") {
    World world;
    declare_test_components(world);
    struct Step {
        std::int32_t at = 0;
    };
    const ComponentId id = world
                               .declare<Step>("Step",
                                              {.kind = ComponentKind::buffer,
                                               .buffer_capacity = 3,
                                               .owner = "engine",
                                               .required = {"Health"},
                                               .doc = "where it goes"},
                                              field("at", &Step::at))
                               .value();
    const Schema& schema = world.registry().info(id).schema;
    CHECK(schema.buffer_capacity == 3);
    CHECK(schema.owner == "engine");
    CHECK(schema.doc == "where it goes");
    const Entity entity = world.spawn<Step>();
    CHECK(world.get<Health>(entity)->max == 100);
    CHECK(world.buffer<Step>(entity).capacity() == 3);
    struct Late {
        float x = 0;
    };
    const auto unknown =
        world.declare<Late>("Late", TypeOptions{.required = {"Nothing"}}, field("x", &Late::x));
    CHECK_FALSE(unknown.ok());
    CHECK_FALSE(world.is_bound<Late>());
}

TEST_CASE("the value of a chunk component stays when rows are added to the chunk") {
    Stage stage;
    World& world = stage.world;
    const Entity first = world.spawn(Wide{}, Bounds{1, 2});
    CHECK(*world.get<Bounds>(first) == Bounds{1, 2});
    const Entity second = world.spawn(Wide{}, Bounds{});
    CHECK(*world.get<Bounds>(second) == Bounds{1, 2});
    const Entity third = world.spawn(Wide{});
    REQUIRE(world.add(third, Bounds{7, 7}));
    CHECK(*world.get<Bounds>(third) == Bounds{1, 2});
    REQUIRE(world.add(third, Bounds{7, 7}));
    REQUIRE(world.add<Bounds>(third));
    CHECK(*world.get<Bounds>(first) == Bounds{1, 2});
    REQUIRE(world.set(third, Bounds{3, 4}));
    CHECK(*world.get<Bounds>(first) == Bounds{3, 4});
    const Entity alone = world.spawn(Health{});
    REQUIRE(world.add(alone, Bounds{5, 6}));
    CHECK(*world.get<Bounds>(alone) == Bounds{5, 6});
    CHECK_FALSE(world.add(Entity{}, Bounds{}));
}

TEST_CASE("operations that change nothing leave buffer handles valid") {
    Stage stage;
    World& world = stage.world;
    BufferView<Waypoint> path = world.buffer<Waypoint>(stage.entity);
    REQUIRE(world.set(stage.entity, Team{3, 4}));
    REQUIRE(world.add(stage.entity, Team{3, 4}));
    REQUIRE(world.add<Team>(stage.entity));
    REQUIRE(world.add(stage.entity, Position{5, 5}));
    REQUIRE(world.remove<Wide>(stage.entity));
    const Team same{3, 4};
    const ComponentValue value{world.id<Team>(), reinterpret_cast<const std::byte*>(&same)};
    REQUIRE(world.change(stage.entity, {&value, 1}, {}));
    CHECK_FALSE(world.destroy(Entity{}));
    CHECK_FALSE(path.is_stale());
    CHECK(path.push({9, 9}));
    REQUIRE(world.set(stage.entity, Team{4, 4}));
    CHECK(path.is_stale());
}

TEST_CASE("add and set by id check that a struct matches the component") {
    const ContractWatch watch;
    Stage stage;
    World& world = stage.world;
    const ComponentId position = world.id<Position>();
    const char letter = 'x';
    const Stranger same{5, 6};
    const Velocity other{};
    const Waypoint element{};
    const Wave wave{};
    CommandBuffer commands(world);
    EventWriter writer(world);
    CHECK_THROWS_WITH(world.add(stage.entity, position, &letter), Contains("'char' has 1 byte,"));
    CHECK_THROWS_WITH(world.set(stage.entity, position, &letter),
                      Contains("'Position' of kind component takes 8"));
    CHECK_THROWS_WITH(commands.add(stage.entity, position, &letter), Contains("'char' has 1 byte,"));
    CHECK_THROWS_WITH(commands.set(stage.entity, position, &letter), Contains("'char' has 1 byte,"));
    CHECK_THROWS_WITH(world.add(stage.entity, position, &other),
                      Contains("'Velocity' and not to 'Position'"));
    CHECK_THROWS_WITH(world.add(stage.entity, world.id<Waypoint>(), &element),
                      Contains("of kind buffer takes 0"));
    CHECK_THROWS_WITH(world.add(stage.entity, world.id<Frozen>(), &wave), Contains("'Frozen'"));
    CHECK_THROWS_WITH(writer.send(world.id<Damage>(), &letter), Contains("'Damage' of kind event"));
    CHECK_THROWS_WITH(world.get<Velocity>(stage.entity, position),
                      Contains("'Velocity' and not to 'Position'"));
    const Query& all = world.query<const Position>().query();
    CHECK_THROWS_WITH(set_all(world, all, position, &letter), Contains("'char' has 1 byte,"));
    CHECK_THROWS_WITH(add_all(world, all, position, &letter), Contains("'char' has 1 byte,"));
    CHECK_THROWS_WITH(commands.set_all(all, position, &letter), Contains("'char' has 1 byte,"));
    CHECK_THROWS_WITH(commands.add_all(all, position, &letter), Contains("'char' has 1 byte,"));
    CHECK(commands.command_count() == 0);
    REQUIRE(world.set(stage.entity, position, &same));
    CHECK(*world.get<Position>(stage.entity) == Position{5, 6});
}

TEST_CASE("a column has its bound type, and is const where the query reads") {
    const ContractWatch watch;
    Stage stage;
    stage.world.spawn(Position{1, 2}, Velocity{3, 4});
    QueryDesc desc;
    desc.terms = {{stage.world.id<Position>(), Access::read},
                  {stage.world.id<Velocity>(), Access::write},
                  {stage.world.id<Waypoint>(), Access::read, true},
                  {stage.world.id<Bounds>(), Access::read, true}};
    int seen = 0;
    stage.world.each_chunk(*stage.world.query(desc).value(), [&](ChunkView& view) {
        CHECK(view.column<const Position>(0)[0] == Position{1, 2});
        CHECK_THROWS_WITH(view.column<Position>(0),
                          Contains("the query reads 'Position'") && Contains("const Position"));
        CHECK_THROWS_WITH(view.column<Velocity>(0), Contains("is bound to 'Velocity' and not to 'Position'"));
        CHECK_THROWS_WITH(view.column<const Stranger>(0), Contains("is bound to no component"));
        CHECK_THROWS_WITH(view.column<const Waypoint>(2), Contains("of kind buffer"));
        CHECK_THROWS_WITH(view.buffers<Waypoint>(2), Contains("the query reads 'Waypoint'"));
        CHECK_THROWS_WITH(view.chunk_value<Bounds>(3), Contains("the query reads 'Bounds'"));
        view.column<Velocity>(1)[0].x = 9;
        ++seen;
    });
    CHECK(seen == 1);
}

TEST_CASE("buffers are accessed in queries and by entity, to read and to write") {
    Stage stage;
    World& world = stage.world;
    world.spawn(Position{8, 8});
    int rows = 0;
    world.each<const Position, Buffer<Waypoint>>([&](const Position&, BufferView<Waypoint> path) {
        REQUIRE(path.push({7, 7}));
        ++rows;
    });
    CHECK(rows == 2);
    std::size_t elements = 0;
    world.each<Optional<Buffer<const Waypoint>>>([&](Entity entity, std::span<const Waypoint> path) {
        CHECK(path.empty() == !world.has<Waypoint>(entity));
        elements += path.size();
    });
    CHECK(elements == 12);
    world.query<Buffer<Waypoint>, const Position>().order_by<Position>("x").each(
        [&](BufferView<Waypoint> path, const Position&) { path.clear(); });
    CHECK(world.elements<Waypoint>(stage.entity).empty());
    world.query<Buffer<Waypoint>>().each_chunk([&](const ChunkView& view, BufferColumn<Waypoint> paths) {
        for (std::uint32_t row = 0; row < view.row_count(); ++row) REQUIRE(paths[row].push({1, 1}));
    });
    CHECK(world.elements<Waypoint>(stage.neighbour).size() == 1);
    // Disabled rows are not shown, also in the middle of a chunk.
    world.set_enabled<Shield>(stage.entity, false);
    rows = 0;
    world.each<const Shield, Buffer<const Waypoint>>(
        [&](Entity entity, const Shield&, std::span<const Waypoint> path) {
            CHECK(entity == stage.neighbour);
            CHECK(path.size() == 1);
            ++rows;
        });
    CHECK(rows == 1);
}

TEST_CASE("commands take values of C++ types") {
    Stage stage;
    World& world = stage.world;
    CommandBuffer commands(world);
    const Entity born = commands.spawn(Position{1, 2}, Velocity{3, 4}, Team{5, 6});
    commands.add(born, Health{5, 9});
    commands.add<Armed>(born);
    commands.add_buffer<Waypoint>(born).push({1, 1});
    const PlaybackReport report = commands.play_back();
    CHECK(report.applied == 5);
    CHECK(*world.get<Position>(born) == Position{1, 2});
    CHECK(*world.get<Velocity>(born) == Velocity{3, 4});
    CHECK(*world.get<Team>(born) == Team{5, 6});
    CHECK(*world.get<Health>(born) == Health{5, 9});
    CHECK(world.get<Armed>(born)->rounds == 6);
    CHECK(world.elements<Waypoint>(born).size() == 1);
    commands.close();
    CHECK_FALSE(commands.spawn(Position{}));
    CHECK(commands.command_count() == 0);
}

}  // namespace
}  // namespace perigee
