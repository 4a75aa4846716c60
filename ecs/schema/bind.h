// Binds C++ structs to schemas and numbers C++ types.
//
// Invariant: a bound type has exactly the schema's layout. Size, offsets and scalar types are compared, also
// inside nested structs, so a column can be read as a span of the struct. There is no code generation: fields
// are named once, in the bind call. type_bindings.h says what typed code may do with a component.
//
// A C++ type is bound to one component of a world. Two components with the same members need two types; one
// may inherit its members from the other:
//
//     struct Velocity : Vec2 {};
//     world.bind<Velocity>("Velocity", field("x", &Velocity::x), field("y", &Velocity::y));
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace perigee {

struct Schema;

/// One member of a C++ struct, in the form that a schema field must have.
struct BoundField {
    std::string name;
    FieldType type;
    std::uint32_t offset;
    std::uint32_t size;
    std::uint32_t array_length = 0;
    std::vector<BoundField> nested = {};  ///< of a struct; offsets from its start
};

/// A BoundField that is a member of Struct.
template <typename Struct> struct MemberField : BoundField {};

/// A C++ struct described member by member.
struct BoundType {
    std::uint32_t size;
    std::uint32_t alignment;
    std::vector<BoundField> fields;
    std::vector<std::byte> initial = {};  ///< the bytes of a default-constructed value; empty when unknown
};

/// Options of a component declared in C++, besides its fields; see Schema.
struct TypeOptions {
    ComponentKind kind = ComponentKind::component;
    std::uint32_t buffer_capacity = kDefaultBufferCapacity;
    std::string owner = {};
    std::vector<std::string> required = {};
    std::string doc = {};
    bool index = false;
    OnTargetDestroyed on_target_destroyed = OnTargetDestroyed::clear;
    bool presentation = false;
};

// Values that C++ code uses for vec2, vec3, vec4, color, quat and mat4 fields.
struct Vec2 {
    float x = 0, y = 0;
    bool operator==(const Vec2&) const = default;
};
struct Vec3 {
    float x = 0, y = 0, z = 0;
    bool operator==(const Vec3&) const = default;
};
struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
    bool operator==(const Vec4&) const = default;
};
struct Color {
    std::uint8_t r = 255, g = 255, b = 255, a = 255;
    bool operator==(const Color&) const = default;
};
/// A rotation: (x, y, z) is its axis times the sine of half the angle, w the cosine.
struct Quat {
    float x = 0, y = 0, z = 0, w = 1;
    bool operator==(const Quat&) const = default;
};
/// Four columns: what the x, y and z axes and the origin become. (wx, wy, wz) is a translation.
struct Mat4 {
    float xx = 1, xy = 0, xz = 0, xw = 0;
    float yx = 0, yy = 1, yz = 0, yw = 0;
    float zx = 0, zy = 0, zz = 1, zw = 0;
    float wx = 0, wy = 0, wz = 0, ww = 1;
    bool operator==(const Mat4&) const = default;
};

/// The field type of a C++ member type; an enum counts as its underlying type. A static assertion refuses
/// types that have none.
template <typename T> consteval FieldType field_type_of();

/// Describes a member: field("x", &Position::x).
template <typename Struct, typename Member>
MemberField<Struct> field(std::string_view name, Member Struct::*member);

/// The same for a struct or an array of structs, with the members of the inner one:
///     field("gun", &Ship::gun, field("power", &Gun::power), field("heat", &Gun::heat))
template <typename Struct, typename Member, typename... Inner>
requires(sizeof...(Inner) > 0) MemberField<Struct> field(std::string_view name, Member Struct::*member,
                                                         Inner... inner);

/// Describes T by its members. Their default values in C++ become the defaults of its schema.
template <typename T, typename... Fields> BoundType bound_type(Fields... fields);

/// Compares a C++ struct with a schema.
/// Errors: a missing, extra, repeated, moved or differently typed field, another size or alignment; the
/// message names the first difference and prints both layouts.
Result<void> check_binding(const Schema& schema, const BoundType& type);

/// The schema of the struct, to declare a component in C++. Texts, blobs and entities are empty by default.
Schema schema_from_type(std::string_view name, const BoundType& type);

/// Dense number of a C++ type, equal in all worlds of the process.
template <typename T> std::uint32_t type_number() noexcept;

/// "perigee::Position", as the compiler spells it.
template <typename T> constexpr std::string_view type_name() noexcept;

}  // namespace perigee

#include "ecs/schema/internal/bind_impl.h"
