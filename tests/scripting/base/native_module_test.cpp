// What C++ offers to trusted Lua: its description, and that all returned floats are canonical.
#include "scripting/base/native_module.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cstdint>

namespace perigee {
namespace {

double same(double number) noexcept { return number; }
float narrowed(void*, std::int32_t bits) noexcept { return std::bit_cast<float>(bits); }
bool is_even(std::uint32_t number) noexcept { return number % 2 == 0; }

TEST_CASE("a function is described by its C type") {
    CHECK(native_function<&same>("same").type == "double (*)(double)");
    CHECK(native_function<&narrowed>("narrowed").type == "float (*)(void *, int32_t)");
    CHECK(native_function<&is_even>("is_even").name == "is_even");
    using IsEven = bool (*)(std::uint32_t);
    const auto call = reinterpret_cast<IsEven>(native_function<&is_even>("is_even").address);
    CHECK((call(4) && !call(5)));
}

TEST_CASE("[H1] floats that C++ returns to Lua are canonical") {
    const auto wide = reinterpret_cast<double (*)(double)>(native_function<&same>("").address);
    const auto narrow =
        reinterpret_cast<float (*)(void*, std::int32_t)>(native_function<&narrowed>("").address);
    const auto bits_of = [&](std::uint64_t bits) {
        return std::bit_cast<std::uint64_t>(wide(std::bit_cast<double>(bits)));
    };
    CHECK(bits_of(0xFFFA000041414141) == 0x7FF8000000000000);
    CHECK(bits_of(0x7FF0000000000001) == 0x7FF8000000000000);
    CHECK(bits_of(0xFFF8000000000000) == 0xFFF8000000000000);
    CHECK(bits_of(0xFFF0000000000000) == 0xFFF0000000000000);
    CHECK(wide(-1.5) == -1.5);
    CHECK(std::bit_cast<std::uint32_t>(narrow(nullptr, -1)) == 0x7FC00000);
    CHECK(narrow(nullptr, 0x3F800000) == 1);
}

}  // namespace
}  // namespace perigee
