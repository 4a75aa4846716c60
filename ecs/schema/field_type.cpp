// The table of field types.
#include "ecs/schema/field_type.h"

#include <array>

namespace perigee {

namespace {

constexpr std::array<FieldTypeInfo, kFieldTypeCount> kTypes = {{
    {FieldType::boolean, "bool", 1, 1},  {FieldType::i8, "i8", 1, 1},
    {FieldType::u8, "u8", 1, 1},         {FieldType::i16, "i16", 2, 2},
    {FieldType::u16, "u16", 2, 2},       {FieldType::i32, "i32", 4, 4},
    {FieldType::u32, "u32", 4, 4},       {FieldType::i64, "i64", 8, 8},
    {FieldType::u64, "u64", 8, 8},       {FieldType::f32, "f32", 4, 4},
    {FieldType::f64, "f64", 8, 8},       {FieldType::vec2, "vec2", 8, 4},
    {FieldType::vec3, "vec3", 12, 4},    {FieldType::vec4, "vec4", 16, 4},
    {FieldType::color, "color", 4, 1},   {FieldType::entity, "entity", 8, 8},
    {FieldType::string, "string", 0, 1}, {FieldType::enumeration, "enum", 0, 1},
    {FieldType::flags, "flags", 0, 1},   {FieldType::structure, "struct", 0, 1},
    {FieldType::asset, "asset", 4, 4},   {FieldType::text, "text", 4, 4},
    {FieldType::blob, "blob", 4, 4},     {FieldType::quat, "quat", 16, 4},
    {FieldType::mat4, "mat4", 64, 4},
}};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
    }
    return true;
}
static_assert(is_in_order(), "one row per type, in the order of the enum");

}  // namespace

const FieldTypeInfo& field_type_info(FieldType type) noexcept {
    return kTypes[static_cast<std::size_t>(type)];
}

std::optional<FieldType> field_type_from_name(std::string_view name) noexcept {
    for (const FieldTypeInfo& info : kTypes) {
        if (info.name == name) return info.type;
    }
    return std::nullopt;
}

std::span<const std::string_view> part_names(FieldType type) noexcept {
    static constexpr std::array<std::string_view, 4> kVector = {"x", "y", "z", "w"};
    static constexpr std::array<std::string_view, 4> kColor = {"r", "g", "b", "a"};
    static constexpr std::array<std::string_view, 16> kMatrix = {
        "xx", "xy", "xz", "xw", "yx", "yy", "yz", "yw", "zx", "zy", "zz", "zw", "wx", "wy", "wz", "ww"};
    switch (type) {
        case FieldType::vec2:
            return std::span(kVector).first(2);
        case FieldType::vec3:
            return std::span(kVector).first(3);
        case FieldType::vec4:
        case FieldType::quat:
            return kVector;
        case FieldType::color:
            return kColor;
        case FieldType::mat4:
            return kMatrix;
        default:
            return {};
    }
}

bool is_scalar(FieldType type) noexcept {
    switch (type) {
        case FieldType::vec2:
        case FieldType::vec3:
        case FieldType::vec4:
        case FieldType::quat:
        case FieldType::mat4:
        case FieldType::color:
        case FieldType::string:
        case FieldType::structure:
            return false;
        default:
            return true;
    }
}

}  // namespace perigee
