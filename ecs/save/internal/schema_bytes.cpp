// Fields are written as a tree, in order of declaration.
#include "ecs/save/internal/schema_bytes.h"

#include "ecs/schema/blob_schema.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perigee::internal {

namespace {

constexpr int kMaxValueDepth = 2 * kMaxStructDepth + 4;
// The least that an item takes: guards against counts that the bytes cannot hold.
constexpr std::size_t kLeastText = 4, kLeastValue = 1, kLeastField = 18;

// The shape of a blob is in the same byte as its kind: files without one are as they always were.
constexpr unsigned kKindBits = 5;

// Files have the index of the alternative, so the order is that of FieldValue::data and never changes.
enum class Tag : std::uint8_t { nothing, boolean, number, whole, unsigned_whole, text, list, members };

FieldValue read_value(ByteReader& from, int depth) {
    FieldValue value;
    if (depth > kMaxValueDepth) from.fail();
    switch (static_cast<Tag>(from.get<std::uint8_t>())) {
        case Tag::nothing:
            break;
        case Tag::boolean:
            value.data = from.get_bool();
            break;
        case Tag::number:
            value.data = from.get<double>();
            break;
        case Tag::whole:
            value.data = from.get<std::int64_t>();
            break;
        case Tag::unsigned_whole:
            value.data = from.get<std::uint64_t>();
            break;
        case Tag::text:
            value.data = std::string(from.get_text());
            break;
        case Tag::list: {
            FieldValueList list;
            for (std::uint32_t left = from.count(kLeastValue); left != 0 && from.is_ok(); --left)
                list.push_back(read_value(from, depth + 1));
            value.data = std::move(list);
            break;
        }
        case Tag::members: {
            FieldValueMap members;
            for (std::uint32_t left = from.count(kLeastText + kLeastValue); left != 0 && from.is_ok();
                 --left) {
                std::string name(from.get_text());
                members.emplace_back(std::move(name), read_value(from, depth + 1));
            }
            value.data = std::move(members);
            break;
        }
        default:
            from.fail();
    }
    return value;
}

void write_value(ByteWriter& to, const FieldValue& value) {
    to.put(static_cast<std::uint8_t>(value.data.index()));
    if (const auto* truth = std::get_if<bool>(&value.data)) {
        to.put(static_cast<std::uint8_t>(*truth));
    } else if (const auto* number = std::get_if<double>(&value.data)) {
        to.put(*number);
    } else if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
        to.put(*whole);
    } else if (const auto* large = std::get_if<std::uint64_t>(&value.data)) {
        to.put(*large);
    } else if (const auto* text = std::get_if<std::string>(&value.data)) {
        to.put_text(*text);
    } else if (const auto* list = std::get_if<FieldValueList>(&value.data)) {
        to.put_count(list->size());
        for (const FieldValue& item : *list) write_value(to, item);
    } else if (const auto* members = std::get_if<FieldValueMap>(&value.data)) {
        to.put_count(members->size());
        for (const auto& [name, item] : *members) {
            to.put_text(name);
            write_value(to, item);
        }
    }
}

void write_names(ByteWriter& to, const std::vector<std::string>& names) {
    to.put_count(names.size());
    for (const std::string& name : names) to.put_text(name);
}

std::vector<std::string> read_names(ByteReader& from) {
    std::vector<std::string> names(from.count(kLeastText));
    for (std::string& name : names) name = from.get_text();
    return names;
}

void write_fields(ByteWriter& to, const std::vector<Field>& fields) {
    to.put_count(fields.size());
    for (const Field& field : fields) {
        to.put_text(field.name);
        to.put(static_cast<std::uint8_t>(field.type));
        to.put(field.array_length);
        to.put(field.string_capacity);
        write_names(to, field.labels);
        write_fields(to, field.nested);
        write_value(to, field.default_value);
    }
}

std::vector<Field> read_fields(ByteReader& from, int depth) {
    if (depth > kMaxStructDepth + 1) from.fail();
    std::vector<Field> fields(from.count(kLeastField));
    for (Field& field : fields) {
        field.name = from.get_text();
        const auto type = from.get<std::uint8_t>();
        if (type >= kFieldTypeCount) from.fail();
        field.type = from.is_ok() ? static_cast<FieldType>(type) : FieldType::f32;
        field.array_length = from.get_at_most(kMaxArrayLength);
        field.string_capacity = from.get_at_most(kMaxStringCapacity);
        field.labels = read_names(from);
        field.nested = read_fields(from, depth + 1);
        field.default_value = read_value(from, 0);
    }
    return fields;
}

}  // namespace

void write_schema(ByteWriter& to, const Schema& schema) {
    to.put_text(schema.name);
    to.put(static_cast<std::uint8_t>(static_cast<unsigned>(schema.kind) |
                                     static_cast<unsigned>(schema.blob_shape) << kKindBits));
    to.put(schema.version);
    write_fields(to, schema.fields);
    write_names(to, schema.required);
    to.put_text(schema.owner);
    to.put(schema.buffer_capacity);
    to.put(static_cast<std::uint8_t>(schema.index));
    to.put(static_cast<std::uint8_t>(schema.on_target_destroyed));
}

Schema read_schema(ByteReader& from) {
    Schema schema;
    schema.name = from.get_text();
    const auto kind_and_shape = from.get<std::uint8_t>();
    const unsigned kind = kind_and_shape & ((1u << kKindBits) - 1), shape = kind_and_shape >> kKindBits;
    if (kind >= kComponentKindCount || shape > static_cast<unsigned>(BlobShape::values)) from.fail();
    schema.kind = from.is_ok() ? static_cast<ComponentKind>(kind) : ComponentKind::component;
    schema.blob_shape = from.is_ok() ? static_cast<BlobShape>(shape) : BlobShape::rows;
    schema.version = from.get<std::uint32_t>();
    schema.fields = read_fields(from, 0);
    schema.required = read_names(from);
    schema.owner = from.get_text();
    schema.buffer_capacity = from.get<std::uint32_t>();
    schema.index = from.get_bool();
    schema.on_target_destroyed = from.get_bool() ? OnTargetDestroyed::destroy : OnTargetDestroyed::clear;
    mark_lists(schema);
    return schema;
}

std::uint64_t value_layout_hash(const Schema& schema) {
    Schema bare = schema;
    bare.required.clear();
    return schema_hash(bare);
}

}  // namespace perigee::internal
