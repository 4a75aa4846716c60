// A digest of many hashed values in 1.5 KB. The difference of two digests identifies values that differ.
//
// Invariant: a digest is a sum over its values, so it does not depend on their order, and digests can be
// added and subtracted. Each value belongs to one cell, chosen by its key alone: each level takes one value
// in 8^level, so however many values differ, some level contains few of them, and a cell with exactly one
// reveals its key:
//
//   cell = { sum of h, sum of h * index, sum of h * rest }      key = (entity index, rest of the key)
//   cell of one digest - same cell of the other = { d, d * index, d * rest } when one value differs
//
// It knows hashes and keys, not worlds: that is world_digest.h.
// Source: the name from Eppstein et al., "What's the difference? Efficient set reconciliation without prior
// context" (2011); sampling by levels with a one-sparse test, as in Cormode and Firmani, "A unifying
// framework for l0-sampling algorithms" (2014), here with sums modulo 2^64.
#pragma once

#include "ecs/base/entity.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

/// Identifies a value of a world: a field of a component of an entity. The caller chooses the numbers.
struct ValueKey {
    std::uint16_t component = 0;
    Entity entity;
    std::uint16_t field = 0;

    constexpr auto operator<=>(const ValueKey&) const noexcept = default;
};

class DifferenceDigest {
public:
    struct Cell {
        std::uint64_t hash_sum = 0;
        std::uint64_t index_sum = 0;
        std::uint64_t rest_sum = 0;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    static constexpr std::size_t kCellCount = 64;

    /// Cost: 3 ns.
    void add(const ValueKey& key, std::uint64_t hash) noexcept;

    DifferenceDigest& operator+=(const DifferenceDigest& other) noexcept;
    DifferenceDigest& operator-=(const DifferenceDigest& other) noexcept;
    friend bool operator==(const DifferenceDigest&, const DifferenceDigest&) = default;

    const std::array<Cell, kCellCount>& cells() const noexcept { return cells_; }
    std::array<Cell, kCellCount>& cells() noexcept { return cells_; }

private:
    std::array<Cell, kCellCount> cells_{};
};

struct DigestedValue {
    ValueKey key;
    std::uint64_t hash = 0;  ///< in a difference: left hash minus right hash
    friend bool operator==(const DigestedValue&, const DigestedValue&) = default;
};

/// The values that are alone in their cell, by key. For the difference of two digests: some of the values
/// that differ, nearly always at least one, however many there are. Reports a value that does not differ only
/// with a probability of 1 in 2^40.
std::vector<DigestedValue> lone_values(const DifferenceDigest& digest);

}  // namespace perigee
