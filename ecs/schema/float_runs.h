// Finds the floats of a row and makes rows of foreign bytes canonical (canonical.h).
//
// Invariant: a run is as long as possible, so a row of nothing but floats of one width is one run and a
// column of such rows is one array. Only NaNs are ever changed. Not here: deciding which rows need it
// (canonical_columns.h).
#pragma once

#include "ecs/schema/schema.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

/// Adjacent floats of one width.
struct FloatRun {
    std::uint32_t offset;  ///< bytes from the start of the row
    std::uint32_t count;
    bool is_wide;  ///< f64, else f32

    std::uint32_t bytes() const noexcept { return count * (is_wide ? 8 : 4); }
    bool operator==(const FloatRun&) const = default;
};

/// The float runs of a row, in row order.
std::vector<FloatRun> float_runs(std::span<const Leaf> leaves);

/// Makes every float in `row_count` rows canonical. Rows are `row_bytes` apart, a multiple of the alignment
/// of their floats. Returns the number changed. Cost: one pass at memory speed, and a second check of rows
/// with a NaN or an infinity.
std::size_t make_canonical(std::span<const FloatRun> runs, std::byte* rows, std::uint32_t row_bytes,
                           std::size_t row_count) noexcept;

}  // namespace perigee
