// The radix sort compared with the sort of the standard library.
#include "engine/draw/internal/draw_sort.h"

#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace perigee;

TEST_CASE("the radix sort agrees with a stable sort for any size and any spread of keys") {
    std::mt19937_64 random{9};
    RawVector<DrawList::Entry> scratch;
    for (const std::size_t count : {0, 1, 2, 63, 64, 65, 500, 3000}) {
        for (int spread = 0; spread <= 64; spread += 8) {
            RawVector<DrawList::Entry> entries(count);
            const std::uint64_t mask = spread == 64 ? ~0ULL : (1ULL << spread) - 1;
            for (std::size_t i = 0; i < count; ++i)
                entries[i] = {random() & mask, static_cast<std::uint32_t>(random() & mask & 0xFFFF00FFU),
                              static_cast<std::uint32_t>(i)};
            RawVector<DrawList::Entry> expected = entries;
            std::ranges::stable_sort(expected, [](const auto& a, const auto& b) {
                return std::pair{a.key, a.tie} < std::pair{b.key, b.tie};
            });
            const auto same = [&] {
                return std::ranges::equal(entries, expected, {}, &DrawList::Entry::item,
                                          &DrawList::Entry::item);
            };
            const bool was_sorted = same();
            scratch.reserve(count);
            bool has_changed = false;
            {
                const RefusedMemory counting{RefusedMemory::kNever};
                has_changed = sort_draw_entries(entries, scratch);
            }
            CHECK(RefusedMemory::requests() == 0);
            CHECK(has_changed == !was_sorted);
            REQUIRE(same());
        }
    }
}
