// A schema as text: the layout table of messages, and the canonical form for the schema hash.
#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace perigee {

namespace {

std::string type_text(const Field& field) {
    std::string text(field_type_info(field.type).name);
    if (field.type == FieldType::string) text += fmt::format("({})", field.string_capacity);
    if (field.type == FieldType::blob && !field.labels.empty()) text += fmt::format("({})", field.labels[0]);
    if (field.array_length != 0) text = fmt::format("array({}, {})", text, field.array_length);
    return text;
}

// Long lists are shortened so that a message stays readable; all labels of a flags field fit.
std::string labels_text(const std::vector<std::string>& labels) {
    constexpr std::size_t kShown = 32;
    const std::size_t shown = std::min(labels.size(), kShown);
    std::string text = fmt::format(
        ", labels {}", fmt::join(labels.begin(), labels.begin() + static_cast<long>(shown), ", "));
    if (shown < labels.size()) text += fmt::format(" and {} more", labels.size() - shown);
    return text;
}

// The default of a field that does not start as zero.
std::string default_text(const Field& field, std::span<const std::byte> row, const TextPool& texts) {
    constexpr std::size_t kShown = 80;
    const auto bytes = row.subspan(field.offset, field.size);
    if (std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }))
        return {};
    std::string text = text_from_value(read_field(field, row, &texts));
    if (text.size() > kShown) text = text.substr(0, kShown) + "...";
    return ", default " + text;
}

// `row` is the default image that the offsets count from; empty inside structs, whose default is written
// outside.
void describe_fields(const std::vector<Field>& fields, int depth, std::span<const std::byte> row,
                     const TextPool& texts, std::string& text) {
    for (const Field& field : fields) {
        text += fmt::format("{:{}}{:<{}} {:<12} offset {:>4}, {}", "", 4 + depth * 2, field.name,
                            std::max(16 - depth * 2, 0), type_text(field), field.offset,
                            counted(field.size, "byte"));
        if (!field.labels.empty() && field.type != FieldType::blob) text += labels_text(field.labels);
        if (!row.empty()) text += default_text(field, row, texts);
        text += "\n";
        describe_fields(field.nested, depth + 1, {}, texts, text);
    }
}

// Every text is preceded by its length, so that different declarations give different bytes.
void canonical_text(std::string_view part, std::string& text) {
    text += fmt::format("{}:{};", part.size(), part);
}

void canonical_fields(const std::vector<Field>& fields, std::string& text) {
    text += fmt::format("{} fields;", fields.size());
    for (const Field& field : fields) {
        canonical_text(field.name, text);
        canonical_text(type_text(field), text);
        text += fmt::format("at {} size {};{} labels;", field.offset, field.size, field.labels.size());
        for (const std::string& label : field.labels) canonical_text(label, text);
        canonical_fields(field.nested, text);
    }
}

// The default row in a world that has only these texts.
std::vector<std::byte> defaults_with(const Schema& schema, TextPool& texts) {
    Result<std::vector<std::byte>> row = default_row(schema, texts);
    ECS_INVARIANT(row.ok(), schema.name);
    return std::move(row).value();
}

// Handles differ between worlds, so the bytes are written without them, followed by the texts.
void canonical_defaults(const Schema& schema, std::string& text) {
    TextPool texts;
    std::vector<std::byte> row = defaults_with(schema, texts);
    std::string contents;
    for (const Leaf& leaf : leaves_of(schema)) {
        if (leaf.type != FieldType::text) continue;
        TextHandle handle;
        std::memcpy(&handle, row.data() + leaf.offset, sizeof handle);
        std::memset(row.data() + leaf.offset, 0, sizeof handle);
        canonical_text(texts.text(handle), contents);
    }
    text.append(reinterpret_cast<const char*>(row.data()), row.size());
    text += contents;
}

}  // namespace

std::string_view shape_name(BlobShape shape) noexcept {
    constexpr std::array<std::string_view, 3> kNames{"rows", "root", "values"};
    return kNames[static_cast<std::size_t>(shape)];
}

std::string describe_layout(const Schema& schema) {
    std::string text;
    TextPool texts;
    const bool has_texts = has_field_of(schema.fields, FieldType::text);
    describe_fields(schema.fields, 0, has_texts ? defaults_with(schema, texts) : schema.defaults, texts,
                    text);
    text += fmt::format("    {}, {}, aligned to {}\n", kind_name(schema.kind), counted(schema.size, "byte"),
                        schema.alignment);
    if (schema.kind == ComponentKind::buffer) {
        text += fmt::format("    {} in the chunk\n", counted(schema.buffer_capacity, "element"));
    }
    if (schema.presentation) text += "    presentation data\n";
    if (!schema.required.empty()) text += fmt::format("    requires {}\n", fmt::join(schema.required, ", "));
    return text;
}

std::uint64_t schema_hash(const Schema& schema) {
    std::string text;
    canonical_text(kind_name(schema.kind), text);
    canonical_text(schema.name, text);
    text += fmt::format("size {} alignment {};", schema.size, schema.alignment);
    canonical_fields(schema.fields, text);
    // Options that a schema does not use are omitted, so that hashes of older schemas stay the same.
    if (schema.kind == ComponentKind::buffer) text += fmt::format("capacity {};", schema.buffer_capacity);
    if (schema.blob_shape != BlobShape::rows) text += fmt::format("{};", shape_name(schema.blob_shape));
    for (const std::string& name : schema.required) canonical_text("requires " + name, text);
    if (has_field_of(schema.fields, FieldType::text)) {
        canonical_defaults(schema, text);
    } else {
        text.append(reinterpret_cast<const char*>(schema.defaults.data()), schema.defaults.size());
    }
    return XXH3_64bits(text.data(), text.size());
}

}  // namespace perigee
