// The bounds of a range are values of the type, inside the declared range.
#include "ecs/schema/internal/number_range.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace perigee::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Field ranged(FieldType type, std::optional<double> minimum, std::optional<double> maximum) {
    Field field;
    field.type = type;
    field.minimum = minimum;
    field.maximum = maximum;
    return field;
}

TEST_CASE("integer types round the bounds of a range inwards") {
    const NumberRange range = declared_range(ranged(FieldType::i32, -1.5, 2.5));
    CHECK(range.low == -1);
    CHECK(range.high == 2);
    const NumberRange open = declared_range(ranged(FieldType::u8, std::nullopt, std::nullopt));
    CHECK(open.low == -kInfinity);
    CHECK(open.high == kInfinity);
}

TEST_CASE("bounds of f32 fields and vectors are rounded to f32, and those of f64 are exact") {
    for (const FieldType type : {FieldType::f32, FieldType::vec2, FieldType::vec3, FieldType::vec4}) {
        CHECK(declared_range(ranged(type, 0.1, 0.7)).low == static_cast<double>(0.1f));
        CHECK(declared_range(ranged(type, 0.1, 0.7)).high == static_cast<double>(0.7f));
    }
    CHECK(declared_range(ranged(FieldType::f64, 0.1, 0.7)).low == 0.1);
}

TEST_CASE("a range that contains no value of the type is a mistake") {
    CHECK(holds_some_value(ranged(FieldType::u8, 255, 999)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::u8, 256, std::nullopt)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::u8, std::nullopt, -1)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::i32, 0.2, 0.8)));
    CHECK(holds_some_value(ranged(FieldType::i8, -128, -128)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::i8, std::nullopt, -129)));
    CHECK(holds_some_value(ranged(FieldType::i16, 32767, std::nullopt)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::u16, 65536, std::nullopt)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::u32, 0x1p32, std::nullopt)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::i64, 0x1p63, std::nullopt)));
    CHECK(holds_some_value(ranged(FieldType::u64, 0x1p63, std::nullopt)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::u64, 0x1p64, std::nullopt)));
    CHECK_FALSE(holds_some_value(ranged(FieldType::f32, 1e300, std::nullopt)));
    CHECK(holds_some_value(ranged(FieldType::f64, 1e300, std::nullopt)));
}

TEST_CASE("rounding to f32 agrees with the machine and gives infinity beyond the largest f32") {
    std::mt19937_64 random(8);
    for (int i = 0; i < 1000; ++i) {
        const double number = std::normal_distribution<double>(0, 1e30)(random);
        REQUIRE(rounded_to_f32(number) == static_cast<float>(number));
    }
    CHECK(rounded_to_f32(1e300) == std::numeric_limits<float>::infinity());
    CHECK(rounded_to_f32(-1e300) == -std::numeric_limits<float>::infinity());
    CHECK(rounded_to_f32(std::numeric_limits<float>::max()) == std::numeric_limits<float>::max());
    CHECK(std::isnan(rounded_to_f32(std::nan(""))));
}

TEST_CASE("only numbers and vectors may have a range") {
    for (const char* name :
         {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "vec2", "vec3", "vec4"})
        CHECK(takes_range(*field_type_from_name(name)));
    for (const char* name : {"bool", "color", "entity", "string", "enum", "flags", "struct", "asset"})
        CHECK_FALSE(takes_range(*field_type_from_name(name)));
}

}  // namespace
}  // namespace perigee::internal
