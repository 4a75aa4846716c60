// A small writer. This layer has no JSON library, since it reads no JSON.
#include "ecs/inspect/schema_json.h"

#include "ecs/schema/field_value.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"

#include <fmt/format.h>

#include <cmath>
#include <variant>

namespace perigee {

namespace {

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += fmt::format("\\u{:04x}", byte);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

// An object or array under construction: adds commas between entries.
class Writer {
public:
    explicit Writer(char open) : text_(1, open), close_(open == '{' ? '}' : ']') {}

    void element(std::string_view json) {
        if (text_.size() > 1) text_ += ',';
        text_ += json;
    }
    void member(std::string_view key, std::string_view json) {
        element(json_text(key));
        text_ += ':';
        text_ += json;
    }
    void text(std::string_view key, std::string_view value) { member(key, json_text(value)); }
    void text_if_any(std::string_view key, std::string_view value) {
        if (!value.empty()) text(key, value);
    }
    template <typename Number> void number(std::string_view key, Number value) {
        member(key, fmt::format("{}", value));
    }
    std::string finish() const { return text_ + close_; }

private:
    std::string text_;
    char close_;
};

std::string list_of(const std::vector<std::string>& texts) {
    Writer list('[');
    for (const std::string& text : texts) list.element(json_text(text));
    return list.finish();
}

std::string json_from_value(const FieldValue& value) {
    struct Printer {
        std::string operator()(std::monostate) const { return "null"; }
        std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
        // JSON has no infinity and no NaN.
        std::string operator()(double number) const {
            return std::isfinite(number) ? fmt::format("{}", number) : json_text(fmt::format("{}", number));
        }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(std::uint64_t number) const { return fmt::format("{}", number); }
        std::string operator()(const std::string& text) const { return json_text(text); }
        std::string operator()(const FieldValueList& values) const {
            Writer list('[');
            for (const FieldValue& element : values) list.element(json_from_value(element));
            return list.finish();
        }
        std::string operator()(const FieldValueMap& members) const {
            Writer object('{');
            for (const auto& [name, part] : members) object.member(name, json_from_value(part));
            return object.finish();
        }
    };
    return std::visit(Printer{}, value.data);
}

std::string json_from_fields(const std::vector<Field>& fields, std::span<const std::byte> row,
                             const TextPool& texts);

// `row` is the default image that the field's offset counts from; empty inside structs, whose default is
// written outside.
std::string json_from_field(const Field& field, std::span<const std::byte> row, const TextPool& texts) {
    Writer object('{');
    object.text("name", field.name);
    object.text("type", field_type_info(field.type).name);
    if (field.type == FieldType::string) object.number("capacity", field.string_capacity);
    if (field.array_length != 0) object.number("array_length", field.array_length);
    if (field.type == FieldType::blob) {
        if (!field.labels.empty()) object.text("blob", field.labels[0]);
        if (field.is_list) object.member("list", "true");
    } else if (!field.labels.empty()) {
        object.member("labels", list_of(field.labels));
    }
    if (!field.nested.empty()) object.member("fields", json_from_fields(field.nested, {}, texts));
    if (!row.empty()) object.member("default", json_from_value(read_field(field, row, &texts)));
    if (field.minimum && std::isfinite(*field.minimum)) object.number("min", *field.minimum);
    if (field.maximum && std::isfinite(*field.maximum)) object.number("max", *field.maximum);
    if (field.minimum || field.maximum) {
        object.text("range", field.range_policy == RangePolicy::refuse ? "refuse" : "clamp");
    }
    object.text_if_any("unit", field.unit);
    object.text_if_any("doc", field.doc);
    object.number("offset", field.offset);
    object.number("size", field.size);
    return object.finish();
}

std::string json_from_fields(const std::vector<Field>& fields, std::span<const std::byte> row,
                             const TextPool& texts) {
    Writer list('[');
    for (const Field& field : fields) list.element(json_from_field(field, row, texts));
    return list.finish();
}

}  // namespace

std::string schema_json(const ComponentRegistry& registry, ComponentId id) {
    const ComponentInfo& info = registry.info(id);
    const Schema& schema = info.schema;
    TextPool texts;
    const Result<std::vector<std::byte>> defaults = default_row(schema, texts);
    ECS_INVARIANT(defaults.ok(), schema.name);

    Writer object('{');
    object.text("name", schema.name);
    object.text("kind", kind_name(schema.kind));
    object.number("version", schema.version);
    object.text_if_any("doc", schema.doc);
    object.text_if_any("declared_at", schema.declared_at);
    if (!schema.required.empty()) object.member("requires", list_of(schema.required));
    object.text_if_any("owner", schema.owner);
    if (schema.blob_shape != BlobShape::rows) object.text("shape", shape_name(schema.blob_shape));
    if (schema.kind == ComponentKind::buffer) object.number("capacity", schema.buffer_capacity);
    if (schema.index) {
        object.member("index", "true");
        const bool destroys = schema.on_target_destroyed == OnTargetDestroyed::destroy;
        object.text("on_target_destroyed", destroys ? "destroy" : "clear");
    }
    if (schema.presentation) object.member("presentation", "true");
    object.number("size", schema.size);
    object.number("alignment", schema.alignment);
    object.text("hash", fmt::format("{:016x}", info.hash));
    object.member("fields", json_from_fields(schema.fields, defaults.value(), texts));
    return object.finish();
}

std::string schemas_json(const ComponentRegistry& registry) {
    Writer list('[');
    for (std::uint16_t i = 0; i < registry.size(); ++i) list.element(schema_json(registry, ComponentId{i}));
    return list.finish();
}

}  // namespace perigee
