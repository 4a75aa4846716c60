// The templates of bind.h: the mapping of C++ member types to schema types. No other logic.
#pragma once

#include "ecs/schema/bind.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perigee {

template <typename T> consteval FieldType field_type_of() {
    if constexpr (std::is_enum_v<T>)
        return field_type_of<std::underlying_type_t<T>>();
    else if constexpr (std::is_same_v<T, bool>)
        return FieldType::boolean;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return FieldType::i8;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return FieldType::u8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return FieldType::i16;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return FieldType::u16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return FieldType::i32;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return FieldType::u32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return FieldType::i64;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return FieldType::u64;
    else if constexpr (std::is_same_v<T, float>)
        return FieldType::f32;
    else if constexpr (std::is_same_v<T, double>)
        return FieldType::f64;
    else if constexpr (std::is_same_v<T, Vec2>)
        return FieldType::vec2;
    else if constexpr (std::is_same_v<T, Vec3>)
        return FieldType::vec3;
    else if constexpr (std::is_same_v<T, Vec4>)
        return FieldType::vec4;
    else if constexpr (std::is_same_v<T, Color>)
        return FieldType::color;
    else if constexpr (std::is_same_v<T, Quat>)
        return FieldType::quat;
    else if constexpr (std::is_same_v<T, Mat4>)
        return FieldType::mat4;
    else if constexpr (std::is_same_v<T, Entity>)
        return FieldType::entity;
    else if constexpr (std::is_same_v<T, TextHandle>)
        return FieldType::text;
    else if constexpr (std::is_same_v<T, BlobHandle>)
        return FieldType::blob;
    else if constexpr (std::is_same_v<T, std::array<char, sizeof(T)>>)
        return FieldType::string;
    else
        static_assert(!sizeof(T),
                      "this member type has no schema field type; of a struct, name its members too: "
                      "field(\"gun\", &Ship::gun, field(\"power\", &Gun::power))");
}

namespace internal {

template <typename T> struct ArrayTraits {
    using Element = T;
    static constexpr std::uint32_t length = 0;
};
template <typename T, std::size_t N>
requires(!std::is_same_v<T, char>) struct ArrayTraits<std::array<T, N>> {
    using Element = T;
    static constexpr std::uint32_t length = N;
};

inline std::atomic<std::uint32_t> next_type_number{0};

}  // namespace internal

namespace internal {

template <typename Struct, typename Member>
MemberField<Struct> described(std::string_view name, Member Struct::*member, FieldType type,
                              std::vector<BoundField> nested) {
    static_assert(std::is_standard_layout_v<Struct> && std::is_trivially_copyable_v<Struct>,
                  "components are plain structs");
    alignas(Struct) static std::byte storage[sizeof(Struct)] = {};
    const auto* object = reinterpret_cast<const Struct*>(storage);
    const auto offset = reinterpret_cast<const std::byte*>(&(object->*member)) - storage;
    return MemberField<Struct>{BoundField{std::string(name), type, static_cast<std::uint32_t>(offset),
                                          sizeof(Member), ArrayTraits<Member>::length, std::move(nested)}};
}

template <typename T, typename Field> struct IsMemberOf : std::is_same<Field, BoundField> {};
template <typename T, typename Struct>
struct IsMemberOf<T, MemberField<Struct>> : std::is_base_of<Struct, T> {};

}  // namespace internal

template <typename Struct, typename Member>
MemberField<Struct> field(std::string_view name, Member Struct::*member) {
    using Element = typename internal::ArrayTraits<Member>::Element;
    return internal::described(name, member, field_type_of<Element>(), {});
}

template <typename Struct, typename Member, typename... Inner>
requires(sizeof...(Inner) > 0) MemberField<Struct> field(std::string_view name, Member Struct::*member,
                                                         Inner... inner) {
    using Element = typename internal::ArrayTraits<Member>::Element;
    static_assert((internal::IsMemberOf<Element, Inner>::value && ...),
                  "a field of another struct is named inside this one");
    return internal::described(name, member, FieldType::structure, {std::move(inner)...});
}

template <typename T, typename... Fields> BoundType bound_type(Fields... fields) {
    static_assert(std::is_class_v<T> && std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T>,
                  "components are plain structs");
    static_assert((internal::IsMemberOf<T, Fields>::value && ...),
                  "a field of another struct is named for this one");
    static_assert(sizeof...(Fields) != 0 || std::is_empty_v<T>, "the members of the struct must be named");
    // An empty struct represents a tag: C++ gives it one byte, a schema none.
    const std::uint32_t size = sizeof...(Fields) == 0 ? 0 : sizeof(T);
    BoundType type{size, alignof(T), {std::move(fields)...}};
    if constexpr (sizeof...(Fields) != 0 && std::is_default_constructible_v<T>) {
        const T fresh{};
        type.initial.resize(sizeof(T));
        std::memcpy(type.initial.data(), &fresh, sizeof(T));
    }
    return type;
}

template <typename T> std::uint32_t type_number() noexcept {
    static const std::uint32_t number = internal::next_type_number++;
    return number;
}

template <typename T> constexpr std::string_view type_name() noexcept {
    // "… perigee::type_name() [with T = int; …]"
    constexpr std::string_view kAll = __PRETTY_FUNCTION__;
    constexpr std::size_t kStart = kAll.find("T = ") + 4;
    return kAll.substr(kStart, std::min(kAll.find(';', kStart), kAll.rfind(']')) - kStart);
}

}  // namespace perigee
