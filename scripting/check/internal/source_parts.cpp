// Parts of components, and when two values are the same. Part of source_value.h.
#include "scripting/check/internal/source_value.h"

#include <fmt/format.h>

namespace perigee::internal {

std::vector<std::string> SchemaPart::names() const {
    std::vector<std::string> list;
    const auto add_fields = [&list](const std::vector<Field>& fields) {
        for (const Field& inner : fields) list.push_back(inner.name);
    };
    if (is_leaf || schema == nullptr || is_array()) return list;
    if (field == nullptr) {
        add_fields(schema->fields);
        return list;
    }
    switch (field->type) {
        case FieldType::structure:
            add_fields(field->nested);
            break;
        case FieldType::flags:
            return field->labels;
        default:
            for (const std::string_view part : part_names(field->type)) list.emplace_back(part);
            break;
    }
    return list;
}

SchemaPart SchemaPart::inside(std::string_view name) const {
    SchemaPart part = *this;
    part.is_element = false;
    part.path += (path.empty() ? "" : ".") + std::string(name);
    const std::vector<Field>* fields = field == nullptr ? &schema->fields : &field->nested;
    if (field != nullptr && field->type != FieldType::structure) {
        part.is_leaf = true;
        return part;
    }
    for (const Field& inner : *fields)
        if (inner.name == name) part.field = &inner;
    return part;
}

SchemaPart SchemaPart::element() const {
    SchemaPart part = *this;
    part.is_element = true;
    return part;
}

std::string SchemaPart::where() const {
    const bool is_component = is_component_kind(schema->kind);
    const std::string whose =
        fmt::format("{} '{}'", is_component ? "component" : kind_name(schema->kind), schema->name);
    return path.empty() ? whose : fmt::format("{}, field '{}'", whose, path);
}

bool SourceValue::operator==(const SourceValue& other) const noexcept {
    return meaning == other.meaning && meaning != Meaning::unknown && text == other.text &&
           component == other.component && part.path == other.part.path && can_write == other.can_write &&
           number == other.number && token == other.token && known == other.known && table == other.table;
}

bool SourceValue::is_access() const noexcept {
    switch (meaning) {
        case Meaning::chunk:
        case Meaning::queries:
        case Meaning::named_query:
        case Meaning::named_chunks:
        case Meaning::batch:
        case Meaning::context:
        case Meaning::columns:
        case Meaning::row:
        case Meaning::buffers:
        case Meaning::buffer:
            return true;
        default:
            return false;
    }
}

}  // namespace perigee::internal
