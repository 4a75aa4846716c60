// A plan copies exactly its columns, for any sizes and any order of adding.
#include "ecs/archetype/internal/copy_plan.h"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

namespace perigee::internal {
namespace {

TEST_CASE("copying a row copies each column and touches nothing else") {
    std::mt19937 random(9);
    for (int round = 0; round < 300; ++round) {
        CopyPlan plan;
        std::vector<CopyPlan::Op> ops;
        constexpr std::uint32_t kRows = 4;
        std::uint32_t source_end = 0, target_end = 0;
        for (std::size_t i = 0, count = random() % 9; i < count; ++i) {
            const std::uint32_t size = (random() & 1) != 0 ? 4 * (1 + random() % 5) : 1 + random() % 40;
            const std::uint32_t gap = random() % 3;
            ops.push_back({source_end + gap, target_end, size});
            plan.add(ops.back());
            source_end += gap + size * kRows;
            target_end += size * kRows + gap;
        }
        std::vector<std::byte> source(source_end + 1), target(target_end + 1, std::byte{0xEE});
        for (std::byte& byte : source) byte = static_cast<std::byte>(random() % 200);
        const std::uint32_t from = random() % kRows, to = random() % kRows;
        std::vector<std::byte> expected = target;
        for (const CopyPlan::Op& op : ops) {
            for (std::uint32_t byte = 0; byte < op.size; ++byte) {
                expected[op.target_offset + to * op.size + byte] =
                    source[op.source_offset + from * op.size + byte];
            }
        }
        plan.copy_row(source.data(), from, target.data(), to);
        REQUIRE(target == expected);
        REQUIRE(plan.ops().size() == ops.size());
    }
}

}  // namespace
}  // namespace perigee::internal
