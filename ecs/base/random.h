// Seeded random streams for simulation code.
//
// Invariant: the sequence depends on the seed alone, on every machine and build; no global state. Not for
// secrets: the sequence can be predicted.
// Source: xoshiro256** by Blackman and Vigna, seeded through splitmix64 (https://prng.di.unimi.it/).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

/// The seed of a named stream: systems with different names draw from independent streams of one game seed.
std::uint64_t stream_seed(std::uint64_t game_seed, std::string_view stream_name) noexcept;

class Random {
public:
    explicit Random(std::uint64_t seed = 0) noexcept;

    std::uint64_t next() noexcept;  ///< all 64 bits are random

    /// Uniform in [0, 1), 53 bits.
    double unit() noexcept;

    /// Uniform in [low, high). Expects: low <= high.
    double range(double low, double high) noexcept;

    /// Uniform integer in low .. high, both included, without modulo bias. Expects: low <= high.
    std::int64_t integer(std::int64_t low, std::int64_t high) noexcept;

    std::array<std::uint64_t, 4> state() const noexcept { return state_; }
    void set_state(const std::array<std::uint64_t, 4>& state) noexcept { state_ = state; }

private:
    std::array<std::uint64_t, 4> state_;
};

}  // namespace perigee
