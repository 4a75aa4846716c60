// Rounds declared ranges to values that a type can represent.
#include "ecs/schema/internal/number_range.h"

#include <cmath>
#include <limits>

namespace perigee::internal {

namespace {

bool is_real(FieldType type) { return type == FieldType::f32 || type == FieldType::f64; }

// The range of the type. Bounds of 64-bit types are the nearest doubles inside the range.
NumberRange type_range(FieldType type) {
    switch (type) {
        case FieldType::i8:
            return {-0x1p7, 0x1p7 - 1};
        case FieldType::u8:
            return {0, 0x1p8 - 1};
        case FieldType::i16:
            return {-0x1p15, 0x1p15 - 1};
        case FieldType::u16:
            return {0, 0x1p16 - 1};
        case FieldType::i32:
            return {-0x1p31, 0x1p31 - 1};
        case FieldType::u32:
            return {0, 0x1p32 - 1};
        case FieldType::i64:
            return {-0x1p63, 0x1p63 - 0x1p10};
        case FieldType::u64:
            return {0, 0x1p64 - 0x1p11};
        default:
            return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    }
}

}  // namespace

bool takes_range(FieldType type) noexcept {
    switch (number_type(type)) {
        case FieldType::i8:
        case FieldType::u8:
        case FieldType::i16:
        case FieldType::u16:
        case FieldType::i32:
        case FieldType::u32:
        case FieldType::i64:
        case FieldType::u64:
        case FieldType::f32:
        case FieldType::f64:
            return true;
        default:
            return false;
    }
}

FieldType number_type(FieldType type) noexcept {
    const bool is_vector = type == FieldType::vec2 || type == FieldType::vec3 || type == FieldType::vec4;
    return is_vector ? FieldType::f32 : type;
}

float rounded_to_f32(double number) noexcept {
    // Half a step above the largest f32 rounds to infinity.
    constexpr double kLimit = 0x1.ffffffp127;
    if (number >= kLimit) return std::numeric_limits<float>::infinity();
    if (number <= -kLimit) return -std::numeric_limits<float>::infinity();
    return static_cast<float>(number);
}

NumberRange declared_range(const Field& field) noexcept {
    NumberRange range{field.minimum.value_or(-kInfinity), field.maximum.value_or(kInfinity)};
    const FieldType type = number_type(field.type);
    if (type == FieldType::f32) {
        range = {rounded_to_f32(range.low), rounded_to_f32(range.high)};
    } else if (!is_real(type)) {
        range = {std::ceil(range.low), std::floor(range.high)};
    }
    return range;
}

bool holds_some_value(const Field& field) noexcept {
    const NumberRange range = declared_range(field);
    const NumberRange type = type_range(number_type(field.type));
    return range.low <= range.high && range.low <= type.high && range.high >= type.low;
}

}  // namespace perigee::internal
