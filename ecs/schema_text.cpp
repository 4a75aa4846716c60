// A schema as text: the layout table of messages, and the canonical form behind the schema hash.
#include "ecs/schema.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace perigee {

namespace {

std::string type_text(const Field& field) {
    std::string text(field_type_info(field.type).name);
    if (field.type == FieldType::string) text += fmt::format("({})", field.string_capacity);
    if (field.array_length != 0) text = fmt::format("array({}, {})", text, field.array_length);
    return text;
}

void describe_fields(const std::vector<Field>& fields, int depth, std::string& text) {
    for (const Field& field : fields) {
        text += fmt::format("{:{}}{:<{}} {:<12} offset {:>4}, {} bytes\n", "", 4 + depth * 2, field.name,
                            16 - depth * 2, type_text(field), field.offset, field.size);
        describe_fields(field.nested, depth + 1, text);
    }
}

void canonical_fields(const std::vector<Field>& fields, std::string& text) {
    for (const Field& field : fields) {
        text += fmt::format("{}:{}@{}+{}", field.name, type_text(field), field.offset, field.size);
        for (const std::string& label : field.labels) text += "|" + label;
        text += "{";
        canonical_fields(field.nested, text);
        text += "};";
    }
}

}  // namespace

std::string describe_layout(const Schema& schema) {
    std::string text;
    describe_fields(schema.fields, 0, text);
    text += fmt::format("    {} bytes, aligned to {}\n", schema.size, schema.alignment);
    return text;
}

std::uint64_t schema_hash(const Schema& schema) {
    std::string text =
        fmt::format("{} {} {} {};", kind_name(schema.kind), schema.name, schema.size, schema.alignment);
    canonical_fields(schema.fields, text);
    text.append(reinterpret_cast<const char*>(schema.defaults.data()), schema.defaults.size());
    return XXH3_64bits(text.data(), text.size());
}

}  // namespace perigee
