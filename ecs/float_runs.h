// Where the floats of a row lie, and how rows of foreign bytes are made canonical (canonical.h).
//
// Invariant: a run is as long as it can be, so a row of nothing but floats of one width is one run and a
// column of such rows is one array. Only NaN are ever changed. Not here: which rows need it
// (canonical_columns.h).
#pragma once

#include "ecs/schema.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Floats of one width that lie one behind the other.
struct FloatRun {
    std::uint32_t offset;  ///< bytes from the start of the row
    std::uint32_t count;
    bool is_wide;  ///< f64, else f32

    std::uint32_t bytes() const noexcept { return count * (is_wide ? 8 : 4); }
    bool operator==(const FloatRun&) const = default;
};

/// Of the leaves of a row, in row order.
std::vector<FloatRun> float_runs(std::span<const Leaf> leaves);

/// Makes every float in `row_count` rows canonical. Rows are `row_bytes` apart, a multiple of the alignment
/// of their floats. Returns how many were changed. Cost: one pass at the speed of memory, and a second look
/// at rows with a NaN or an infinity.
std::size_t make_canonical(std::span<const FloatRun> runs, std::byte* rows, std::uint32_t row_bytes,
                           std::size_t row_count) noexcept;

}  // namespace perigee
