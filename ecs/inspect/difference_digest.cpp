// Chooses cells, and divides modulo 2^64.
#include "ecs/inspect/difference_digest.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace perigee {

namespace {

// The first level has 16 cells, since most differences are few; the six others have 8.
constexpr std::size_t kFirstCells = 16;
constexpr std::size_t kLaterCells = 8;
constexpr unsigned kLastLevel = (DifferenceDigest::kCellCount - kFirstCells) / kLaterCells;

constexpr unsigned kRestBits = 53;  // generation 21, component 16, field 16
constexpr unsigned kMaxTwos = 64 - kRestBits;

std::uint64_t rest_of(const ValueKey& key) noexcept {
    return key.entity.generation() | std::uint64_t{key.component} << 21U | std::uint64_t{key.field} << 37U;
}

std::uint64_t scrambled(std::uint64_t bits) noexcept {  // the finisher of splitmix64
    bits = (bits ^ bits >> 30U) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27U) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31U;
}

std::size_t cell_of(const ValueKey& key) noexcept {
    const std::uint64_t place = scrambled(scrambled(key.entity.bits) + rest_of(key));
    const unsigned level = std::min(static_cast<unsigned>(std::countr_zero(place)) / 3, kLastLevel);
    const std::size_t within = place >> 48U;
    if (level == 0) return within % kFirstCells;
    return kFirstCells + (level - 1) * kLaterCells + within % kLaterCells;
}

// Inverse of an odd number, modulo 2^64. Each round doubles the number of correct bits, starting with 3.
std::uint64_t inverse(std::uint64_t odd) noexcept {
    std::uint64_t guess = odd;
    for (int round = 0; round < 5; ++round) guess *= 2 - odd * guess;
    return guess;
}

// Solves `factor * quotient == product` for the quotient, if one below 2^53 exists.
std::optional<std::uint64_t> divide(std::uint64_t product, std::uint64_t factor) noexcept {
    const auto twos = static_cast<unsigned>(std::countr_zero(factor));
    if (factor == 0 || twos > kMaxTwos) return std::nullopt;
    const std::uint64_t known = ~std::uint64_t{0} >> twos;
    const std::uint64_t quotient = ((product >> twos) * inverse(factor >> twos)) & known;
    if (quotient >> kRestBits != 0 || quotient * factor != product) return std::nullopt;
    return quotient;
}

}  // namespace

void DifferenceDigest::add(const ValueKey& key, std::uint64_t hash) noexcept {
    Cell& cell = cells_[cell_of(key)];
    cell.hash_sum += hash;
    cell.index_sum += hash * key.entity.index();
    cell.rest_sum += hash * rest_of(key);
}

DifferenceDigest& DifferenceDigest::operator+=(const DifferenceDigest& other) noexcept {
    for (std::size_t i = 0; i < kCellCount; ++i) {
        cells_[i].hash_sum += other.cells_[i].hash_sum;
        cells_[i].index_sum += other.cells_[i].index_sum;
        cells_[i].rest_sum += other.cells_[i].rest_sum;
    }
    return *this;
}

DifferenceDigest& DifferenceDigest::operator-=(const DifferenceDigest& other) noexcept {
    for (std::size_t i = 0; i < kCellCount; ++i) {
        cells_[i].hash_sum -= other.cells_[i].hash_sum;
        cells_[i].index_sum -= other.cells_[i].index_sum;
        cells_[i].rest_sum -= other.cells_[i].rest_sum;
    }
    return *this;
}

std::vector<DigestedValue> lone_values(const DifferenceDigest& digest) {
    std::vector<DigestedValue> found;
    for (std::size_t i = 0; i < DifferenceDigest::kCellCount; ++i) {
        const DifferenceDigest::Cell& cell = digest.cells()[i];
        const std::optional<std::uint64_t> index = divide(cell.index_sum, cell.hash_sum);
        const std::optional<std::uint64_t> rest = divide(cell.rest_sum, cell.hash_sum);
        if (!index || !rest || *index >> 32U != 0) continue;
        ValueKey key;
        key.entity = entity_from_parts(static_cast<std::uint32_t>(*index),
                                       static_cast<std::uint32_t>(*rest & Entity::kMaxGeneration));
        key.component = static_cast<std::uint16_t>(*rest >> 21U);
        key.field = static_cast<std::uint16_t>(*rest >> 37U);
        // A sum of several values would also have to belong to this cell.
        if (cell_of(key) == i) found.push_back({key, cell.hash_sum});
    }
    std::ranges::sort(found, {}, &DigestedValue::key);
    return found;
}

}  // namespace perigee
