// Least significant digit first, 11 bits a digit. Digits that all numbers share need no pass, so integers of
// usual size take two or three passes.
#include "scripting/lua/internal/number_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace perigee::internal {
namespace {

constexpr std::size_t kDigitBits = 11;
constexpr std::size_t kDigits = 6;  // 66 bits
constexpr std::size_t kValues = std::size_t{1} << kDigitBits;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Bits whose order as integers is that of the numbers.
std::uint64_t ordered_bits(double number) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

std::size_t digit_of(double number, std::size_t digit) noexcept {
    return static_cast<std::size_t>(ordered_bits(number) >> (digit * kDigitBits)) & (kValues - 1);
}

void sort_from_lua(void* numbers, double count, void* scratch) noexcept {
    sort_numbers(static_cast<double*>(numbers), static_cast<std::size_t>(count),
                 static_cast<double*>(scratch));
}

}  // namespace

void sort_numbers(double* numbers, std::size_t count, double* scratch) noexcept {
    if (count < 2) return;
    std::array<std::array<std::size_t, kValues>, kDigits> starts{};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t digit = 0; digit < kDigits; ++digit) ++starts[digit][digit_of(numbers[i], digit)];
    }
    double* from = numbers;
    double* to = scratch;
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
        auto& start = starts[digit];
        if (start[digit_of(from[0], digit)] == count) continue;
        std::size_t sum = 0;
        for (std::size_t& value : start) {
            const std::size_t here = value;
            value = sum;
            sum += here;
        }
        for (std::size_t i = 0; i < count; ++i) to[start[digit_of(from[i], digit)]++] = from[i];
        std::swap(from, to);
    }
    if (from != numbers) std::copy_n(from, count, numbers);
}

std::vector<NativeFunction> number_sort_functions() {
    return {native_function<&sort_from_lua>("sort_numbers")};
}

}  // namespace perigee::internal
