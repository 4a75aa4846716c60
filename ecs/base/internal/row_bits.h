// Reads and writes the enabled bits of a chunk: one bit per row in 64-bit words, lowest bit first. It does
// not check the row.
#pragma once

#include <cstdint>

namespace perigee::internal {

inline bool row_bit(const std::uint64_t* words, std::uint32_t row) noexcept {
    return ((words[row / 64] >> (row % 64)) & 1) != 0;
}

inline void set_row_bit(std::uint64_t* words, std::uint32_t row, bool is_set) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    words[row / 64] = is_set ? words[row / 64] | bit : words[row / 64] & ~bit;
}

}  // namespace perigee::internal
