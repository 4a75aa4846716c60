// What to copy when a row goes from one place to another, sorted so that the inner loops have fixed sizes.
//
// Invariant: ops of 4, 8, 12 and 16 bytes stand in groups, in this order, and the rest behind them; within a
// group the order is that of adding. Copying a value of unknown size costs a call each; a switch per value
// costs half of that.
#pragma once

#include "ecs/internal/copy_value.h"

#include <array>
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
    void add(const Op& op) {
        const std::size_t group = group_of(op.size);
        ops_.insert(ops_.begin() + ends_[group], op);
        for (std::size_t i = group; i < ends_.size(); ++i) ++ends_[i];
    }

    const std::vector<Op>& ops() const noexcept { return ops_; }

    /// Copies row `from_row` of `source` to row `to_row` of `target`, column by column.
    void copy_row(const std::byte* source, std::uint32_t from_row, std::byte* target,
                  std::uint32_t to_row) const noexcept {
        const Op* op = ops_.data();
        const Op* const first = op;
        op = copy_group<4>(op, first + ends_[0], source, from_row, target, to_row);
        op = copy_group<8>(op, first + ends_[1], source, from_row, target, to_row);
        op = copy_group<12>(op, first + ends_[2], source, from_row, target, to_row);
        op = copy_group<16>(op, first + ends_[3], source, from_row, target, to_row);
        for (; op != first + ends_[4]; ++op) {
            std::memcpy(target + op->target_offset + std::size_t{to_row} * op->size,
                        source + op->source_offset + std::size_t{from_row} * op->size, op->size);
        }
    }

private:
    static constexpr std::size_t group_of(std::uint32_t size) noexcept {
        return size == 4 ? 0 : size == 8 ? 1 : size == 12 ? 2 : size == 16 ? 3 : 4;
    }

    template <std::size_t Size>
    static const Op* copy_group(const Op* op, const Op* end, const std::byte* source, std::size_t from_row,
                                std::byte* target, std::size_t to_row) noexcept {
        for (; op != end; ++op) {
            std::memcpy(target + op->target_offset + to_row * Size,
                        source + op->source_offset + from_row * Size, Size);
        }
        return op;
    }

    std::vector<Op> ops_;
    std::array<std::uint32_t, 5> ends_{};
};

}  // namespace perigee::internal
