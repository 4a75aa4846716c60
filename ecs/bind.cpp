// Comparing a C++ struct with a schema, and making a schema from one.
#include "ecs/bind.h"

#include "ecs/error_codes.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee {

namespace {

std::string describe_type(const BoundType& type) {
    std::string text;
    for (const BoundField& field : type.fields) {
        text += fmt::format(
            "    {:<16} {:<12} offset {:>4}, {} bytes\n", field.name,
            field.array_length == 0
                ? std::string(field_type_info(field.type).name)
                : fmt::format("array({}, {})", field_type_info(field.type).name, field.array_length),
            field.offset, field.size);
    }
    return text + fmt::format("    {} bytes, aligned to {}\n", type.size, type.alignment);
}

// Enums, flags and assets are small unsigned numbers on the C++ side.
bool is_same_type(const Field& field, const BoundField& bound) {
    if (field.type == bound.type) return true;
    const auto is_number = [&](FieldType number, std::uint32_t size) {
        return bound.type == number && field.element_size == size;
    };
    switch (field.type) {
        case FieldType::enumeration:
        case FieldType::flags:
            return is_number(FieldType::u8, 1) || is_number(FieldType::u16, 2) ||
                   is_number(FieldType::u32, 4);
        case FieldType::asset:
            return bound.type == FieldType::u32;
        default:
            return false;
    }
}

// The first way in which the struct is not the schema; empty when there is none.
std::string difference(const Schema& schema, const BoundType& type) {
    for (auto bound = type.fields.begin(); bound != type.fields.end(); ++bound) {
        if (std::any_of(type.fields.begin(), bound,
                        [&](const BoundField& other) { return other.name == bound->name; })) {
            return fmt::format("the struct names field '{}' twice", bound->name);
        }
    }
    for (const Field& field : schema.fields) {
        const auto found = std::find_if(type.fields.begin(), type.fields.end(),
                                        [&](const BoundField& bound) { return bound.name == field.name; });
        if (found == type.fields.end()) return fmt::format("the struct does not name field '{}'", field.name);
        if (!is_same_type(field, *found)) {
            return fmt::format("field '{}' is {} in the schema and {} in the struct", field.name,
                               field_type_info(field.type).name, field_type_info(found->type).name);
        }
        if (field.array_length != found->array_length) {
            return fmt::format("field '{}' has {} elements in the schema and {} in the struct", field.name,
                               field.array_length, found->array_length);
        }
        if (field.offset != found->offset || field.size != found->size) {
            return fmt::format(
                "field '{}' is at offset {} with {} bytes in the schema, at {} with {} in the struct",
                field.name, field.offset, field.size, found->offset, found->size);
        }
    }
    for (const BoundField& bound : type.fields) {
        if (schema.field(bound.name) == nullptr)
            return fmt::format("the schema has no field '{}'", bound.name);
    }
    if (schema.size != type.size) {
        return fmt::format("the schema has {} bytes, the struct {}", schema.size, type.size);
    }
    // Resources and commands hold a value at the schema's alignment, no more.
    if (schema.alignment != type.alignment) {
        return fmt::format("the schema is aligned to {} bytes, the struct to {}", schema.alignment,
                           type.alignment);
    }
    return {};
}

}  // namespace

Result<void> check_binding(const Schema& schema, const BoundType& type) {
    const std::string reason = difference(schema, type);
    if (reason.empty()) return {};
    return Error{errors::binding_differs(schema.name, reason, describe_layout(schema), describe_type(type))};
}

Schema schema_from_type(std::string_view name, const BoundType& type) {
    Schema schema;
    schema.name = name;
    schema.kind = type.fields.empty() ? ComponentKind::tag : ComponentKind::component;
    for (const BoundField& bound : type.fields) {
        Field field;
        field.name = bound.name;
        field.type = bound.type;
        field.array_length = bound.array_length;
        if (bound.type == FieldType::string)
            field.string_capacity = bound.size / std::max(bound.array_length, 1u);
        schema.fields.push_back(std::move(field));
    }
    return schema;
}

}  // namespace perigee
