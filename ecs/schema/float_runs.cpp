// Checks many floats at once for an exponent of all ones, which is rare, and only then checks each.
#include "ecs/schema/float_runs.h"

#include "ecs/base/canonical.h"

#include <atomic>
#include <bit>
#include <cstring>

namespace perigee {

namespace {

// A sum of this and the bits without the sign reaches the highest bit when the exponent is all ones: NaN, and
// infinities. Compiles to a few vector instructions.
constexpr std::uint32_t highest_exponent(std::uint32_t bits) noexcept {
    return (bits & 0x7FFFFFFF) + 0x00800000;
}
constexpr std::uint64_t highest_exponent(std::uint64_t bits) noexcept {
    return (bits & 0x7FFFFFFFFFFFFFFF) + 0x0010000000000000;
}

template <typename Bits> Bits bits_at(const std::byte* from) noexcept {
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
}

// Checks adjacent floats.
template <typename Bits> bool has_high_exponent(const std::byte* from, std::size_t count) noexcept {
    Bits any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= highest_exponent(bits_at<Bits>(from + i * sizeof(Bits)));
    return any >> (8 * sizeof(Bits) - 1) != 0;
}

// Checks one float of each row.
template <typename Bits>
bool has_high_exponent(const std::byte* from, std::size_t row_bytes, std::size_t rows) noexcept {
    Bits any = 0;
    for (std::size_t row = 0; row < rows; ++row)
        any |= highest_exponent(bits_at<Bits>(from + row * row_bytes));
    return any >> (8 * sizeof(Bits) - 1) != 0;
}

// Stores atomically: parallel systems may be reading the rows, and read a NaN either way.
template <typename Float, typename Bits>
std::size_t repair(std::byte* from, std::size_t row_bytes, std::size_t rows) noexcept {
    std::size_t changed = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        std::byte* const at = from + row * row_bytes;
        const Float number = std::bit_cast<Float>(bits_at<Bits>(at));
        if (is_canonical(number)) continue;
        std::atomic_ref(*reinterpret_cast<Bits*>(at))
            .store(std::bit_cast<Bits>(canonical(number)), std::memory_order_relaxed);
        ++changed;
    }
    return changed;
}

template <typename Float, typename Bits>
std::size_t make_canonical(const FloatRun& run, std::byte* rows, std::size_t row_bytes,
                           std::size_t row_count) noexcept {
    if (run.bytes() == row_bytes) {
        const std::size_t count = run.count * row_count;
        return has_high_exponent<Bits>(rows, count) ? repair<Float, Bits>(rows, sizeof(Bits), count) : 0;
    }
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < run.count; ++i) {
        std::byte* const from = rows + run.offset + i * sizeof(Bits);
        if (has_high_exponent<Bits>(from, row_bytes, row_count))
            changed += repair<Float, Bits>(from, row_bytes, row_count);
    }
    return changed;
}

}  // namespace

std::vector<FloatRun> float_runs(std::span<const Leaf> leaves) {
    std::vector<FloatRun> runs;
    for (const Leaf& leaf : leaves) {
        if (leaf.type != FieldType::f32 && leaf.type != FieldType::f64) continue;
        const bool is_wide = leaf.type == FieldType::f64;
        const bool goes_on = !runs.empty() && runs.back().is_wide == is_wide &&
                             runs.back().offset + runs.back().bytes() == leaf.offset;
        if (goes_on) {
            ++runs.back().count;
        } else {
            runs.push_back({leaf.offset, 1, is_wide});
        }
    }
    return runs;
}

std::size_t make_canonical(std::span<const FloatRun> runs, std::byte* rows, std::uint32_t row_bytes,
                           std::size_t row_count) noexcept {
    std::size_t changed = 0;
    for (const FloatRun& run : runs) {
        changed += run.is_wide ? make_canonical<double, std::uint64_t>(run, rows, row_bytes, row_count)
                               : make_canonical<float, std::uint32_t>(run, rows, row_bytes, row_count);
    }
    return changed;
}

}  // namespace perigee
