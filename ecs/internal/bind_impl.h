// The templates of bind.h: what a C++ member type is called in a schema. No logic beyond that mapping.
#pragma once

#include "ecs/bind.h"

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
    else if constexpr (std::is_same_v<T, Entity>)
        return FieldType::entity;
    else if constexpr (std::is_same_v<T, TextHandle>)
        return FieldType::text;
    else if constexpr (std::is_same_v<T, BlobHandle>)
        return FieldType::blob;
    else if constexpr (std::is_same_v<T, std::array<char, sizeof(T)>>)
        return FieldType::string;
    else
        static_assert(!sizeof(T), "no schema field type stands for this member type");
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

template <typename Struct, typename Member> BoundField field(std::string_view name, Member Struct::*member) {
    using Traits = internal::ArrayTraits<Member>;
    static_assert(std::is_standard_layout_v<Struct> && std::is_trivially_copyable_v<Struct>,
                  "components are plain structs");
    alignas(Struct) static std::byte storage[sizeof(Struct)] = {};
    const auto* object = reinterpret_cast<const Struct*>(storage);
    const auto offset = reinterpret_cast<const std::byte*>(&(object->*member)) - storage;
    return BoundField{std::string(name), field_type_of<typename Traits::Element>(),
                      static_cast<std::uint32_t>(offset), sizeof(Member), Traits::length};
}

template <typename T> std::uint32_t type_number() noexcept {
    static const std::uint32_t number = internal::next_type_number++;
    return number;
}

}  // namespace perigee
