// What to copy when a row moves: one op per column.
//
// Invariant: ops are in the order added. Copying a value of unknown size costs a call, so the common sizes
// are plain moves after a comparison (copy_value), which branches the same way each time within a plan.
// Alternative tried: ops grouped by size with a loop per group; it costs more than it saves for rows of a few
// columns.
#pragma once

#include "ecs/base/internal/copy_value.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee::internal {

class CopyPlan {
public:
    struct Op {
        std::uint32_t source_offset;
        std::uint32_t target_offset;
        std::uint32_t size;
    };

    /// Adds one column. Expects: size > 0.
    void add(const Op& op) { ops_.push_back(op); }

    const std::vector<Op>& ops() const noexcept { return ops_; }

    /// Copies row `from_row` of `source` to row `to_row` of `target`, column by column.
    void copy_row(const std::byte* source, std::size_t from_row, std::byte* target,
                  std::size_t to_row) const noexcept {
        for (const Op& op : ops_) {
            copy_value(target + op.target_offset + to_row * op.size,
                       source + op.source_offset + from_row * op.size, op.size);
        }
    }

    /// Copies `count` consecutive rows.
    void copy_rows(const std::byte* source, std::size_t from_row, std::byte* target, std::size_t to_row,
                   std::size_t count) const noexcept {
        for (const Op& op : ops_) {
            std::memcpy(target + op.target_offset + to_row * op.size,
                        source + op.source_offset + from_row * op.size, count * op.size);
        }
    }
    /// Copies one row `count` times, to consecutive rows.
    void repeat_row(const std::byte* source, std::size_t from_row, std::byte* target, std::size_t to_row,
                    std::uint32_t count) const noexcept {
        for (const Op& op : ops_) {
            fill_values(target + op.target_offset + to_row * op.size,
                        source + op.source_offset + from_row * op.size, op.size, count);
        }
    }
    /// Writes the packed values of `image` into `count` rows each.
    void fill_rows(const std::byte* image, std::byte* target, std::size_t to_row,
                   std::uint32_t count) const noexcept {
        for (const Op& op : ops_) {
            fill_values(target + op.target_offset + to_row * op.size, image + op.source_offset, op.size,
                        count);
        }
    }

private:
    std::vector<Op> ops_;
};

}  // namespace perigee::internal
