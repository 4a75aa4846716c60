// Layouts of random archetypes follow the drawing in chunk_layout.h.
#include "ecs/archetype/chunk_layout.h"

#include "ecs/base/entity.h"

#include <catch2/catch.hpp>

#include <random>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

std::vector<ColumnRequest> requests(std::initializer_list<std::uint32_t> sizes) {
    std::vector<ColumnRequest> columns;
    std::uint16_t id = 0;
    for (const std::uint32_t size : sizes) columns.push_back(ColumnRequest{ComponentId{id++}, size});
    return columns;
}

TEST_CASE("[S2][S3] columns are aligned to 64 bytes, do not overlap and fit into the chunk") {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        ChunkShape shape;
        shape.unit_bytes = 1024u << (random() % 5);
        shape.max_rows = (random() % 4 == 0) ? 2 + random() % 20 : kMaxChunkRows;
        std::vector<ColumnRequest> columns;
        const std::size_t count = random() % 12;
        for (std::size_t i = 0; i < count; ++i) {
            columns.push_back(
                {ComponentId{static_cast<std::uint16_t>(i)}, 1 + static_cast<std::uint32_t>(random() % 40)});
        }
        const Result<ChunkLayout> result = layout_chunk(columns, shape);
        if (!result) continue;
        const ChunkLayout& layout = result.value();
        REQUIRE(layout.columns.size() == count + 1);
        REQUIRE(layout.columns[0].offset == 0);
        REQUIRE(layout.columns[0].size == sizeof(Entity));
        REQUIRE(layout.capacity >= 1);
        REQUIRE(layout.capacity <= shape.max_rows);
        std::uint32_t end = 0;
        for (const Column& column : layout.columns) {
            REQUIRE(column.offset % kCacheLine == 0);
            REQUIRE(column.offset >= end);
            end = column.offset + column.size * layout.capacity;
            end = (end + kCacheLine - 1) / kCacheLine * kCacheLine;  // the pad belongs to the column
        }
        REQUIRE(end <= shape.unit_bytes * layout.unit_count);
        if (shape.max_rows == kMaxChunkRows && layout.capacity >= 64) REQUIRE(layout.capacity % 64 == 0);
        if (shape.max_rows == kMaxChunkRows && layout.capacity >= 16) REQUIRE(layout.capacity % 16 == 0);
    }
}

TEST_CASE("narrow rows take one unit, wide rows up to four") {
    const ChunkShape shape;
    CHECK(layout_chunk({}, shape).value().capacity == kMaxChunkRows);
    CHECK(layout_chunk(requests({8}), shape).value().unit_count == 1);
    CHECK(layout_chunk(requests({8, 8}), shape).value().capacity == 1344);
    CHECK(layout_chunk(requests({8, 8, 8, 8, 8, 8, 8}), shape).value().unit_count == 4);
    CHECK(layout_chunk(requests({8, 8, 8, 8, 8, 8, 8}), shape).value().capacity == 1024);
    CHECK(layout_chunk(requests({256}), shape).value().unit_count == 4);
}

TEST_CASE("max_rows allows chunks of two rows for tests") {
    ChunkShape shape;
    shape.max_rows = 2;
    CHECK(layout_chunk(requests({4, 4}), shape).value().capacity == 2);
}

TEST_CASE("a row that does not fit into the largest chunk is an error that names its size") {
    const Result<ChunkLayout> layout =
        layout_chunk(requests({8000, 8000, 8000, 8000, 8000, 8000, 8000, 8000, 8000}), ChunkShape{});
    REQUIRE_FALSE(layout.ok());
    CHECK_THAT(layout.error().message, Contains("72008") && Contains("65536"));
}

}  // namespace
}  // namespace perigee
