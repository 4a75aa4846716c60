// Copies one component value of a size known only at run time.
//
// Common sizes become plain moves; an unknown size in the inner loop would cost a call to memcpy per value.
// Expects, everywhere: source and target do not overlap. Not here: cells that own memory (row_cells.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace perigee::internal {

inline void copy_value(std::byte* __restrict target, const std::byte* __restrict source,
                       std::uint32_t size) noexcept {
    if (size == 8) {
        std::memcpy(target, source, 8);
    } else if (size == 4) {
        std::memcpy(target, source, 4);
    } else if (size == 16) {
        std::memcpy(target, source, 16);
    } else if (size == 12) {
        std::memcpy(target, source, 12);
    } else {
        std::memcpy(target, source, size);
    }
}

/// Writes `count` copies of one value, starting at `target`.
inline void fill_values(std::byte* target, const std::byte* value, std::uint32_t size,
                        std::uint32_t count) noexcept {
    if (count == 0) return;
    std::memcpy(target, value, size);
    const std::size_t bytes = std::size_t{size} * count;
    for (std::size_t done = size; done < bytes;) {
        const std::size_t step = done < bytes - done ? done : bytes - done;
        std::memcpy(target + done, target, step);
        done += step;
    }
}

}  // namespace perigee::internal
