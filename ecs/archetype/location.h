// The location of a row, in one word. Valid until the row moves. Not here: finding it (entity_index.h).
#pragma once

#include "ecs/archetype/chunk_pool.h"

#include <cstdint>

namespace perigee {

/// The location of a row: the first unit of its chunk and the row within, packed as in an entity record. One
/// word and not two, because a pair that is stored in halves and loaded whole stalls the processor.
class Location {
public:
    constexpr Location() noexcept = default;  ///< nowhere
    constexpr Location(UnitIndex unit, std::uint32_t row) noexcept : bits_((unit << 11) | row) {}
    static constexpr Location from_bits(std::uint32_t bits) noexcept {
        Location location;
        location.bits_ = bits;
        return location;
    }

    constexpr UnitIndex unit() const noexcept { return bits_ >> 11; }
    constexpr std::uint32_t row() const noexcept { return bits_ & 0x7FFu; }
    constexpr std::uint32_t bits() const noexcept { return bits_; }
    constexpr bool is_nowhere() const noexcept { return bits_ == 0xFFFFFFFF; }
    bool operator==(const Location&) const = default;

private:
    std::uint32_t bits_ = 0xFFFFFFFF;
};

}  // namespace perigee
