// One pass over the fields; lists of structs are treated first, since their fields may be lists too.
#include "ecs/schema/blob_schema.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace perigee {

namespace {

std::string path_of(std::string_view prefix, const Field& field) {
    return fmt::format("{}.{}", prefix, field.name);
}

// A list that has become a reference to a blob of its elements, whose type is named after the field.
bool is_taken(const Field& field, std::string_view path) noexcept {
    return field.type == FieldType::blob && !field.labels.empty() && field.labels.front() == path;
}

void mark_lists(std::string_view prefix, std::vector<Field>& fields) {
    for (Field& field : fields) {
        const std::string path = path_of(prefix, field);
        mark_lists(path, field.nested);
        field.is_list = is_taken(field, path);
    }
}

void take_lists(const Schema& blob, const std::string& prefix, std::vector<Field>& fields,
                std::vector<Schema>& parts) {
    for (Field& field : fields) {
        const std::string path = path_of(prefix, field);
        take_lists(blob, path, field.nested, parts);
        if (!field.is_list || is_taken(field, path)) continue;
        Schema part;
        part.name = path;
        part.kind = ComponentKind::blob;
        part.version = blob.version;
        part.doc = field.doc;
        part.declared_at = blob.declared_at;
        if (field.type == FieldType::structure && field.array_length == 0) {
            part.fields = std::move(field.nested);
        } else {
            part.blob_shape = BlobShape::values;
            part.fields.push_back(field);
            part.fields.front().name = "value";
            part.fields.front().is_list = false;
        }
        Field list;
        list.name = std::move(field.name);
        list.type = FieldType::blob;
        list.is_list = true;
        list.labels = {path};
        list.default_value = std::move(field.default_value);  // refused by layout_schema
        list.doc = std::move(field.doc);
        field = std::move(list);
        parts.push_back(std::move(part));
    }
}

}  // namespace

std::vector<Schema> with_element_types(Schema schema) {
    std::vector<Schema> all;
    if (schema.kind == ComponentKind::blob) take_lists(schema, schema.name, schema.fields, all);
    all.push_back(std::move(schema));
    return all;
}

void mark_lists(Schema& schema) {
    if (schema.kind == ComponentKind::blob) mark_lists(schema.name, schema.fields);
}

bool is_part_of_blob(std::string_view part, std::string_view whole) noexcept {
    return part == whole ||
           (part.size() > whole.size() && part.starts_with(whole) && part[whole.size()] == '.');
}

}  // namespace perigee
