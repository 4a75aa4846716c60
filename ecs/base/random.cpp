// xoshiro256**, and seeds from names.
#include "ecs/base/random.h"

#include "ecs/base/contract.h"

#include <bit>

namespace perigee {

namespace {

// One step of splitmix64: spreads a seed with few set bits over a whole state.
std::uint64_t split_mix(std::uint64_t& state) noexcept {
    state += 0x9E3779B97F4A7C15ull;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
    return mixed ^ (mixed >> 31);
}

}  // namespace

std::uint64_t stream_seed(std::uint64_t game_seed, std::string_view stream_name) noexcept {
    std::uint64_t state = game_seed;
    std::uint64_t seed = split_mix(state);
    for (const char letter : stream_name) {
        state = seed ^ static_cast<unsigned char>(letter);
        seed = split_mix(state);
    }
    return seed;
}

Random::Random(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : state_) word = split_mix(seed);
}

std::uint64_t Random::next() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

double Random::unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Random::range(double low, double high) noexcept {
    ECS_EXPECTS(low <= high, low, high);
    const double value = low + (high - low) * unit();
    return value < high ? value : low;  // rounding may give `high`
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) noexcept {
    ECS_EXPECTS(low <= high, low, high);
    const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (count == 0) return static_cast<std::int64_t>(next());  // the whole range
    // Values past the last whole multiple of count are drawn again: no modulo bias.
    const std::uint64_t excess = (0 - count) % count;
    std::uint64_t drawn = next();
    while (drawn < excess) drawn = next();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + drawn % count);
}

}  // namespace perigee
