// Each component set has one archetype, reached by any edges.
#include "ecs/archetype/archetype_graph.h"

#include "ecs/schema/registry.h"
#include "ecs/storage/shared_store.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>

namespace perigee {
namespace {

struct Fixture {
    Fixture() : pool(16 * 1024, std::size_t{64} << 20), graph(registry, pool, units, shared, ChunkShape{}) {}
    ComponentId declare(const std::string& name, std::uint32_t floats) {
        Schema schema;
        schema.name = name;
        if (floats == 0) schema.kind = ComponentKind::tag;
        for (std::uint32_t i = 0; i < floats; ++i) {
            Field field;
            field.name = "f" + std::to_string(i);
            field.default_value.data = 1.0 + i;
            schema.fields.push_back(field);
        }
        return registry.declare(schema).value();
    }

    ComponentRegistry registry;
    ChunkPool pool;
    UnitTable units;
    SharedStore shared;
    ArchetypeGraph graph;
};

TEST_CASE("[S1][S9] the same set of components gives the same archetype, in any order") {
    Fixture fixture;
    const ComponentId a = fixture.declare("A", 1), b = fixture.declare("B", 2), c = fixture.declare("C", 0);
    const std::vector<ComponentId> abc{a, b, c}, cab{c, a, b, a}, ab{a, b};
    CHECK(fixture.graph.require(abc).value() == fixture.graph.require(cab).value());
    CHECK(fixture.graph.require(abc).value() != fixture.graph.require(ab).value());
    CHECK(fixture.graph.require({}).value() == &fixture.graph.empty());
}

TEST_CASE(
    "[S6] an edge leads to the archetype of the resulting set and knows what to copy and what to default") {
    Fixture fixture;
    const ComponentId a = fixture.declare("A", 1), b = fixture.declare("B", 2), tag = fixture.declare("T", 0);
    const std::vector<ComponentId> at{a, tag};
    Archetype& from = *fixture.graph.require(at).value();
    const ArchetypeEdge* adding = fixture.graph.adding(from, b);
    REQUIRE(adding != nullptr);
    CHECK(adding->copies.ops().size() == 1);
    CHECK(adding->added.size == 8);
    CHECK(adding->added.source_offset == 4);
    CHECK(fixture.graph.adding(from, b) == adding);
    const ArchetypeEdge* back = fixture.graph.removing(*adding->target, b);
    CHECK(back->target == &from);
    CHECK(back->added.size == 0);
}

TEST_CASE("column places distinguish columns, tags and absent components") {
    Fixture fixture;
    const ComponentId a = fixture.declare("A", 1);
    const ComponentId tag = fixture.declare("T", 0);
    std::vector<ComponentId> many;
    for (int i = 0; i < 40; ++i) many.push_back(fixture.declare("M" + std::to_string(i), 1));
    const std::vector<ComponentId> set{a, tag, many[39]};
    const Archetype& archetype = *fixture.graph.require(set).value();
    const auto line = [&](ComponentId id) { return fixture.graph.column_place(archetype.index(), id).line; };
    CHECK(line(a) * kCacheLine == archetype.layout().columns[1].offset);
    CHECK(line(many[39]) * kCacheLine == archetype.layout().columns[2].offset);
    CHECK(line(tag) == ColumnPlace::kTag);
    for (std::size_t column = 1; column < 3; ++column) {
        const Column& expected = archetype.layout().columns[column];
        const ColumnPlace place = fixture.graph.column_place(archetype.index(), expected.component);
        CHECK(place.column == column);
        CHECK(place.size == expected.size);
    }
    CHECK(line(many[0]) == 0);
    const ComponentId late = fixture.declare("Late", 1);
    CHECK(line(late) == 0);
    CHECK(!fixture.graph.column_place(0, a).is_present());
}

TEST_CASE("a random walk over edges ends in the archetype of the resulting component set") {
    Fixture fixture;
    std::vector<ComponentId> ids;
    for (std::uint32_t i = 0; i < 8; ++i) ids.push_back(fixture.declare("C" + std::to_string(i), i % 4));
    std::mt19937 random(5);
    std::set<ComponentId> model;
    Archetype* at = &fixture.graph.empty();
    for (int step = 0; step < 5000; ++step) {
        const ComponentId id = ids[random() % ids.size()];
        const bool is_adding = (random() & 1) != 0;
        at = (is_adding ? fixture.graph.adding(*at, id) : fixture.graph.removing(*at, id))->target;
        if (is_adding)
            model.insert(id);
        else
            model.erase(id);
        REQUIRE(std::vector<ComponentId>(model.begin(), model.end()) ==
                std::vector<ComponentId>(at->components().begin(), at->components().end()));
    }
    CHECK(fixture.graph.size() <= 256);
}

TEST_CASE("a row that is too wide is an error, and no archetype is created") {
    Fixture fixture;
    std::vector<ComponentId> wide;
    for (int i = 0; i < 9; ++i) wide.push_back(fixture.declare("W" + std::to_string(i), 2000));
    const std::size_t before = fixture.graph.size();
    CHECK_FALSE(fixture.graph.require(wide).ok());
    CHECK(fixture.graph.size() == before);
    wide.pop_back();
    Archetype& full = *fixture.graph.require(wide).value();
    CHECK(fixture.graph.adding(full, ComponentId{8}) == nullptr);
}

}  // namespace
}  // namespace perigee
