// Sorts many rows by a 64-bit number, in linear time.
//
// Invariant: stable. Bytes in which all keys agree are only checked once, so small numbers sort in few
// passes. Source: least significant digit radix sort.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace perigee::internal {

/// Sorts `rows` by key(row), ascending. `spare` is scratch memory; its contents are overwritten.
template <typename Row, typename Key>
void radix_sort(std::vector<Row>& rows, std::vector<Row>& spare, Key key) {
    if (std::is_sorted(rows.begin(), rows.end(),
                       [&](const Row& a, const Row& b) { return key(a) < key(b); })) {
        return;
    }
    std::uint64_t differing = 0;
    for (const Row& row : rows) differing |= key(row) ^ key(rows.front());
    spare.resize(rows.size());
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differing >> shift & 0xFF) == 0) continue;
        std::array<std::size_t, 256> starts{};
        for (const Row& row : rows) ++starts[key(row) >> shift & 0xFF];
        std::size_t start = 0;
        for (std::size_t& entry : starts) {
            const std::size_t count = entry;
            entry = start;
            start += count;
        }
        for (const Row& row : rows) spare[starts[key(row) >> shift & 0xFF]++] = row;
        rows.swap(spare);
    }
}

}  // namespace perigee::internal
