// The figures agree with a count by hand, and overuse of shared components gives a warning.
#include "ecs/inspect/chunk_usage.h"

#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

using Catch::Contains;

TEST_CASE("[C4] the usage of each archetype has its rows, chunks, bytes and how full it is") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    for (int i = 0; i < 6; ++i) world.spawn(Position{});
    world.spawn(Position{}, Frozen{});
    const ChunkUsage usage = chunk_usage(world);
    REQUIRE(usage.archetypes.size() == 2);
    const ArchetypeUsage& first = usage.archetypes[0];
    CHECK(first.components == std::vector<std::string>{"Position"});
    CHECK(first.rows == 6);
    CHECK(first.chunks == 2);
    CHECK(first.rows_per_chunk == 4);
    CHECK(first.row_bytes == 16);
    CHECK(first.wasted_bytes == first.chunk_bytes - 6 * 16);
    CHECK(usage.total.entities == 7);
    CHECK(usage.warnings.empty());
    const std::string text = text_of(usage);
    CHECK_THAT(text, Contains("7 entities") && Contains("75.0%  Position") && Contains("Position, Frozen"));
}

TEST_CASE("[C4][K4] a shared component with a different value for each entity gives a warning") {
    World world(tiny_chunks(64));
    declare_test_components(world);
    declare_kind_components(world);
    for (int i = 0; i < 40; ++i) world.spawn(Position{}, Layer{i % 2});
    CHECK(chunk_usage(world).warnings.empty());
    for (int i = 0; i < 40; ++i) world.spawn(Position{}, Layer{i});
    const ChunkUsage usage = chunk_usage(world);
    REQUIRE(usage.warnings.size() == 1);
    CHECK(usage.warnings[0] ==
          "shared component 'Layer' has 40 different values for 80 rows, so they are in 40 chunks where 2 "
          "would do; a plain component or fewer values would waste less");
    CHECK_THAT(text_of(usage), Contains("shared Layer: 40 values, 80 rows in 40 chunks, 2 without it"));
    CHECK_THAT(text_of(usage), Contains("warning: shared component 'Layer'"));
}

TEST_CASE("[C4] the usage names the presentation data") {
    World world(tiny_chunks(4));
    declare_test_components(world);
    CHECK_THAT(text_of(chunk_usage(world)), !Contains("presentation"));
    for (const char* name : {"Glow", "Camera"}) {
        Schema schema = world.registry().info(world.id<Position>()).schema;
        schema.name = name;
        schema.presentation = true;
        world.declare(schema).value();
    }
    CHECK_THAT(text_of(chunk_usage(world)),
               Contains("presentation data, in no hash and no saved world: Camera, Glow\n"));
}

}  // namespace
}  // namespace perigee
