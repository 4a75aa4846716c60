// The declared range of a field, in numbers that its type can represent.
//
// Invariant: a bound is itself a value of the type (rounded inwards to a whole number, or to an f32), so that
// a clamped value is stored exactly and reads back inside the range.
#pragma once

#include "ecs/schema/schema.h"

#include <limits>

namespace perigee::internal {

/// The end of a range that is not declared.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Both ends are included; an undeclared end is kInfinity or -kInfinity.
struct NumberRange {
    double low;
    double high;
};

/// True for fields that may declare a range: their elements are numbers or vectors of numbers.
bool takes_range(FieldType type) noexcept;

/// The type of one number of the field: f32 for vectors, else the type itself.
FieldType number_type(FieldType type) noexcept;

/// The nearest f32, infinite beyond the largest one (where a plain conversion is undefined).
float rounded_to_f32(double number) noexcept;

/// The range that `field` declares. Expects: takes_range(field.type), no bound is NaN.
NumberRange declared_range(const Field& field) noexcept;

/// True if a value of the field's type is in its declared range.
bool holds_some_value(const Field& field) noexcept;

}  // namespace perigee::internal
