// Rows stay packed, the lowest chunk is filled first, and empty chunks are released.
#include "ecs/archetype/archetype.h"

#include "ecs/storage/shared_store.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <set>
#include <vector>

namespace perigee {
namespace {

// One archetype with a 4-byte column, two or more rows a chunk.
struct Fixture {
    explicit Fixture(std::uint32_t rows) : pool(1024, std::size_t{16} << 20) {
        ChunkShape shape;
        shape.unit_bytes = 1024;
        shape.max_rows = rows;
        const ColumnRequest column{ComponentId{0}, 4};
        ArchetypeParts parts;
        parts.components = {ComponentId{0}, ComponentId{1}};
        parts.layout = layout_chunk({&column, 1}, shape).value();
        parts.default_image.assign(4, std::byte{7});
        archetype = std::make_unique<Archetype>(5, std::move(parts), pool, units, shared);
    }
    Archetype::Row append(std::uint32_t name) {
        const Archetype::Run run = archetype->append(1, 1);
        REQUIRE(run.count == 1);
        archetype->write_image(archetype->chunks()[run.chunk], run.row, archetype->default_image());
        const ChunkSlot& slot = archetype->chunks()[run.chunk];
        Archetype::entities(slot)[run.row] = entity_from_parts(name, 1);
        return {run.chunk, run.row};
    }
    std::uint32_t name_at(std::uint32_t chunk, std::uint32_t row) const {
        return Archetype::entities(archetype->chunks()[chunk])[row].index();
    }

    ChunkPool pool;
    UnitTable units;
    SharedStore shared;
    std::unique_ptr<Archetype> archetype;
};

TEST_CASE("[S5] removal moves the last row of the same chunk into the hole") {
    Fixture fixture(4);
    for (std::uint32_t name = 0; name < 6; ++name) fixture.append(name);
    const Entity moved = fixture.archetype->remove(0, 1, 2);
    CHECK(moved.index() == 3);
    CHECK(fixture.name_at(0, 1) == 3);
    CHECK(fixture.archetype->chunks()[0].row_count == 3);
    CHECK(fixture.archetype->chunks()[1].row_count == 2);
    CHECK_FALSE(fixture.archetype->remove(0, 2, 2));
}

TEST_CASE("[S5] new rows go to the lowest-numbered chunk with room") {
    Fixture fixture(2);
    for (std::uint32_t name = 0; name < 6; ++name) fixture.append(name);
    fixture.archetype->remove(2, 0, 2);
    fixture.archetype->remove(1, 0, 2);
    const Archetype::Row row = fixture.append(100);
    CHECK(row.chunk == 1);
    CHECK(fixture.append(101).chunk == 2);
    CHECK(fixture.append(102).chunk == 3);
}

TEST_CASE("[S5] an empty chunk returns to the pool, and the last chunk takes its number") {
    Fixture fixture(2);
    for (std::uint32_t name = 0; name < 6; ++name) fixture.append(name);
    CHECK(fixture.pool.stats().units_in_use == 3);
    fixture.archetype->remove(0, 1, 2);
    fixture.archetype->remove(0, 0, 2);
    CHECK(fixture.pool.stats().units_in_use == 2);
    REQUIRE(fixture.archetype->chunk_count() == 2);
    CHECK(fixture.name_at(0, 0) == 4);
    CHECK(fixture.units.chunk_index[fixture.archetype->chunks()[0].unit] == 0);
}

TEST_CASE("an archetype that becomes empty keeps one spare chunk until it is cleared") {
    Fixture fixture(2);
    for (std::uint32_t name = 0; name < 3; ++name) fixture.append(name);
    const UnitIndex last = fixture.archetype->chunks()[0].unit;
    fixture.archetype->remove(1, 0, 2);
    fixture.archetype->remove(0, 1, 2);
    fixture.archetype->remove(0, 0, 2);
    CHECK(fixture.archetype->chunk_count() == 0);
    CHECK(fixture.archetype->has_spare());
    CHECK(fixture.pool.stats().units_in_use == 1);
    for (std::uint32_t name = 10; name < 15; ++name) fixture.append(name);
    CHECK(fixture.archetype->chunks()[0].unit == last);
    CHECK(fixture.archetype->chunk_count() == 3);
    CHECK_FALSE(fixture.archetype->has_spare());
    CHECK(fixture.name_at(0, 1) == 11);
    while (fixture.archetype->entity_count() > 0) fixture.archetype->remove(0, 0, 2);
    fixture.archetype->clear();
    CHECK_FALSE(fixture.archetype->has_spare());
    CHECK(fixture.pool.stats().units_in_use == 0);
}

TEST_CASE("[S4] new rows have the default values") {
    Fixture fixture(8);
    const Archetype::Run run = fixture.archetype->append(5, 1);
    std::memset(fixture.archetype->chunks()[0].data + fixture.archetype->layout().columns[1].offset, 0xEE,
                8 * 4);
    fixture.archetype->write_images(run.chunk, run.row, run.count, fixture.archetype->default_image());
    const std::byte* column =
        fixture.archetype->chunks()[0].data + fixture.archetype->layout().columns[1].offset;
    for (std::size_t i = 0; i < 20; ++i) CHECK(column[i] == std::byte{7});
    CHECK(column[20] == std::byte{0xEE});
}

TEST_CASE("a column is found by its component, and tags have none") {
    Fixture fixture(4);
    CHECK(fixture.archetype->column_of(ComponentId{0}) == 1);
    CHECK(fixture.archetype->column_of(ComponentId{1}) == -1);
    CHECK(fixture.archetype->has(ComponentId{1}));
    CHECK_FALSE(fixture.archetype->has(ComponentId{2}));
}

TEST_CASE("after random operations each entity is stored exactly once, in packed chunks") {
    Fixture fixture(GENERATE(2u, 3u, 16u));
    std::mt19937 random(3);
    std::set<std::uint32_t> model;
    std::uint32_t next = 0;
    for (int step = 0; step < 4000; ++step) {
        if (model.empty() || random() % 100 < (step < 2000 ? 60u : 40u)) {
            model.insert(next);
            fixture.append(next++);
        } else {
            const std::uint32_t chunk =
                static_cast<std::uint32_t>(random()) % fixture.archetype->chunk_count();
            const std::uint32_t row =
                static_cast<std::uint32_t>(random()) % fixture.archetype->chunks()[chunk].row_count;
            model.erase(fixture.name_at(chunk, row));
            fixture.archetype->remove(chunk, row, 1);
        }
        REQUIRE(fixture.archetype->entity_count() == model.size());
    }
    std::set<std::uint32_t> found;
    for (std::uint32_t chunk = 0; chunk < fixture.archetype->chunk_count(); ++chunk) {
        const ChunkSlot& slot = fixture.archetype->chunks()[chunk];
        REQUIRE(slot.row_count > 0);
        REQUIRE(slot.row_count <= fixture.archetype->capacity());
        CHECK(fixture.units.chunk_index[slot.unit] == chunk);
        for (std::uint32_t row = 0; row < slot.row_count; ++row)
            CHECK(found.insert(fixture.name_at(chunk, row)).second);
    }
    CHECK(found == model);
}

}  // namespace
}  // namespace perigee
