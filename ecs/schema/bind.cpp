// Compares C++ structs with schemas and makes schemas from structs.
#include "ecs/schema/bind.h"

#include "ecs/base/counted.h"
#include "ecs/base/error_codes.h"
#include "ecs/schema/schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee {

namespace {

void describe_fields(const std::vector<BoundField>& fields, const std::string& prefix, std::uint32_t base,
                     std::string& text) {
    for (const BoundField& field : fields) {
        text += fmt::format(
            "    {:<16} {:<12} offset {:>4}, {}\n", prefix + field.name,
            field.array_length == 0
                ? std::string(field_type_info(field.type).name)
                : fmt::format("array({}, {})", field_type_info(field.type).name, field.array_length),
            base + field.offset, counted(field.size, "byte"));
        describe_fields(field.nested, prefix + field.name + ".", base + field.offset, text);
    }
}

std::string describe_type(const BoundType& type) {
    std::string text;
    describe_fields(type.fields, {}, 0, text);
    return text + fmt::format("    {}, aligned to {}\n", counted(type.size, "byte"), type.alignment);
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

// The first difference between members and fields, at any depth; empty if there is none.
std::string difference(const std::vector<Field>& fields, const std::vector<BoundField>& members,
                       const std::string& prefix) {
    const auto member = [&](const std::string& name) {
        return std::find_if(members.begin(), members.end(),
                            [&](const BoundField& bound) { return bound.name == name; });
    };
    for (auto bound = members.begin(); bound != members.end(); ++bound) {
        if (member(bound->name) != bound)
            return fmt::format("the struct names field '{}' twice", prefix + bound->name);
    }
    for (const Field& field : fields) {
        const std::string name = prefix + field.name;
        const auto found = member(field.name);
        if (found == members.end()) return fmt::format("the struct does not name field '{}'", name);
        if (!is_same_type(field, *found)) {
            return fmt::format("field '{}' is {} in the schema and {} in the struct", name,
                               field_type_info(field.type).name, field_type_info(found->type).name);
        }
        if (field.array_length != found->array_length) {
            return fmt::format("field '{}' has {} in the schema and {} in the struct", name,
                               counted(field.array_length, "element"), found->array_length);
        }
        if (std::string inner = difference(field.nested, found->nested, name + "."); !inner.empty())
            return inner;
        if (field.offset != found->offset || field.size != found->size) {
            return fmt::format(
                "field '{}' is at offset {} with {} in the schema, at {} with {} in the struct", name,
                field.offset, counted(field.size, "byte"), found->offset, found->size);
        }
    }
    for (const BoundField& bound : members) {
        const bool is_known = std::any_of(fields.begin(), fields.end(),
                                          [&](const Field& field) { return field.name == bound.name; });
        if (!is_known) return fmt::format("the schema has no field '{}'", prefix + bound.name);
    }
    return {};
}

std::string difference(const Schema& schema, const BoundType& type) {
    if (std::string fields = difference(schema.fields, type.fields, {}); !fields.empty()) return fields;
    if (schema.size != type.size) {
        return fmt::format("the schema has {}, the struct {}", counted(schema.size, "byte"), type.size);
    }
    // Resources and commands store a value at the schema's alignment only.
    if (schema.alignment != type.alignment) {
        return fmt::format("the schema is aligned to {}, the struct to {}", counted(schema.alignment, "byte"),
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

namespace {

Field field_from_member(const BoundField& bound) {
    Field field;
    field.name = bound.name;
    field.type = bound.type;
    field.array_length = bound.array_length;
    if (bound.type == FieldType::string)
        field.string_capacity = bound.size / std::max(bound.array_length, 1u);
    for (const BoundField& inner : bound.nested) field.nested.push_back(field_from_member(inner));
    return field;
}

// True if the value differs from the one that the type has anyway. Handles have no meaning outside a world.
bool has_default(const Field& field, std::span<const std::byte> row, std::span<const std::byte> defaults) {
    const auto bytes = row.subspan(field.offset, field.size);
    return !std::equal(bytes.begin(), bytes.end(), defaults.subspan(field.offset).begin()) &&
           !has_field_of({field}, FieldType::text) && !has_field_of({field}, FieldType::blob) &&
           !has_field_of({field}, FieldType::entity);
}

// If the layouts differ, the following binding reports it.
void take_defaults(Schema& schema, std::span<const std::byte> initial) {
    Schema laid_out = schema;
    if (!layout_schema(laid_out).empty() || laid_out.size != initial.size()) return;
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        if (has_default(laid_out.fields[i], initial, laid_out.defaults))
            schema.fields[i].default_value = read_field(laid_out.fields[i], initial);
    }
}

}  // namespace

Schema schema_from_type(std::string_view name, const BoundType& type) {
    Schema schema;
    schema.name = name;
    schema.kind = type.fields.empty() ? ComponentKind::tag : ComponentKind::component;
    for (const BoundField& bound : type.fields) schema.fields.push_back(field_from_member(bound));
    if (!type.initial.empty()) take_defaults(schema, type.initial);
    return schema;
}

}  // namespace perigee
