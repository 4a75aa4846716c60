// A uniform grid over discs: finds the discs near a point.
//
// Invariant: after finish() the discs are sorted by cell, row by row, and within a cell in the order in which
// they were added, so every visit has one order. Rebuilt in each step by a counting sort, O(discs + cells),
// without allocation once it has reached its largest size. It stores copies, never pointers into chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee::swarm {

struct Disc {
    float x, y;
    float radius;
    std::uint32_t index;  ///< order of add()
};

class Grid {
public:
    static constexpr std::uint32_t kMaxCells = 512;  ///< in each direction

    /// Removes all discs. Discs outside the box count for its outermost cells. Cells become larger if the box
    /// would need more than kMaxCells in a row.
    /// Expects: a finite box that is not empty, cell_size > 0.
    void begin(float left, float top, float right, float bottom, float cell_size);
    void add(float x, float y, float radius);
    void finish();

    std::size_t size() const noexcept { return added_.size(); }
    float largest_radius() const noexcept { return largest_radius_; }

    /// Calls fn(span of Disc) for each row of cells that the square around x, y touches. The spans contain
    /// all discs whose centre is in the square, and possibly others.
    /// Cost: a few nanoseconds per row plus what fn does.
    template <typename Function> void visit_rows(float x, float y, float reach, Function&& fn) const {
        const std::uint32_t first_column = column_of(x - reach);
        const std::uint32_t last_column = column_of(x + reach);
        const std::uint32_t last_row = row_of(y + reach);
        for (std::uint32_t row = row_of(y - reach); row <= last_row; ++row) {
            const std::uint32_t begin = cell_begin_[row * columns_ + first_column];
            const std::uint32_t end = cell_begin_[row * columns_ + last_column + 1];
            if (begin != end) fn(std::span<const Disc>(sorted_.data() + begin, end - begin));
        }
    }

private:
    static std::uint32_t clamped(float cells, std::uint32_t count) noexcept {
        if (!(cells > 0.0F)) return 0;  // also NaN
        const float last = static_cast<float>(count - 1);
        return static_cast<std::uint32_t>(cells < last ? cells : last);
    }
    std::uint32_t column_of(float x) const noexcept { return clamped((x - left_) * per_cell_, columns_); }
    std::uint32_t row_of(float y) const noexcept { return clamped((y - top_) * per_cell_, rows_); }

    float left_ = 0, top_ = 0;
    float per_cell_ = 1;  ///< 1 / cell size
    std::uint32_t columns_ = 1, rows_ = 1;
    float largest_radius_ = 0;
    std::vector<Disc> added_;
    std::vector<std::uint32_t> cell_of_;     ///< by index
    std::vector<std::uint32_t> cell_begin_;  ///< by cell, one more at the end
    std::vector<Disc> sorted_;
};

}  // namespace perigee::swarm
