// Queries agree with a filter over all entities, whenever they were created.
#include "ecs/query/query.h"

#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

std::set<Entity> entities_of(World& world, const Query& query) {
    std::set<Entity> found;
    world.each_chunk(query, [&](const ChunkView& view) {
        for (const Entity entity : view.entities()) REQUIRE(found.insert(entity).second);
    });
    return found;
}

TEST_CASE("[Q1] a query gives the same result whether created before or after its archetypes") {
    World world(tiny_chunks(3));
    declare_test_components(world);
    const ComponentId ids[] = {world.id<Position>(), world.id<Velocity>(), world.id<Health>(),
                               world.id<Frozen>()};
    std::mt19937 random(2);

    std::vector<QueryDesc> descs;
    for (int i = 0; i < 60; ++i) {
        QueryDesc desc;
        for (const ComponentId id : ids) {
            switch (random() % 6) {
                case 0:
                    desc.terms.push_back({id, Access::read, false});
                    break;
                case 1:
                    desc.terms.push_back({id, Access::write, true});
                    break;
                case 2:
                    desc.without.push_back(id);
                    break;
                case 3:
                    desc.any.push_back(id);
                    break;
                default:
                    break;
            }
        }
        descs.push_back(desc);
    }
    std::vector<Query*> early;
    for (int i = 0; i < 30; ++i) early.push_back(world.query(descs[static_cast<std::size_t>(i)]).value());
    std::vector<Entity> all;
    for (int i = 0; i < 400; ++i) {
        const Entity entity = world.spawn();
        for (const ComponentId id : ids) {
            if ((random() & 1) != 0) world.add(entity, id);
        }
        all.push_back(entity);
    }
    for (const QueryDesc& desc : descs) {
        const Query& query = *world.query(desc).value();
        std::set<Entity> expected;
        for (const Entity entity : all) {
            const auto has = [&](ComponentId id) { return world.has(entity, id); };
            const bool is_match =
                std::all_of(desc.terms.begin(), desc.terms.end(),
                            [&](const QueryTerm& term) { return term.is_optional || has(term.component); }) &&
                (desc.any.empty() || std::any_of(desc.any.begin(), desc.any.end(), has)) &&
                std::none_of(desc.without.begin(), desc.without.end(), has);
            if (is_match) expected.insert(entity);
        }
        REQUIRE(entities_of(world, query) == expected);
        REQUIRE(query.entity_count() == expected.size());
    }
    for (std::size_t i = 0; i < early.size(); ++i) CHECK(world.query(descs[i]).value() == early[i]);
}

TEST_CASE("[Q3] a written column counts as changed for a reader, and a read column does not") {
    World world(tiny_chunks(2));
    declare_test_components(world);
    for (int i = 0; i < 4; ++i) world.spawn(Position{}, Velocity{});
    Query& writer =
        *world.query({{{world.id<Position>(), Access::write}, {world.id<Velocity>()}}, {}, {}}).value();
    const ChangeVersion seen = world.change_version();
    world.advance_change_version();
    world.each_chunk(writer, [](ChunkView&) {});
    world.each_chunk(writer, [&](const ChunkView& view) {
        CHECK(view.changed_since(0, seen));
        CHECK_FALSE(view.changed_since(1, seen));
    });
    const ChangeVersion later = world.advance_change_version();
    const Entity added = world.spawn(Position{}, Velocity{});
    world.advance_change_version();
    CHECK(world.edit<Velocity>(added) != nullptr);
    Query& reader = *world.query({{{world.id<Velocity>()}}, {}, {}}).value();
    int changed = 0;
    world.each_chunk(reader, [&](const ChunkView& view) { changed += view.changed_since(0, later) ? 1 : 0; });
    CHECK(changed == 1);
}

TEST_CASE("an optional term that a chunk lacks gives an empty column") {
    World world;
    declare_test_components(world);
    world.spawn(Position{1, 2});
    Query& query =
        *world.query({{{world.id<Position>()}, {world.id<Velocity>(), Access::read, true}}, {}, {}}).value();
    int visits = 0;
    world.each_chunk(query, [&](const ChunkView& view) {
        ++visits;
        CHECK(view.column<const Velocity>(1).empty());
        CHECK(view.column_data(1) == nullptr);
        CHECK(view.column<const Position>(0)[0] == Position{1, 2});
        CHECK(view.chunk_index() == 0);
    });
    CHECK(visits == 1);
}

TEST_CASE("a query that names a component twice or names a resource is refused") {
    World world;
    declare_test_components(world);
    const ComponentId position = world.id<Position>();
    CHECK_THAT(world.query({{{position}, {position}}, {}, {}}).error().message, Contains("Position"));
    CHECK_THAT(world.query({{{position}}, {}, {position}}).error().message, Contains("Position"));
    Schema schema;
    schema.name = "Wave";
    schema.kind = ComponentKind::resource;
    schema.fields.resize(1);
    schema.fields[0].name = "number";
    const ComponentId wave = world.declare(schema).value();
    CHECK_THAT(world.query({{{wave}}, {}, {}}).error().message, Contains("Wave") && Contains("resource"));
}

}  // namespace
}  // namespace perigee
