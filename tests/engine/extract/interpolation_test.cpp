// Interpolation only between positions that an entity really had.
#include "engine/extract/interpolation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace perigee;

TEST_CASE("positions are interpolated between the previous and the current one, exactly at both ends") {
    std::mt19937 random{1};
    PreviousPositions previous;
    previous.reserve(100);
    for (int i = 0; i < 2000; ++i) {
        const Entity entity = entity_from_parts(static_cast<std::uint32_t>(random() % 100), 1 + random() % 3);
        const auto any = [&](float around) {
            return around + static_cast<float>(random() % 2000) / 10.0F - 100.0F;
        };
        const float x0 = any(0), y0 = any(500);
        const float x1 = x0 + any(0) / 2, y1 = y0 + any(0) / 2;
        previous.remember(entity, x0, y0);
        CHECK(previous.between(entity, x1, y1, 1.0F).x == x1);
        CHECK(previous.between(entity, x1, y1, 1.0F).y == y1);
        CHECK(previous.between(entity, x1, y1, 0.0F).x == Approx(x0).margin(1e-3));
        CHECK(previous.between(entity, x1, y1, 0.5F).y == Approx((y0 + y1) / 2).margin(1e-3));
    }
}

TEST_CASE("a new entity in a reused slot does not start at the old one's position") {
    PreviousPositions previous;
    previous.reserve(8);
    previous.remember(entity_from_parts(7, 1), 0, 0);
    CHECK(previous.between(entity_from_parts(7, 2), 50, 50, 0.5F).x == 50);
    CHECK(previous.between(entity_from_parts(6, 1), 50, 50, 0.5F).x == 50);
    CHECK(previous.between(entity_from_parts(1'000'000, 1), 50, 50, 0.5F).x == 50);
}

TEST_CASE("a teleport is not interpolated") {
    PreviousPositions previous;
    previous.reserve(1);
    const Entity entity = entity_from_parts(0, 1);
    previous.remember(entity, 0, 0);
    CHECK(previous.between(entity, 127, -127, 0.5F).x == 63.5F);
    CHECK(previous.between(entity, 128, 0, 0.5F).x == 128);
    CHECK(previous.between(entity, 0, -1000, 0.5F).y == -1000);
}

TEST_CASE("positions of whole chunks are those of their entities, whichever rows come and go") {
    using Point = PreviousPositions::Point;
    std::mt19937 random{7};
    PreviousPositions previous;
    std::vector<std::vector<Entity>> chunks(4);
    std::vector<bool> are_same(4, false);
    std::unordered_map<Entity, Point> model;
    std::vector<std::uint32_t> generations(200, 0);
    std::size_t whole = 0;
    for (int step = 0; step < 2000; ++step) {
        // Rows appear, move to another chunk, and disappear.
        if (random() % 3 == 0) {
            const std::size_t from = random() % 4, to = random() % 4;
            if (!chunks[from].empty()) {
                const std::size_t row = random() % chunks[from].size();
                const Entity entity = std::exchange(chunks[from][row], chunks[from].back());
                chunks[from].pop_back();
                are_same[from] = false;
                if (random() % 3 != 0) {
                    chunks[to].push_back(entity);
                    are_same[to] = false;
                }
            }
            const auto index = static_cast<std::uint32_t>(random() % generations.size());
            const auto is_of_index = [index](Entity entity) { return entity.index() == index; };
            if (std::ranges::none_of(
                    chunks, [&](const auto& rows) { return std::ranges::any_of(rows, is_of_index); })) {
                chunks[to].push_back(entity_from_parts(index, ++generations[index]));
                are_same[to] = false;
            }
        }
        // Between steps the rows of before are known, wherever they are now.
        for (const auto& rows : chunks)
            for (const Entity entity : rows) {
                const auto before = model.find(entity);
                const Point expected = before == model.end() ? Point{1, 2} : before->second;
                const Point found = previous.between(entity, 1, 2, 0.0F);
                REQUIRE(found.x == expected.x);
                REQUIRE(found.y == expected.y);
            }
        model.clear();
        for (std::uint32_t chunk = 0; chunk < 4; ++chunk) {
            const std::vector<Entity>& entities = chunks[chunk];
            const std::span<Point> rows = previous.remember_rows(chunk, entities, are_same[chunk]);
            are_same[chunk] = true;
            REQUIRE((rows.empty() || rows.size() == entities.size()));
            for (std::size_t row = 0; row < entities.size(); ++row) {
                const Point at{static_cast<float>(random() % 100), static_cast<float>(random() % 100)};
                model[entities[row]] = at;
                if (rows.empty()) {
                    previous.reserve(entities[row].index() + 1);
                    previous.remember(entities[row], at.x, at.y);
                } else {
                    rows[row] = at;
                }
            }
            const std::span<const Point> kept = previous.rows(chunk, entities.size());
            CHECK(kept.size() == rows.size());
            whole += rows.empty() ? 0 : 1;
            for (std::size_t row = 0; row < kept.size(); ++row) CHECK(kept[row].x == model[entities[row]].x);
        }
    }
    CHECK(whole > 1000);
}
