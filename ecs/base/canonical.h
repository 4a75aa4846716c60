// Bits that are safe to show to a script as a number.
//
// LuaJIT keeps the type and the address of a value in the payload of a NaN, so a float with foreign bits can
// be a forged table at any address. A float is canonical when it is not a NaN, or is a NaN with an empty
// payload, of either sign, as the processor computes for 0 / 0. Arithmetic on canonical numbers gives
// canonical numbers.
//
// Everything here looks at bits and never compares floats: comparing is too late for a value of forged type.
#pragma once

#include <bit>
#include <cstdint>

namespace perigee {

constexpr bool is_canonical(float number) noexcept {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(number) & 0x7FFFFFFF;
    return bits <= 0x7F800000 || bits == 0x7FC00000;
}
constexpr bool is_canonical(double number) noexcept {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(number) & 0x7FFFFFFFFFFFFFFF;
    return bits <= 0x7FF0000000000000 || bits == 0x7FF8000000000000;
}

/// The number itself, or the positive quiet NaN with an empty payload.
constexpr float canonical(float number) noexcept {
    return is_canonical(number) ? number : std::bit_cast<float>(std::uint32_t{0x7FC00000});
}
constexpr double canonical(double number) noexcept {
    return is_canonical(number) ? number : std::bit_cast<double>(std::uint64_t{0x7FF8000000000000});
}

}  // namespace perigee
