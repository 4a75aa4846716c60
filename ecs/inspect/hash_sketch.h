// A sketch of many hashed values: 1.5 KB that, compared with the sketch of nearly the same values, identify
// the values that differ.
//
// Invariant: a sketch is a sum over its values, so it does not depend on their order, and sketches can be
// added and subtracted. Each value belongs to one cell, chosen by its key alone: each level takes one value
// in 8^level, so however many values differ, some level contains few of them, and a cell with exactly one
// reveals its key:
//
//   cell = { sum of h, sum of h * index, sum of h * rest }      key = (entity index, rest of the key)
//   cell of one sketch - same cell of the other = { d, d * index, d * rest } when one value differs
//
// It knows hashes and keys, not worlds: that is world_sketch.h.
// Source: sampling by levels with a one-sparse test, as in Cormode and Firmani, "A unifying framework for
// l0-sampling algorithms" (2014), here with sums modulo 2^64.
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

class HashSketch {
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

    HashSketch& operator+=(const HashSketch& other) noexcept;
    HashSketch& operator-=(const HashSketch& other) noexcept;
    friend bool operator==(const HashSketch&, const HashSketch&) = default;

    const std::array<Cell, kCellCount>& cells() const noexcept { return cells_; }
    std::array<Cell, kCellCount>& cells() noexcept { return cells_; }

private:
    std::array<Cell, kCellCount> cells_{};
};

struct SketchedValue {
    ValueKey key;
    std::uint64_t hash = 0;  ///< in a difference: left hash minus right hash
    friend bool operator==(const SketchedValue&, const SketchedValue&) = default;
};

/// The values that are alone in their cell, by key. For the difference of two sketches: some of the values
/// that differ, nearly always at least one, however many there are. Reports a value that does not differ only
/// with a probability of 1 in 2^40.
std::vector<SketchedValue> lone_values(const HashSketch& sketch);

}  // namespace perigee
