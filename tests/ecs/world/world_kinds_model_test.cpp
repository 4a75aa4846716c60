// A random program over every kind of component drives the world and a naive model, a map of maps, and
// everything must agree: 1,000,000 operations in all, in chunks of two rows as in chunks of normal size.
#include "ecs/world/world_config.h"
#include "tests/ecs/kinds_model.h"

#include <catch2/catch.hpp>

#include <cstdint>

namespace perigee {
namespace {

using kinds_model::KindsTwins;

TEST_CASE(
    "[S1][S4][S5][S6][S7][S8][K1][K2][K3][K4][K5][K6][K7] a million random operations over all kinds agree "
    "with a naive model") {
    struct Program {
        std::uint32_t rows;
        int operations;
    };
    for (const Program program : {Program{2, 250'000}, {7, 250'000}, {64, 250'000}, {0, 250'000}}) {
        KindsTwins twins(program.rows == 0 ? WorldConfig{} : tiny_chunks(program.rows), 7 + program.rows);
        for (int i = 1; i <= program.operations; ++i) {
            twins.step();
            if (i % 5000 == 0 || i < 300) twins.check();
        }
        CHECK(twins.world.entity_count() <= 700);
    }
}

}  // namespace
}  // namespace perigee
