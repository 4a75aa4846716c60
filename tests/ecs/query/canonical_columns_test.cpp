// When columns are checked: every kind of write by other code makes a column checked again.
#include "ecs/query/canonical_columns.h"

#include "ecs/commands/command_buffer.h"
#include "ecs/parallel/parallel_query.h"
#include "ecs/parallel/worker_pool.h"
#include "ecs/query/query.h"
#include "ecs/schedule/lookup.h"
#include "ecs/world/bulk.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

namespace perigee {
namespace {

const float kForged = std::bit_cast<float>(std::uint32_t{0xFFFFA123});

std::uint32_t bits_of(const float& number) { return std::bit_cast<std::uint32_t>(number); }

struct Columns {
    Columns() : world(tiny_chunks(4)) {
        declare_test_components(world);
        for (int i = 0; i < 10; ++i) entities.push_back(world.spawn(Position{1, 2}, Velocity{3, 4}));
        query = world.query({{{world.id<Position>(), Access::read}}, {}, {}}).value();
        look();
    }
    // Does what a script's system does before it runs, then lets other systems run.
    void look() {
        make_canonical(*query, world.registry(), turn);
        world.advance_change_version();
    }
    std::size_t forged() const {
        std::size_t count = 0;
        for (const QueryMatch& match : query->matches()) {
            for (std::uint32_t chunk = 0; chunk < match.archetype->chunk_count(); ++chunk) {
                const ChunkSlot& slot = match.archetype->chunks()[chunk];
                const auto* rows = reinterpret_cast<const Position*>(slot.data + match.terms[0].offset);
                for (std::uint32_t row = 0; row < slot.row_count; ++row)
                    count += bits_of(rows[row].x) == bits_of(kForged) ? 1 : 0;
            }
        }
        return count;
    }

    World world;
    std::vector<Entity> entities;
    Query* query = nullptr;
    std::mutex turn;
};

TEST_CASE("every kind of write to a column makes it checked again") {
    const Position forged{kForged, 5};
    const std::vector<std::function<void(Columns&, int)>> ways = {
        [&](Columns& c, int i) { c.world.set(c.entities[i], forged); },
        [&](Columns& c, int i) { *c.world.edit<Position>(c.entities[i]) = forged; },
        [&](Columns& c, int i) { Lookup<Position>(c.world)[c.entities[i]] = forged; },
        [&](Columns& c, int) { c.world.query<Position>().each([&](Position& p) { p = forged; }); },
        [&](Columns& c, int) {
            WorkerPool pool(2);
            c.world.query<Position>().each_parallel(pool, [&](Position& p) { p = forged; });
        },
        [&](Columns& c, int) { c.world.spawn(forged, Velocity{}); },
        [&](Columns& c, int) { set_all(c.world, *c.query, c.world.id<Position>(), &forged); },
        [&](Columns& c, int i) {
            c.world.remove<Position>(c.entities[i]);
            c.world.add(c.entities[i], forged);
        },
        [&](Columns& c, int i) {
            CommandBuffer commands(c.world);
            commands.set(c.entities[i], c.world.id<Position>(), &forged);
            commands.play_back();
        },
        [&](Columns& c, int) {
            CommandBuffer commands(c.world);
            commands.add(commands.spawn(), c.world.id<Position>(), &forged);
            commands.play_back();
        },
        [&](Columns& c, int i) {
            c.world.set(c.entities[i], forged);
            c.world.add<Frozen>(c.entities[i]);  // moves to rows that were not checked
            c.world.destroy(c.entities[9]);
        },
        [&](Columns& c, int i) {
            c.world.set(c.entities[i], forged);
            c.world.clone(c.entities[i]);
        },
        [&](Columns& c, int i) {
            c.world.set(c.entities[9], forged);
            c.world.destroy(c.entities[i]);  // the last row takes the place of a checked one
        },
    };
    for (const auto& write : ways) {
        for (int i = 0; i < 9; ++i) {
            Columns columns;
            write(columns, i);
            CHECK(columns.forged() > 0);
            columns.look();
            CHECK(columns.forged() == 0);
        }
    }
}

TEST_CASE("a column is not checked again if nothing, or only a script, wrote it") {
    Columns columns;
    const QueryMatch& match = columns.query->matches()[0];
    const std::uint32_t slot = match.terms[0].version_slot;
    auto* const rows = reinterpret_cast<Position*>(match.archetype->chunks()[0].data + match.terms[0].offset);
    rows[0].x = kForged;  // without a word
    columns.look();
    CHECK(columns.forged() == 1);

    Query& writing = *columns.world.query({{{columns.world.id<Position>(), Access::write}}, {}, {}}).value();
    columns.world.each_chunk(writing, [](ChunkView& chunk) { chunk.mark_canonical(0); });
    CHECK(match.archetype->is_canonical(0, slot));
    columns.look();
    CHECK(columns.forged() == 1);
    columns.world.each_chunk(writing, [](ChunkView&) {});
    CHECK_FALSE(match.archetype->is_canonical(0, slot));
    columns.look();
    CHECK(columns.forged() == 0);
}

TEST_CASE("new rows are made canonical without checking the rest of their chunk") {
    Columns columns;
    const ComponentId id = columns.world.id<Position>();
    columns.world.each_chunk(*columns.query, [&](ChunkView& chunk) {
        auto* const forged =
            reinterpret_cast<Position*>(chunk.column_data(0));  // past what the query declares
        for (Position& position : std::span(forged, chunk.row_count())) position.x = kForged;
        make_rows_canonical(chunk, 1, 2, columns.world.registry(), std::span(&id, 1));
        const std::span<const Position> rows = chunk.column<const Position>(0);
        CHECK(bits_of(rows[0].x) == bits_of(kForged));
        CHECK(bits_of(rows[1].x) == 0x7FC00000);
    });
}

}  // namespace
}  // namespace perigee
